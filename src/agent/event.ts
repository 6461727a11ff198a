import type { Citation, ToolCitation } from '../answer/citations/citation.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { Message, ReasoningOrigin } from './message.ts'
import {
  addUsage,
  type FinishReason,
  type TextAsReasoning,
  type ToolCall,
  type ToolCallDelta,
  type Usage,
} from './model.ts'

/** Event of a run, as plain data. The last one is `finish`. */
export type AgentEvent =
  | { readonly type: 'plan'; readonly questions: readonly string[] }
  | {
      readonly type: 'retrieval'
      readonly query: string
      readonly hits: readonly Hit[]
      /** Words that a model added to the query. */
      readonly keywords?: readonly string[]
      /** Hits that the model was shown. A resumed answer gives them the same numbers. */
      readonly cited?: readonly NumberedPlace[]
    }
  /** The question is about documents as a whole: the model was shown how they begin. */
  | { readonly type: 'overview'; readonly cited: readonly NumberedPlace[] }
  | { readonly type: 'notice'; readonly name: string; readonly text: string }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | TextAsReasoning
  | { readonly type: 'reasoning-end'; readonly origin: ReasoningOrigin }
  | ToolCallDelta
  /** `mayRepeat`: the call may be repeated if its outcome is unknown. */
  | { readonly type: 'tool-call'; readonly call: ToolCall; readonly mayRepeat?: true }
  /** The call starts after the reader has consumed this event. */
  | {
      readonly type: 'tool-start'
      readonly id: string
      readonly name: string
      /** Calls of a stored turn that were paid before. */
      readonly paid?: readonly string[]
    }
  | {
      readonly type: 'tool-result'
      readonly call: ToolCall
      readonly text: string
      readonly cited?: readonly NumberedPlace[]
    }
  /** The call waits for approval, and the run ends until there is one. */
  | { readonly type: 'approval'; readonly call: ToolCall }
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'agent'; readonly name: string; readonly event: AgentEvent }
  | { readonly type: 'finish'; readonly result: AgentResult }

/** Place in a document, with context such as the columns of a row. */
export type CitablePlace = {
  readonly documentId: string
  readonly charStart: number
  readonly charEnd: number
  readonly context?: string
}

export type NumberedPlace = CitablePlace & { readonly number: number }

export type AgentResult<Output = unknown> = {
  readonly question: string
  readonly text: string
  /** Nothing was found; citations are the nearest passages, and prove nothing. */
  readonly abstained: boolean
  readonly mode: 'extractive' | 'model'
  /** Probability, 0 to 1, that the quotations of an extractive answer are right. */
  readonly confidence?: number
  readonly citations: readonly Citation[]
  readonly toolCitations?: readonly ToolCitation[]
  /** Sentences that a source contradicts or nothing supports, and quotations in no source. */
  readonly unsupported: readonly string[]
  /** Sentences of a model that no source states or contradicts. */
  readonly unconfirmed?: readonly string[]
  readonly conversation?: string | undefined
  readonly messages: readonly Message[]
  /** Includes the calls of inner agents. */
  readonly usage?: Usage
  /** `tool-calls`: the caller is to run `calls`; `approval`: somebody is to approve of them. */
  readonly finishReason: FinishReason | LimitReached | 'approval'
  readonly calls?: readonly ToolCall[]
  readonly object?: Output
  /** Problems of the answer, such as documents that are still being indexed. */
  readonly warnings?: readonly Warning[]
  readonly corrected?: Hit['corrected']
  readonly synonyms?: Hit['synonyms']
}

type LimitReached = 'max-model-calls' | 'max-tool-calls'

export function isLimit(reason: AgentResult['finishReason']): reason is LimitReached {
  return reason === 'max-model-calls' || reason === 'max-tool-calls'
}

/** Returns undefined if the answer is complete. */
export function getCutReason({ finishReason: reason }: Pick<AgentResult, 'finishReason'>) {
  return reason === 'length' || reason === 'content-filter' || isLimit(reason) ? reason : undefined
}

export async function* withTotalUsage(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  let usage: Usage | undefined
  for await (const event of events) {
    const spent = findUsage(event)
    if (spent) usage = addUsage(usage, spent)
    yield event.type === 'finish' && usage
      ? { type: 'finish', result: { ...event.result, usage } }
      : event
  }
}

function findUsage(event: AgentEvent): Usage | undefined {
  if (event.type === 'agent') return findUsage(event.event)
  return event.type === 'usage' ? event.usage : undefined
}

const REASONING: ReadonlySet<AgentEvent['type']> = new Set([
  'reasoning-delta',
  'reasoning-end',
  'text-as-reasoning',
])

/** Drops thoughts unless shown. Calls follow their text. */
export async function* withCheckedText<Event extends AgentEvent>(
  events: AsyncIterable<Event>,
  { thoughts = 'hidden' }: { readonly thoughts?: 'hidden' | 'shown' } = {},
): AsyncGenerator<Event | Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>> {
  const deferredEvents: Event[] = []
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'tool-call-delta') continue
    if (REASONING.has(event.type) && thoughts === 'hidden') continue
    if (event.type === 'text-as-reasoning') {
      yield { type: 'reasoning-delta', text: event.text } // its text was withheld
      continue
    }
    if (event.type === 'tool-call' || event.type === 'citation') {
      deferredEvents.push(event)
      continue
    }
    if (event.type === 'finish' && event.result.text !== '')
      yield { type: 'text-delta', text: event.result.text }
    yield* deferredEvents.splice(0)
    yield event
  }
}
