import type { RunOptions } from '../agent/agent.ts'
import type { Effort } from '../agent/groundings/research.ts'
import type { Message } from '../agent/message.ts'
import type { Filter } from '../search/filter.ts'
import type { HybridWeights } from '../search/searcher.ts'
import type { IndexEvent } from './indexing/index-documents.ts'

export type AskOptions = {
  readonly question: string
  /** The name of who asks, for the model. */
  readonly asker?: string | undefined
  /** Names or ids; the default collection when there are none. */
  readonly collections?: readonly string[] | undefined
  /** Answer from these files only; nothing is added to any list. */
  readonly files?: readonly string[] | undefined
  /** Answer from these uploaded files too, or from them only where no collections are named. */
  readonly fileIds?: readonly string[] | undefined
  /** Only these documents of the collections: ids, sources or base names. */
  readonly documents?: readonly string[] | undefined
  /** The conversation so far, oldest first. */
  readonly history?: readonly Message[] | undefined
  /** Another model of the configured server. */
  readonly model?: string | undefined
  /** Quote instead of asking a model, though one is configured. */
  readonly extractive?: boolean | undefined
  /** Search with precise ranking. */
  readonly precise?: boolean | undefined
  /** How sure an answer has to be, 0 to 1, in place of the setting. */
  readonly strictness?: number | undefined
  /** The model alone: no documents are looked at. */
  readonly plain?: boolean | undefined
  /** Have a model take the question apart, search for its parts, and check its draft: how often, and for how many. */
  readonly effort?: Effort | undefined
  /** Maximum number of hits of one search. */
  readonly limit?: number | undefined
  /** Minimum `confidence` of a hit, from 0 to 1. */
  readonly minScore?: number | undefined
  readonly filter?: Filter | undefined
  /** Of hybrid search, in place of the setting. */
  readonly weights?: HybridWeights | undefined
  /** Which tools of the configured MCP servers a model may call: all, those that only read, or none. */
  readonly outsideTools?: 'all' | 'read-only' | 'none' | undefined
  /** What came after the question: calls of the caller's tools, and what they gave. */
  readonly turn?: readonly Message[] | undefined
  /** What was decided of the calls at the end of `turn`, by their ids: those are made first. */
  readonly approvals?: RunOptions['approvals']
  /** Of an answer that is gone on with: what was searched for and found until then. */
  readonly found?: RunOptions['found']
  /** One of `conversations.skills`: tools and instructions. */
  readonly skill?: number | undefined
  /** Calls of tools in `conversations.approve` wait for somebody's approval; where nobody can give it they are refused. */
  readonly canApprove?: boolean | undefined
  readonly callerTools?: RunOptions['callerTools']
  readonly toolChoice?: RunOptions['toolChoice']
  readonly config?: RunOptions['config']
  /** How often a model may search beyond the first time, roughly: calls that it makes at once count as one. */
  readonly maxToolCalls?: number | undefined
  /** The id of a conversation that is kept: this is its next turn. `new` begins one. */
  readonly conversation?: string | undefined
  /** Of an answer that somebody else keeps: the name of what its tools keep, in place of `conversation`. */
  readonly within?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onIndex?: ((event: IndexEvent) => void) | undefined
}

/** Options of a question in a conversation, which adds the others. */
export type TurnOptions = Omit<
  AskOptions,
  'signal' | 'history' | 'turn' | 'approvals' | 'found' | 'conversation' | 'within'
>
