import { inspect } from 'node:util'
import { AppError, isOfModel, MODEL_AWAY, toStoreMessage } from '../errors.ts'
import type { AgentEvent, CitablePlace } from './event.ts'
import { parseArguments, parseStrictArguments } from './function-call.ts'
import type { Message } from './message.ts'
import { type ContentItem, ITEM_TYPES } from './message.ts'
import { NO_CALL_NAME, type ToolCall, type ToolDefinition } from './model.ts'
import { redact } from './redact.ts'

/** Function that a model may call. */
export interface Tool extends ToolDefinition {
  /** It changes nothing anywhere; unknown where absent. */
  readonly isReadOnly?: boolean
  /** A call may be repeated if its outcome is unknown. Calls of read-only tools always may. */
  readonly mayRepeat?: boolean
  /** Whether a call needs approval; a function decides by the arguments. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean)
  /**
   * The answer for the model: text, `{ content }` with texts and pictures, or what becomes JSON. `args` is unchecked: the tool
   * parses it. What it throws becomes an answer, too.
   */
  call(args: unknown, signal?: AbortSignal, run?: ToolRun): Promise<unknown>
  /** Releases its resources. */
  close?(): Promise<void>
}

/** The run that a call belongs to, as far as there is one. */
export type ToolRun = {
  /** Emits an event of the run, such as a step of an inner agent. */
  readonly tell?: ((event: Exclude<AgentEvent, { type: 'finish' }>) => void) | undefined
  /** Id of the conversation to which the state of the tool belongs. */
  readonly conversation?: string | undefined
  /** Adds places to the sources of the answer. */
  readonly cite?: Cite | undefined
}

/** The number by which the model may cite each place; none where there is no room for more sources. */
export type Cite = (places: readonly CitablePlace[]) => Promise<readonly (number | undefined)[]>

/** Receives what a tool threw, with stack and paths: for a log, never for a model. */
export type ToolErrorListener = (toolName: string, error: unknown) => void

/** Tools that are known only when an answer begins, as those of servers; names in `taken` are left to others. */
export type MoreTools = (taken: readonly string[], signal?: AbortSignal) => Promise<readonly Tool[]>

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
 * The answer to a call, whatever happens: a tool that is not there or that fails is told to the model, which can go on
 * from it. The model gets the sentence only, without stack, paths or keys. Only an abort throws.
 */
export async function callTool(
  tools: readonly Tool[],
  call: ToolCall | FunctionToolCall,
  options: CallToolOptions = {},
): Promise<string> {
  const answer = await callForContent(tools, call, options)
  return typeof answer === 'string' ? answer : joinTexts({ content: answer })
}

/** Calls a tool as `callTool` does, and returns pictures as well. */
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

/** The text for the model when the tool is called with these arguments, or what went wrong. Only an abort throws. */
export async function answerCall(
  tool: Tool,
  args: unknown,
  options: CallToolOptions = {},
): Promise<string> {
  const { result, problem } = await callChecked(tool, args, options)
  return problem ?? toText(result)
}

/** Parses the arguments of a call, strictly if the tool needs approval. Throws `invalid_input`. */
export function parseToolArguments(
  { needsApproval = false }: Pick<Tool, 'needsApproval'>,
  args: string,
): unknown {
  return needsApproval === false ? parseArguments(args) : parseStrictArguments(args)
}

/** Returns the result of a tool, or the sentence for the model if it fails. Parses arguments in a text. Only an abort throws. */
export async function callChecked(
  tool: Tool,
  args: unknown,
  { signal, onError, ...run }: CallToolOptions = {},
): Promise<{ readonly result?: unknown; readonly problem?: string }> {
  try {
    return {
      result: await tool.call(
        typeof args === 'string' ? parseToolArguments(tool, args) : args,
        signal,
        run,
      ),
    }
  } catch (error) {
    signal?.throwIfAborted()
    onError?.(tool.name, error)
    return {
      problem: `An error occurred when calling tool ${tool.name}: ${redact(toSentence(error))}`,
    }
  }
}

/** Returns the tool with another `call`. */
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

/** Closes the tools. Throws the failures after all were tried. */
export async function closeTools(tools: readonly Tool[]): Promise<void> {
  const outcomes = await Promise.allSettled(tools.map(tool => tool.close?.()))
  const failed = outcomes.filter(outcome => outcome.status === 'rejected')
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(outcome => outcome.reason),
      'Some tools could not be closed.',
    )
}

/** Returns a text as it is, other results as JSON, or as Node prints them if JSON cannot represent them. */
function toText(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (isToolContent(answer)) return joinTexts(answer)
  try {
    return JSON.stringify(answer, (_, value) => toSerializable(value)) ?? ''
  } catch {
    return inspect(answer, { depth: 6, maxArrayLength: 1_000 }) // it refers to itself, or its toJSON fails
  }
}

/** Converts values that JSON cannot represent. */
function toSerializable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  return value instanceof Error ? toSentence(value) : value
}

/** A fault of the machine is named by its code: its message tells of paths and addresses, as that of a model's server does. */
function toSentence(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error)
  const { code, syscall }: NodeJS.ErrnoException = error // Node marks system errors so
  if (syscall !== undefined) return `The machine could not do it (${code}).`
  if (error instanceof AppError && isOfModel(error)) return MODEL_AWAY
  return error instanceof AppError
    ? (toStoreMessage(error) ?? error.message)
    : `${error.name}: ${error.message}`
}

/** Result of texts and pictures, in order. */
export type ToolContent = { readonly content: readonly ContentItem[] }

/** Told by its form alone, so that it may come from a cache: a list of content items and nothing else. */
export function isToolContent(result: unknown): result is ToolContent {
  if (typeof result !== 'object' || result === null || Object.keys(result).join() !== 'content')
    return false
  const { content } = result as { readonly content: unknown } // it has that key alone
  return Array.isArray(content) && content.length > 0 && content.every(isItem)
}

/** Joins the texts of a result. */
export function joinTexts({ content }: ToolContent): string {
  const texts = content.flatMap(item => ('text' in item ? [item.text] : []))
  return texts.join('\n')
}

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const keys: readonly string[] = Object.keys(item)
  return keys.length === 1 && ITEM_TYPES.some(type => type === keys[0])
}
