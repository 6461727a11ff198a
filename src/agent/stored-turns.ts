import { AppError } from '../errors.ts'
import type { AgentEvent } from './event.ts'
import type { FoundBefore } from './grounding.ts'
import type { Message } from './message.ts'

type Approvals = Readonly<Record<string, boolean>> | undefined

export type TurnContext = {
  readonly messages: readonly Message[]
  readonly approvals?: Approvals
  readonly found?: FoundBefore
  readonly signal: AbortSignal
  readonly conversation: string
}

export type TurnAnswerer = {
  /** Without it, the last answer is resumed where it was interrupted. */
  readonly content?: Message['content'] | undefined
  readonly answer: (context: TurnContext) => AsyncGenerator<AgentEvent>
}

/** Writes events first, so that any process can resume an answer. */
export type StoredTurns = {
  /** Takes the id or `new`. Breaking out of the loop stops the turn. */
  answerForAgent(
    conversation: string,
    agent: TurnAnswerer,
    options: { readonly approvals?: Approvals; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<AgentEvent>
}

type TurnOptions = {
  readonly approvals?: Approvals
  readonly callerTools?: readonly unknown[] | undefined
}

/** Throws `invalid_input` for options that stored conversations lack. */
export function requireTurnInput(
  messages: readonly Message[],
  { approvals, callerTools = [] }: TurnOptions,
): Message['content'] | undefined {
  const [question, ...others] = messages
  const refuse = (message: string) => new AppError('invalid_input', message)
  if (others.length > 0 || (question && question.role !== 'user'))
    throw refuse(
      'A stored conversation already has its earlier messages: pass run() only the new question, as one user message.',
    )
  if (question && question.content.length === 0)
    throw refuse('The question is empty. Provide text or a file.')
  if (question && approvals)
    throw refuse(
      'approvals resume an interrupted answer: give run() no question, as in run([], { conversation, approvals }).',
    )
  if (callerTools.length > 0)
    throw refuse(
      'A run of a stored conversation cannot end in a call of callerTools: give the agent tools that it runs itself.',
    )
  return question?.content
}
