import type { Message } from './message.ts'

/** Tokens spent. */
export type Usage = { readonly promptTokens: number; readonly completionTokens: number; readonly totalTokens: number }

/** A JSON Schema of type `object`: what a tool's arguments look like. */
export type ParametersSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
}

/** What a model is told about a tool. */
export type ToolDefinition = {
  readonly name: string
  readonly description: string
  readonly parameters: ParametersSchema
}

/** A tool call as it left the model, whole. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

/** What a model is asked. */
export type ModelRequest = {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  /** `none` shows the tools but forbids calling one: how a loop asks for its last word. */
  readonly toolChoice: 'auto' | 'none'
}

/** Why a model stopped. `length`: its token limit cut the answer. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter'

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** A language model that chats. It only streams; who wants the whole collects it. */
export interface ChatModel {
  /** Name of the model, for messages and caches. */
  readonly id: string
  /** Ends with one `finish`. Throws `model_unavailable`, `rate_limited` or `timeout`, naming model and URL, never the key. */
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>
}

/** The sum of two usages, either of which may be missing. */
export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  }
}
