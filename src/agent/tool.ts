import { inspect } from 'node:util'
import { AppError, isOfModel, MODEL_AWAY, toStoreMessage } from '../errors.ts'
import { redact } from '../system/redact.ts'
import type { AgentEvent, AgentResult, CitablePlace } from './event.ts'
import type { Message } from './message.ts'
import { type ContentItem, ITEM_TYPES } from './message.ts'
import { parseArguments, parseStrictArguments } from './messages/function-call.ts'
import { NO_CALL_NAME, type ToolCall, type ToolDefinition } from './model.ts'

export interface Tool extends ToolDefinition {
  /** Changes nothing; unknown if absent. */
  readonly isReadOnly?: boolean
  /** May repeat a call with unknown outcome. Read-only tools always may. */
  readonly mayRepeat?: boolean
  /** A function decides by the arguments. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean)
  /**
   * Returns text, `{ content }` with texts and pictures, or what becomes JSON. `args` is
   * unchecked. What it throws becomes an answer, too.
   */
  call(args: unknown, signal?: AbortSignal, run?: ToolRun): Promise<unknown>
  close?(): Promise<void>
}

export type ToolRun = {
  readonly tell?: ((event: Exclude<AgentEvent, { type: 'finish' }>) => void) | undefined
  readonly conversation?: string | undefined
  readonly cite?: Cite | undefined
  readonly messages?: readonly Message[] | undefined
  /** Takes over citations of an inner agent. Returns its text with their new numbers. */
  readonly adopt?: ((result: CitedText) => string) | undefined
}

export type CitedText = Pick<AgentResult, 'text' | 'citations' | 'toolCitations'>

/** Returns the citation number of each place, if there is room. */
export type Cite = (places: readonly CitablePlace[]) => Promise<readonly (number | undefined)[]>

/** Receives what a tool threw, with stack and paths: for logs only. */
export type ToolErrorListener = (toolName: string, error: unknown) => void

/** Tools known only when an answer begins; `taken` names are left to others. */
export type MoreTools = (
  usedNames: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly Tool[]>

type CallToolOptions = ToolRun & {
  readonly signal?: AbortSignal | undefined
  readonly onError?: ToolErrorListener | undefined
}

/** A call as OpenAI's chat completions write it. */
export type FunctionToolCall = {
  readonly id: string
  readonly type?: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * Reports missing or failing tools to the model in a sentence without stack, paths or keys.
 * Only an abort throws.
 */
export async function callTool(
  tools: readonly Tool[],
  call: ToolCall | FunctionToolCall,
  options: CallToolOptions = {},
): Promise<string> {
  const answer = await callForContent(tools, call, options)
  return typeof answer === 'string' ? answer : joinTexts({ content: answer })
}

/** Returns pictures, too. */
export async function callForContent(
  tools: readonly Tool[],
  call: ToolCall | FunctionToolCall,
  options: CallToolOptions = {},
): Promise<Message['content']> {
  if ('problem' in call && call.problem) return call.problem
  const { name, arguments: args } = 'function' in call ? call.function : call
  if (!name) return NO_CALL_NAME
  const tool = tools.find(candidate => candidate.name === name)
  if (!tool) return `Tool ${name} does not exist.`
  const { result, problem } = await callChecked(tool, args, options)
  if (problem === undefined && isToolContent(result)) return result.content
  return problem ?? toText(result)
}

/** Returns a JSON value, `{ content }`, or what went wrong. Only an abort throws. */
export async function callForValue(
  tool: Tool,
  args: unknown,
  options: CallToolOptions = {},
): Promise<unknown> {
  const { result, problem } = await callChecked(tool, args, options)
  return problem ?? (isToolContent(result) ? result : toJsonValue(result))
}

/** Parses strictly if the tool needs approval. Throws `invalid_input`. */
export function parseToolArguments(
  { needsApproval = false }: Pick<Tool, 'needsApproval'>,
  args: string,
): unknown {
  return needsApproval === false ? parseArguments(args) : parseStrictArguments(args)
}

/** Returns the result, or a sentence for the model. Only an abort throws. */
export async function callChecked(
  tool: Tool,
  args: unknown,
  { signal, onError, ...run }: CallToolOptions = {},
): Promise<{ readonly result?: unknown; readonly problem?: string }> {
  try {
    const result = await tool.call(
      typeof args === 'string' ? parseToolArguments(tool, args) : args,
      signal,
      run,
    )
    return { result: isContentList(result) ? { content: result } : result }
  } catch (error) {
    signal?.throwIfAborted()
    onError?.(tool.name, error)
    return {
      problem: `An error occurred when calling tool ${tool.name}: ${redact(toSentence(error))}`,
    }
  }
}

export function wrapTool(tool: Tool, call: Tool['call']): Tool {
  const {
    name,
    description,
    parameters,
    nameForHuman,
    argsFormat,
    isReadOnly,
    mayRepeat,
    needsApproval,
  } = tool
  return {
    name,
    description,
    parameters,
    call,
    ...(nameForHuman !== undefined && { nameForHuman }),
    ...(argsFormat !== undefined && { argsFormat }),
    ...(isReadOnly !== undefined && { isReadOnly }),
    ...(mayRepeat !== undefined && { mayRepeat }),
    ...(needsApproval !== undefined && { needsApproval }),
    ...(tool.close && { close: () => tool.close?.() ?? Promise.resolve() }),
  }
}

/** Throws the failures after all were tried. */
export async function closeTools(tools: readonly Tool[]): Promise<void> {
  const outcomes = await Promise.allSettled(tools.map(tool => tool.close?.()))
  const failed = outcomes.filter(outcome => outcome.status === 'rejected')
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(outcome => outcome.reason),
      'Some tools could not be closed.',
    )
}

/** Other results are JSON, or as Node prints them. */
function toText(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (isToolContent(answer)) return joinTexts(answer)
  try {
    return JSON.stringify(answer, (_, value) => toSerializable(value)) ?? ''
  } catch {
    return inspect(answer, { depth: 6, maxArrayLength: 1_000 }) // it refers to itself, or its toJSON fails
  }
}

function toJsonValue(result: unknown): unknown {
  const text = toText(result)
  if (typeof result === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toSerializable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  return value instanceof Error ? toSentence(value) : value
}

function toSentence(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error)
  const { code, syscall }: NodeJS.ErrnoException = error // Node marks system errors so
  if (syscall !== undefined) return `The machine could not do it (${code}).`
  if (error instanceof AppError && isOfModel(error)) return MODEL_AWAY
  return error instanceof AppError
    ? (toStoreMessage(error) ?? error.message)
    : `${error.name}: ${error.message}`
}

export type ToolContent = { readonly content: readonly ContentItem[] }

/** Decides by form: a result may come from a cache. */
export function isToolContent(result: unknown): result is ToolContent {
  if (typeof result !== 'object' || result === null || Object.keys(result).join() !== 'content')
    return false
  const { content } = result as { readonly content: unknown }
  return Array.isArray(content) && content.length > 0 && content.every(isItem)
}

/** Qwen-Agent's tools return such lists. */
function isContentList(result: unknown): result is ToolContent['content'] {
  return (
    Array.isArray(result) &&
    result.every(isItem) &&
    result.some(item => !Object.hasOwn(item, 'text'))
  )
}

export function joinTexts({ content }: ToolContent): string {
  const texts = content.flatMap(item => ('text' in item ? [item.text] : []))
  return texts.join('\n')
}

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const keys: readonly string[] = Object.keys(item)
  return keys.length === 1 && ITEM_TYPES.some(type => type === keys[0])
}
