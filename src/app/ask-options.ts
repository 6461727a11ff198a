import type { RunOptions } from '../agent/agent.ts'
import type { Effort } from '../agent/groundings/research.ts'
import type { Message } from '../agent/message.ts'
import type { Filter } from '../search/filter.ts'
import type { HybridWeights } from '../search/searcher.ts'
import type { ModelChoice } from './chat-models.ts'
import type { IndexEvent } from './indexing/index-documents.ts'

export type AskOptions<Model extends ModelChoice = ModelChoice> = {
  readonly question: string
  readonly asker?: string | undefined
  /** Names or ids; by default the default collection. */
  readonly collections?: readonly string[] | undefined
  /** Answers from these files only, without adding them to a collection. */
  readonly files?: readonly string[] | undefined
  /** Uploads to answer from; only these if no collections are named. */
  readonly fileIds?: readonly string[] | undefined
  readonly documents?: readonly string[] | undefined
  /** Oldest first. */
  readonly history?: readonly Message[] | undefined
  readonly model?: Model | undefined
  /** Quotes although a model is configured. */
  readonly extractive?: boolean | undefined
  readonly precise?: boolean | undefined
  /** Required certainty, 0 to 1. */
  readonly strictness?: number | undefined
  /** Maximum share of wrong answers without a model and of wrong confirmed sentences. */
  readonly maxRisk?: number | undefined
  readonly plain?: boolean | undefined
  /** Splits the question, searches for its parts, and checks drafts. */
  readonly effort?: Effort | undefined
  /** Hits of one search. */
  readonly limit?: number | undefined
  /** Minimum `confidence` of a hit, from 0 to 1. */
  readonly minScore?: number | undefined
  readonly filter?: Filter | undefined
  readonly weights?: HybridWeights | undefined
  /** Tools of configured MCP servers that the model may call. */
  readonly outsideTools?: 'all' | 'read-only' | 'none' | undefined
  /** Calls of the caller's tools and their results. */
  readonly turn?: readonly Message[] | undefined
  /** Decisions about calls at the end of `turn`, by id. */
  readonly approvals?: RunOptions['approvals']
  /** @internal */
  readonly found?: RunOptions['found']
  readonly skill?: number | undefined
  /** Lets calls in `conversations.approve` wait; otherwise they are refused. */
  readonly canApprove?: boolean | undefined
  readonly callerTools?: RunOptions['callerTools']
  readonly toolChoice?: RunOptions['toolChoice']
  readonly config?: RunOptions['config']
  /** Approximate limit of searches after the first; parallel calls count as one. */
  readonly maxToolCalls?: number | undefined
  /** Id of a stored conversation, or `new`. */
  readonly conversation?: string | undefined
  /** Name for tools' storage in an answer that the caller stores. @internal */
  readonly within?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onIndex?: ((event: IndexEvent) => void) | undefined
}

export type TurnOptions = Omit<
  AskOptions<string>,
  'signal' | 'history' | 'turn' | 'approvals' | 'found' | 'conversation' | 'within'
>
