import type { Citation } from '../answer/citations/citations.ts'
import { AppError, type Failure, toFailure } from '../errors.ts'
import type { Document } from '../ingest/catalog/document.ts'
import type { Warning } from '../ingest/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { GenerateConfig } from './generate-config.ts'
import type { Message } from './message.ts'
import type { ToolCall, ToolCallDelta, ToolChoice, ToolDefinition } from './model.ts'
import type { Usage } from './usage.ts'

/** A question, and where its answer may come from. */
export type AskRequest = {
  readonly question: string
  readonly collectionIds: readonly string[]
  /** Only these documents, when given. */
  readonly documentIds?: readonly string[]
  /** The completed documents in scope; asked for only when the question is about the documents as a whole. */
  readonly documents: () => readonly Document[]
  /** The conversation before the question, oldest first. */
  readonly history?: readonly Message[]
  /** At most this many hits are looked at. */
  readonly limit?: number
  /** What came after the question: calls of the caller's tools, and what they gave. */
  readonly turn?: readonly Message[]
  /** Tools that the caller runs: a call of one ends the answer, and its result comes with the next request. */
  readonly callerTools?: readonly ToolDefinition[]
  /** For the first model call; afterwards the model is free. */
  readonly toolChoice?: ToolChoice
  readonly config?: GenerateConfig
}

export type Answer = {
  readonly question: string
  readonly answer: string
  /** The documents do not say; citations are then the nearest passages, and prove nothing. */
  readonly abstained: boolean
  readonly mode: 'extractive' | 'model'
  readonly citations: readonly Citation[]
  /** Sentences of a model that claim something and that no source was found for. */
  readonly unsupported?: readonly string[]
  /** What an answer could not come from, as documents that are still being indexed. */
  readonly warnings?: readonly Warning[]
  readonly usage?: Usage
  /** The answer is cut short: the model's token limit, its filter, or too many tool calls. */
  readonly incomplete?: 'length' | 'content-filter' | 'max-model-calls'
  /** Calls of the caller's tools: the answer goes on once their results are there. */
  readonly calls?: readonly ToolCall[]
}

/** What happens while a question is answered. The last event is `answer` or `error`. */
export type AgentEvent =
  | { readonly type: 'retrieval'; readonly query: string; readonly hits: readonly Hit[] }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | ToolCallDelta
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'tool-result'; readonly call: ToolCall; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'answer'; readonly answer: Answer }
  | ErrorEvent

/** What went wrong: to show, and as it was thrown, for whoever throws it again. */
type ErrorEvent = { readonly type: 'error'; readonly failure: Failure; readonly thrown: unknown }

/** What is told on the way to an answer, and the answer. */
export type AnswerEvent = Exclude<AgentEvent, ErrorEvent>

/** Answers questions from documents. What goes wrong is its last event; only an abort throws. */
export interface Answerer {
  answer(request: AskRequest, signal?: AbortSignal): AsyncIterable<AgentEvent>
}

/** The events, with anything thrown turned into a last `error`, so that whoever streams them has one way to hear of it. */
export async function* reportFailures<E>(
  events: AsyncIterable<E>,
  signal?: AbortSignal,
): AsyncGenerator<E | ErrorEvent> {
  try {
    yield* events
  } catch (error) {
    signal?.throwIfAborted()
    yield { type: 'error', failure: toFailure(error), thrown: error }
  }
}

/** The events, with a last `error` thrown as it was thrown first: the one way from events back to errors. */
export async function* throwFailures<E extends { readonly type: string }>(
  events: AsyncIterable<E>,
): AsyncGenerator<Exclude<E, ErrorEvent>> {
  for await (const event of events) {
    if (isError(event)) throw event.thrown
    yield event as Exclude<E, ErrorEvent> // just checked
  }
}

function isError(event: { readonly type: string }): event is ErrorEvent {
  return event.type === 'error'
}

/** The answer alone, for who does not stream. Throws the failure when there is none. */
export async function collectAnswer(events: AsyncIterable<AgentEvent>): Promise<Answer> {
  for await (const event of throwFailures(events)) {
    if (event.type === 'answer') return event.answer
  }
  throw new AppError('internal', 'The agent ended without an answer.')
}
