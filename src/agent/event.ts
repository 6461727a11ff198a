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

/** What happens while an agent works: plain data, every event of it. The last one is `finish`. */
export type AgentEvent =
  /** What a question was taken apart into. */
  | { readonly type: 'plan'; readonly questions: readonly string[] }
  | {
      readonly type: 'retrieval'
      readonly query: string
      readonly hits: readonly Hit[]
      /** Of the hits, those that the model was shown: who goes on with the answer gives them the same numbers. */
      readonly cited?: readonly NumberedPlace[]
    }
  /** The question is about documents as a whole: the model was shown how they begin. */
  | { readonly type: 'overview'; readonly cited: readonly NumberedPlace[] }
  /** Said by somebody other than the model, as by the memory of files that it cannot read. */
  | { readonly type: 'notice'; readonly name: string; readonly text: string }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | TextAsReasoning
  /** Origin of the preceding thoughts, which says how to return them to their server. */
  | { readonly type: 'reasoning-end'; readonly origin: ReasoningOrigin }
  | ToolCallDelta
  /** `mayRepeat`: it may be made again where nobody knows how it ended. */
  | { readonly type: 'tool-call'; readonly call: ToolCall; readonly mayRepeat?: true }
  /** The call begins to be made, after whoever reads has taken note: until then it was only told. */
  | {
      readonly type: 'tool-start'
      readonly id: string
      readonly name: string
      /** Of a kept turn: the calls that an account was charged for before it. */
      readonly paid?: readonly string[]
    }
  | {
      readonly type: 'tool-result'
      readonly call: ToolCall
      readonly text: string
      /** What the tool found, under the numbers that it may be cited by. */
      readonly cited?: readonly NumberedPlace[]
    }
  /** The call waits for a person's approval, and the run ends until there is one. */
  | { readonly type: 'approval'; readonly call: ToolCall }
  | { readonly type: 'citation'; readonly citation: Citation }
  /** Of one model call. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** A step of another agent, which this one called. */
  | { readonly type: 'agent'; readonly name: string; readonly event: AgentEvent }
  | { readonly type: 'finish'; readonly result: AgentResult }

/** Words of a document, and what they are read under: the columns of a row. */
export type CitablePlace = {
  readonly documentId: string
  readonly charStart: number
  readonly charEnd: number
  readonly context?: string
}

/** `number` is that of the source which the place is part of. */
export type NumberedPlace = CitablePlace & { readonly number: number }

/** What came of a run. */
export type AgentResult<Output = unknown> = {
  /** What was asked last. */
  readonly question: string
  readonly text: string
  /** The documents do not say; citations are then the nearest passages, and prove nothing. */
  readonly abstained: boolean
  readonly mode: 'extractive' | 'model'
  /** How likely the quotations of an extractive answer answer it, 0 to 1; none of an overview, a refusal or a model. */
  readonly confidence?: number
  readonly citations: readonly Citation[]
  /** What it says by what tools answered, where answers cite. */
  readonly toolCitations?: readonly ToolCitation[]
  /** Sentences of a model that a source contradicts or nothing supports, and quotations that are in no source. */
  readonly unsupported: readonly string[]
  /** Sentences of a model that no source states or contradicts. */
  readonly unconfirmed?: readonly string[]
  /** The kept conversation that it is a turn of. */
  readonly conversation?: string | undefined
  /** What the run adds to its conversation. With a question after them, they go on with it. */
  readonly messages: readonly Message[]
  /** Of all model calls together, those of inner agents among them. */
  readonly usage?: Usage
  /** `tool-calls`: the caller is to run `calls`; `approval`: somebody is to approve of them. */
  readonly finishReason: FinishReason | LimitReached | 'approval'
  /** Calls without a result yet. */
  readonly calls?: readonly ToolCall[]
  /** The answer as data, where a schema was given. */
  readonly object?: Output
  /** What an answer could not come from, as documents that are still being indexed. */
  readonly warnings?: readonly Warning[]
}

/** What an agent may do for one answer was done, and there was none yet. */
type LimitReached = 'max-model-calls' | 'max-tool-calls'

/** Whether the answer ended for that. */
export function isLimit(reason: AgentResult['finishReason']): reason is LimitReached {
  return reason === 'max-model-calls' || reason === 'max-tool-calls'
}

/** Why an answer is shorter than it was to be, if it is. */
export function getCutReason({ finishReason: reason }: Pick<AgentResult, 'finishReason'>) {
  return reason === 'length' || reason === 'content-filter' || isLimit(reason) ? reason : undefined
}

/** The steps, with what all of them cost together in the result. */
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

/** What a step cost, wherever in it: a step of an inner agent has its own within. */
function findUsage(event: AgentEvent): Usage | undefined {
  if (event.type === 'agent') return findUsage(event.event)
  return event.type === 'usage' ? event.usage : undefined
}

const REASONING: ReadonlySet<AgentEvent['type']> = new Set([
  'reasoning-delta',
  'reasoning-end',
  'text-as-reasoning',
])

/**
 * The events with the text of the answer as it was checked, whole, in place of what the model says on the way, and thinks
 * unless its thoughts are to be shown. Calls come after the text that they were made with, as in every conversation.
 */
export async function* withCheckedText<Event extends AgentEvent>(
  events: AsyncIterable<Event>,
  { thoughts = 'hidden' }: { readonly thoughts?: 'hidden' | 'shown' } = {},
): AsyncGenerator<Event | Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>> {
  const held: Event[] = []
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'tool-call-delta') continue
    if (REASONING.has(event.type) && thoughts === 'hidden') continue
    if (event.type === 'text-as-reasoning') {
      yield { type: 'reasoning-delta', text: event.text } // its text was withheld above
      continue
    }
    if (event.type === 'tool-call' || event.type === 'citation') {
      held.push(event)
      continue
    }
    if (event.type === 'finish' && event.result.text !== '')
      yield { type: 'text-delta', text: event.result.text }
    yield* held.splice(0)
    yield event
  }
}
