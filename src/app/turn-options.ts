import type { ContentItem } from '../agent/content-item.ts'
import type { TurnAgent } from '../agent/kept-turns.ts'
import type { RunRequest } from '../conversations/runs.ts'
import type { AskOptions } from './ask-options.ts'
import type { NewTurn } from './turn-work.ts'

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
