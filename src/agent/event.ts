import type { Citation, ToolCitation } from '../answer/citations/citation.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { Message } from './message.ts'
import type { FinishReason, TextAsReasoning, ToolCall, ToolCallDelta } from './model.ts'
import type { ReasoningOrigin } from './reasoning.ts'
import type { Usage } from './usage.ts'

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
export function cutOf({ finishReason: reason }: Pick<AgentResult, 'finishReason'>) {
  return reason === 'length' || reason === 'content-filter' || isLimit(reason) ? reason : undefined
}
