import { inspect } from 'node:util'
import { AppError, isOfModel, MODEL_AWAY, storeSentence } from '../errors.ts'
import type { AgentEvent, CitablePlace } from './event.ts'
import { parseArguments, parseStrictArguments } from './function-call.ts'
import type { Message } from './message.ts'
import { type ContentItem, ITEM_TYPES } from './message.ts'
import { NO_CALL_NAME, type ToolCall, type ToolDefinition } from './model.ts'
import { redact } from './redact.ts'

/** Something a model may call. */
export interface Tool extends ToolDefinition {
  /** It changes nothing anywhere; unknown where absent. */
  readonly isReadOnly?: boolean
  /** A call of it may be made again where nobody knows how it ended; of one that is read-only it may. */
  readonly mayRepeat?: boolean
  /** Somebody has to approve of a call before it is made; a function says so of its arguments. */
  readonly needsApproval?: boolean | ((args: unknown) => boolean)
  /**
   * The answer for the model: text, `{ content }` with texts and pictures, or what becomes JSON. `args` is unchecked: the tool
   * parses it. What it throws becomes an answer, too.
   */
  call(args: unknown, signal?: AbortSignal, run?: ToolRun): Promise<unknown>
  /** Releases what it holds. */
  close?(): Promise<void>
}

/** The run that a call belongs to, as far as there is one. */
export type ToolRun = {
  /** Tells a step of the run on the way, as of an agent inside. */
  readonly tell?: ((event: Exclude<AgentEvent, { type: 'finish' }>) => void) | undefined
  /** What a tool keeps from one call to the next belongs to it. */
  readonly conversation?: string | undefined
  /** Makes what was found a source of the answer, where answers cite. */
  readonly cite?: Cite | undefined
}

/** The number by which the model may cite each place; none where there is no room for more sources. */
export type Cite = (places: readonly CitablePlace[]) => Promise<readonly (number | undefined)[]>

/** Told of what a tool threw: with stack and paths, for a log, never for a model. */
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

/** The same, with the pictures of an answer that has any. */
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

/** What the tool gives, or the sentence for the model when it fails. Arguments in a text are parsed. Only an abort throws. */
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

/** The tool with another way to call it. */
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
    ...{ name, description, parameters, call },
    ...(nameForHuman !== undefined && { nameForHuman }),
    ...(argsFormat !== undefined && { argsFormat }),
    ...(isReadOnly !== undefined && { isReadOnly }),
    ...(mayRepeat !== undefined && { mayRepeat }),
    ...(needsApproval !== undefined && { needsApproval }),
    ...(tool.close && { close: () => tool.close?.() ?? Promise.resolve() }),
  }
}

/** Release what the tools hold; one that cannot is told at the end, after the others were asked. */
export async function closeTools(tools: readonly Tool[]): Promise<void> {
  const outcomes = await Promise.allSettled(tools.map(tool => tool.close?.()))
  const failed = outcomes.filter(outcome => outcome.status === 'rejected')
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(outcome => outcome.reason),
      'Some tools could not be closed.',
    )
}

/** Text as it is, anything else as JSON; what JSON cannot say, as Node shows it. */
function toText(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (isToolContent(answer)) return joinTexts(answer)
  try {
    return JSON.stringify(answer, (_, value) => toSerializable(value)) ?? ''
  } catch {
    return inspect(answer, { depth: 6, maxArrayLength: 1_000 }) // it refers to itself, or its toJSON fails
  }
}

/** What JSON has no form for. */
function toSerializable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  return value instanceof Error ? toSentence(value) : value
}

/** A fault of the machine is named by its code: its message tells of paths and addresses, as that of a model's server does. */
function toSentence(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error)
  const { code, syscall } = error as NodeJS.ErrnoException // Node marks system errors so
  if (syscall !== undefined) return `The machine could not do it (${code}).`
  if (error instanceof AppError && isOfModel(error)) return MODEL_AWAY
  return error instanceof AppError
    ? (storeSentence(error) ?? error.message)
    : `${error.name}: ${error.message}`
}

/** What a tool answers with where text is not enough: texts and pictures, in order. */
export type ToolContent = { readonly content: readonly ContentItem[] }

/** Told by its form alone, so that it may come from a cache: a list of content items and nothing else. */
export function isToolContent(result: unknown): result is ToolContent {
  if (typeof result !== 'object' || result === null || Object.keys(result).join() !== 'content')
    return false
  const { content } = result as { readonly content: unknown } // it has that key alone
  return Array.isArray(content) && content.length > 0 && content.every(isItem)
}

/** Its texts, for who cannot show pictures. */
export function joinTexts({ content }: ToolContent): string {
  const texts = content.flatMap(item => ('text' in item ? [item.text] : []))
  return texts.join('\n')
}

function isItem(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  const keys: readonly string[] = Object.keys(item)
  return keys.length === 1 && ITEM_TYPES.some(type => type === keys[0])
}
