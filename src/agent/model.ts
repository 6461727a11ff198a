import type { Warning } from '../ingest/parse/parser.ts'
import type { GenerateConfig } from './generate-config.ts'
import type { Message, ReasoningOrigin } from './message.ts'

/** A JSON Schema of type `object`: what a tool's arguments look like. */
export type ParametersSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

/** What a model is told about a tool. */
export type ToolDefinition = {
  readonly name: string
  readonly description: string
  readonly parameters: ParametersSchema
  /** The server holds the model to the schema, where it can. */
  readonly strict?: boolean
  /** What people call it; the name where there is none. */
  readonly nameForHuman?: string
  /** A sentence on how to write the arguments, where tools are told as text. */
  readonly argsFormat?: string
}

/** A tool call as it left the model, whole. */
export type ToolCall = {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** What the model did wrong in writing it: then nothing is called, and this is the answer. */
  readonly problem?: string
  /** Seal that the server expects back with the call. */
  readonly reasoningOrigin?: ReasoningOrigin
}

/** A piece of the arguments of a call that is being written; the call follows whole. Models that write calls as text give none. */
export type ToolCallDelta = {
  readonly type: 'tool-call-delta'
  readonly id: string
  readonly name: string
  readonly text: string
}

/**
 * Reports that all text of this answer so far, `text`, was reasoning: a `</think>` arrived without a `<think>`. Calls that were
 * read in it do not count.
 */
export type TextAsReasoning = { readonly type: 'text-as-reasoning'; readonly text: string }

/** The name of a call whose own could not be read: a conversation needs one, and no tool is called so. */
export const UNNAMED_CALL = 'unreadable_call'

/** What is wrong with it. */
export const NO_CALL_NAME = 'This tool call has no name. Name one of the tools.'

/**
 * `none` shows the tools but forbids calling one: how a loop asks for its last word. `required` forces a call of one of them, a
 * name that of one tool.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** What a model is asked. */
export type ModelRequest = {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice
  readonly config?: GenerateConfig
}

/** Why a model stopped. `length`: its token limit cut the answer. */
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
      /** The server's name for this answer. */
      readonly responseId?: string
      /** When it was made, in Unix seconds. */
      readonly created?: number
      /** Origin of the thoughts, if the server expects them back. */
      readonly reasoningOrigin?: ReasoningOrigin
      /** Problems that did not prevent the answer. */
      readonly warnings?: readonly Warning[]
    }

/** A language model that chats. It only streams; who wants the whole collects it. */
export interface ChatModel {
  /** Name of the model, for messages and caches. */
  readonly id: string
  /** Ends with one `finish`. Throws `model_unavailable`, `rate_limited` or `timeout`, naming model and URL, never the key. */
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>
}

/** Tokens spent, and what they cost where the server says so, in its currency. */
export type Usage = {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
  readonly cost?: number
}

/** The sum of two usages, either of which may be missing. */
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
