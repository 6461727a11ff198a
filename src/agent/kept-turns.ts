import { AppError } from '../errors.ts'
import type { AgentEvent } from './event.ts'
import type { FoundBefore } from './grounding.ts'
import type { Message } from './message.ts'

/** Decisions on calls that wait for approval, by their ids. */
type Approvals = Readonly<Record<string, boolean>> | undefined

/** Input from which a turn of a stored conversation is answered. */
export type SaidBefore = {
  /** Conversation so far, including the beginning of a resumed answer. */
  readonly messages: readonly Message[]
  readonly approvals?: Approvals
  /** Searches and hits of a resumed answer. */
  readonly found?: FoundBefore
  readonly signal: AbortSignal
  /** Id of the conversation. */
  readonly conversation: string
}

/** Answers a turn. */
export type TurnAgent = {
  /** New question. Without it, the last answer is resumed where it was interrupted. */
  readonly content?: Message['content'] | undefined
  readonly answer: (said: SaidBefore) => AsyncGenerator<AgentEvent>
}

/** Stores conversations. Events are written before they are emitted, so that any process can resume an answer. */
export type KeptTurns = {
  /** Answers the next turn of a conversation, by its id or `new`. Breaking out of the loop stops the turn. */
  answer(
    conversation: string,
    agent: TurnAgent,
    how: { readonly approvals?: Approvals; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<AgentEvent>
}

type TurnOptions = {
  readonly approvals?: Approvals
  /** Tools that the caller would run. */
  readonly callerTools?: readonly unknown[] | undefined
}

/** Returns the content of a turn. Throws `invalid_input` for input that a stored conversation cannot take. */
export function requireTurnInput(
  given: readonly Message[],
  { approvals, callerTools = [] }: TurnOptions,
): Message['content'] | undefined {
  const [asked, ...more] = given
  const refuse = (message: string) => new AppError('invalid_input', message)
  if (more.length > 0 || (asked && asked.role !== 'user'))
    throw refuse(
      'A stored conversation already has its earlier messages: give run() only the new question, as one message of the user.',
    )
  if (asked && asked.content.length === 0)
    throw refuse('The question is empty: give it text, or a file.')
  if (asked && approvals)
    throw refuse(
      'approvals resume an interrupted answer: give run() no question, as in run([], { conversation, approvals }).',
    )
  if (callerTools.length > 0)
    throw refuse(
      'A run of a stored conversation cannot end in a call of callerTools: give the agent tools that it runs itself.',
    )
  return asked?.content
}
