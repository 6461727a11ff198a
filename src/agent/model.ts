import type { Warning } from '../ingest/parse/parser.ts'
import type { Message, ReasoningOrigin } from './message.ts'
import type { GenerateConfig } from './models/generate-config.ts'

export type ParametersSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

export type ToolDefinition = {
  readonly name: string
  readonly description: string
  readonly parameters: ParametersSchema
  /** The server holds the model to the schema, where it can. */
  readonly strict?: boolean
  readonly nameForHuman?: string
  readonly argsFormat?: string
}

export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Fault in an unreadable call, which is not made, and its result. */
  readonly problem?: string
  readonly reasoningOrigin?: ReasoningOrigin
}

/** The complete call follows. Textual calls have no pieces. */
export type ToolCallDelta = {
  readonly type: 'tool-call-delta'
  readonly id: string
  readonly name: string
  readonly text: string
}

/**
 * All text so far was reasoning: a `</think>` arrived without a `<think>`. Calls in it do not
 * count.
 */
export type TextAsReasoning = { readonly type: 'text-as-reasoning'; readonly text: string }

/** Name of a call without a readable name. */
export const UNNAMED_CALL = 'unreadable_call'

export const NO_CALL_NAME = 'This tool call has no name. Name one of the tools.'

/** `none` shows tools but forbids calls; `required` forces one; a name forces that one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export type ModelRequest = {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice
  readonly config?: GenerateConfig
}

/** `length`: the token limit cut the answer. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter'

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | TextAsReasoning
  | ToolCallDelta
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      readonly responseId?: string
      readonly created?: number
      readonly reasoningOrigin?: ReasoningOrigin
      readonly warnings?: readonly Warning[]
    }

/** Code of the warning that a request was too long, and what it lacks. */
export const REQUEST_SHORTENED = 'request_shortened'

export interface ChatModel {
  readonly id: string
  /** Longer requests are shortened. No limit by default, nor with 0. */
  readonly maxInputTokens?: number | undefined
  /**
   * Ends with one `finish`. Throws `model_unavailable`, `rate_limited` or `timeout`, naming
   * model and URL, never the key.
   */
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>
}

/** Tokens, and cost in the server's currency if reported. */
export type Usage = {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
  readonly cost?: number
}

export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b
  const cost =
    a.cost === undefined && b.cost === undefined ? undefined : (a.cost ?? 0) + (b.cost ?? 0)
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    ...(cost !== undefined && { cost }),
  }
}
