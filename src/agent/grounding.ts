import type { Citation, ToolCitation } from '../answer/citations/citation.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { Language } from '../text/language.ts'
import type { AgentEvent, CitablePlace } from './event.ts'
import type { LoopEnd, LoopEvent } from './loop.ts'
import type { Message } from './message.ts'
import type { Cite, Tool } from './tool.ts'

/** Knowledge that is looked up before the model is queried, and against which its answer is checked. */
export interface Grounding {
  /** Emits its searches and returns the ground of the run. */
  begin(run: GroundedRun): AsyncGenerator<AgentEvent, Ground>
}

/** One run, as its grounding sees it. */
export type GroundedRun = {
  readonly messages: readonly Message[]
  readonly language: Language
  /** Names of the tools of the run. */
  readonly taken: readonly string[]
  /** The answer is to be JSON, in which no marker can stand. */
  readonly isJson: boolean
  /** Searches and hits of a resumed answer. */
  readonly found?: FoundBefore | undefined
  readonly signal?: AbortSignal | undefined
}

export type FoundBefore = {
  /** Searches before the first model call. */
  readonly first: readonly Search[]
  /**
   * Everything that the model was shown, by source number, because parallel calls have no
   * order.
   */
  readonly shown: readonly NumberedPart[]
}

type NumberedPart = { readonly number: number; readonly part: Hit | CitablePlace }

/** Query and its hits. */
export type Search = { readonly query: string; readonly hits: readonly Hit[] }

export type Ground = {
  /** Messages to send; the entire conversation by default. */
  readonly messages?: readonly Message[]
  /** Returns the text for the system message. */
  readonly system: (hasOtherTools: boolean) => string
  /** Tools with which the model searches further. */
  readonly tools?: readonly Tool[]
  /** Adds places that other tools find to the sources. */
  readonly cite?: Cite
  /** Filters the steps that are shown before the answer is checked. */
  readonly shown?: (events: AsyncIterable<LoopEvent>) => AsyncIterable<LoopEvent>
  /** Reviews a draft. Returns the request to rewrite it, or undefined if it is good enough. */
  readonly review?: (draft: LoopEnd) => AsyncGenerator<LoopEvent, string | undefined>
  /** Checks the last text against the sources. */
  readonly check?: (end: LoopEnd) => AsyncGenerator<AgentEvent, CheckedText>
  /** Whether the answer is withheld until it is checked. */
  readonly isHeld?: boolean
  readonly warnings?: readonly Warning[]
}

export type CheckedText = {
  readonly text: string
  readonly citations: readonly Citation[]
  readonly toolCitations?: readonly ToolCitation[]
  readonly unsupported: readonly string[]
  readonly unconfirmed?: readonly string[]
  readonly abstained: boolean
  readonly warnings: readonly Warning[]
}
