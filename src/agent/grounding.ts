import type { Citation, ToolCitation } from '../answer/citations/citation.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { Language } from '../text/language.ts'
import type { AgentEvent, CitablePlace } from './event.ts'
import type { LoopEnd, LoopEvent } from './loop.ts'
import type { Message } from './message.ts'
import type { Cite, Tool, ToolRun } from './tool.ts'

/** Knowledge that is looked up first, and against which the answer is checked. */
export interface Grounding {
  start(run: GroundedRun): AsyncGenerator<AgentEvent, Ground>
}

export type GroundedRun = {
  readonly messages: readonly Message[]
  /** Turns as searches use them, without the names of speakers. */
  readonly spoken: readonly Message[]
  readonly language: Language
  readonly usedToolNames: readonly string[]
  /** Markers cannot stand in the answer. */
  readonly isJson: boolean
  readonly found?: FoundBefore | undefined
  readonly signal?: AbortSignal | undefined
}

export type FoundBefore = {
  readonly first: readonly Search[]
  /** Keyed by source number, because parallel calls have no order. */
  readonly numberedParts: readonly NumberedPart[]
}

type NumberedPart = { readonly number: number; readonly part: Hit | CitablePlace }

export type Search = { readonly query: string; readonly hits: readonly Hit[] }

export type Ground = {
  /** Default: the entire conversation. */
  readonly messages?: readonly Message[]
  readonly system: (hasOtherTools: boolean) => string
  readonly tools?: readonly Tool[]
  readonly cite?: Cite
  readonly adopt?: ToolRun['adopt']
  /** Filters steps that are shown before the check. */
  readonly filter?: (events: AsyncIterable<LoopEvent>) => AsyncIterable<LoopEvent>
  /** Returns the request to rewrite a draft, if any. */
  readonly review?: (draft: LoopEnd) => AsyncGenerator<LoopEvent, string | undefined>
  readonly check?: (end: LoopEnd) => AsyncGenerator<AgentEvent, CheckedText>
  readonly isTextWithheld?: boolean
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
