import type { ContentItem } from '../agent/content-item.ts'
import type { NewItem } from '../agent/conversations/items.ts'
import type { Run, RunRequest } from '../agent/conversations/runs.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { TurnAgent } from '../agent/kept-turns.ts'
import type { Failure } from '../errors.ts'
import type { Statements } from '../ingest/catalog.ts'
import type { AskOptions } from './ask-options.ts'
import type { InterruptedTurn } from './resuming.ts'

/** A question that is asked, and how it is answered. */
export type NewTurn = {
  /** Of the run, as `newId` makes it. */
  readonly id: string
  /** Undefined for an answer that belongs to no conversation. */
  readonly conversationId?: string | undefined
  readonly question: string
  /** What it adds to the conversation before it is answered. */
  readonly items: readonly NewItem[]
  readonly request: RunRequest
  /** The run that it goes on from, which has to be the last one. */
  readonly resumes?: string
  /** Throws what goes wrong. */
  readonly events: (signal: AbortSignal) => AsyncIterable<AgentEvent>
  /** What may be read of a failure afterwards; who runs the service is told of the rest here. */
  readonly failureOf: (error: unknown) => Failure
  /** Told of every event before it can be read, and of the end, so that nobody hears of what is not kept. */
  readonly onEvent?: (event: AgentEvent, at: number) => void
  /** Done in the transaction that completes the run. */
  readonly onComplete?: (inside: Statements) => Promise<void>
  /** `isWithdrawn`: a guardrail took something of it back. */
  readonly onEnd?: (run: Run, isWithdrawn: boolean) => Promise<void>
  /** Who asks, for the hooks; and whether they may still do so. */
  readonly asker?: Asker | undefined
  /** Calls that the run makes first, and that are to be paid for. */
  readonly pending?: InterruptedTurn['unpaid']
  /** An item as it is to be kept, where a face adds to what it shows. */
  readonly toItem?: ((item: NewItem) => NewItem) | undefined
}

/** Who asks, as the hooks are told; with a key that is not valid any more a run does not go on. */
export type Asker = {
  readonly tenant: string
  readonly key?: string | undefined
  readonly isAdmitted: () => Promise<boolean>
}

export const OPERATOR: Asker = { tenant: 'default', isAdmitted: async () => true }

/** How a question is asked in a conversation, which knows what was said before. */
export type TurnOptions = Omit<
  AskOptions,
  'signal' | 'history' | 'turn' | 'approvals' | 'found' | 'conversation' | 'within'
>

/** Who begins a turn, and how it is told of. */
export type TurnContext = Pick<NewTurn, 'asker'> & {
  readonly failureOf?: NewTurn['failureOf']
  /** What a face adds to the message that asks, or to the status that resumes. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** What is shown with the question. */
  readonly media?: readonly ContentItem[]
  /** The first turn that this one takes the place of, with those after it. */
  readonly replaces?: number | undefined
  /** Read by the face that gives it. */
  readonly shown?: RunRequest['shown']
  /** Answers in place of `ask`. */
  readonly agent?: TurnAgent | undefined
}

export type ResumeOptions = TurnContext &
  Pick<AskOptions, 'outsideTools'> & {
    /** What was decided of the calls that wait for approval, by their ids. */
    readonly approvals?: Readonly<Record<string, boolean>> | undefined
    /** The id of the status that interrupted it, where whoever asks names one. */
    readonly interruption?: string | undefined
  }
