import type { AgentEvent } from './event.ts'
import type { FoundBefore } from './grounding.ts'
import type { Message } from './message.ts'

/** What was decided of calls that wait for approval, by their ids. */
type Approvals = Readonly<Record<string, boolean>> | undefined

/** What a turn of a kept conversation is answered from. */
export type SaidBefore = {
  /** The conversation, and of an answer that is gone on with, what came of it until then. */
  readonly messages: readonly Message[]
  readonly approvals?: Approvals
  /** What was searched for and found for it until then. */
  readonly found?: FoundBefore
  readonly signal: AbortSignal
  /** Its id. */
  readonly conversation: string
}

/** Answers a turn; only with it can its answer be gone on with. */
export type TurnAgent = {
  /** What is asked; without it, the last answer is gone on with where it was interrupted. */
  readonly content?: Message['content'] | undefined
  readonly answer: (said: SaidBefore) => AsyncGenerator<AgentEvent>
}

/** Keeps what agents say in conversations, written down before it is told, so that any process can go on with it. */
export type KeptTurns = {
  /** The next turn of a conversation, by its id or `new`. Whoever leaves before the end stops it. */
  answer(
    conversation: string,
    agent: TurnAgent,
    how: { readonly approvals?: Approvals; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<AgentEvent>
}
