import type { Citation, ToolCitation } from '../answer/citations/citation.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Hit } from '../search/searcher.ts'
import type { Language } from '../text/language.ts'
import type { AgentEvent, CitablePlace } from './event.ts'
import type { LoopEnd, LoopEvent } from './loop.ts'
import type { Message } from './message.ts'
import type { Cite, Tool } from './tool.ts'

/** What an agent answers from: looked up before the model is asked, and held against what it says. */
export interface Grounding {
  /** Tells what it looks up, and gives what the run rests on. */
  begin(run: GroundedRun): AsyncGenerator<AgentEvent, Ground>
}

/** One run, as its grounding sees it. */
export type GroundedRun = {
  readonly messages: readonly Message[]
  readonly language: Language
  /** Names that tools of the run have. */
  readonly taken: readonly string[]
  /** The answer is to be JSON, in which no marker can stand. */
  readonly isJson: boolean
  /** Of an answer that is gone on with: what was searched for and found until then. */
  readonly found?: FoundBefore | undefined
  readonly signal?: AbortSignal | undefined
}

export type FoundBefore = {
  /** Before the model was first asked. */
  readonly first: readonly Search[]
  /** All that the model was shown, with the number of the source that it is part of: calls run side by side, so their order says nothing. */
  readonly shown: readonly NumberedPart[]
}

type NumberedPart = { readonly number: number; readonly part: Hit | CitablePlace }

/** What was looked for, and what was found. */
export type Search = { readonly query: string; readonly hits: readonly Hit[] }

export type Ground = {
  /** Of the conversation, what is sent; all of it when absent. */
  readonly messages?: readonly Message[]
  /** For the system message. */
  readonly system: (hasOtherTools: boolean) => string
  /** With which the model looks up more. */
  readonly tools?: readonly Tool[]
  /** Takes what other tools find among the sources that may be cited. */
  readonly cite?: Cite
  /** The steps of the loop as they may be shown before the answer was checked. */
  readonly shown?: (events: AsyncIterable<LoopEvent>) => AsyncIterable<LoopEvent>
  /** Looks a draft over: what the model is told to write it again by, or nothing where it is good enough. */
  readonly review?: (draft: LoopEnd) => AsyncGenerator<LoopEvent, string | undefined>
  /** Holds the last text against what the model was given. */
  readonly check?: (end: LoopEnd) => AsyncGenerator<AgentEvent, CheckedText>
  /** Nothing of the answer is told before it was checked. */
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
