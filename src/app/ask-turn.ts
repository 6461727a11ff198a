import type { AgentEvent } from '../agent/event.ts'
import { requireQuestion } from '../agent/message.ts'
import type { TurnContext } from '../conversations/next-turn.ts'
import type { ConversationService } from '../conversations/service.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { AskOptions, TurnOptions } from './ask-options.ts'

/** Throws `invalid_input` for options that do not apply to turns. */
export async function* askTurn(
  conversations: ConversationService<TurnOptions>,
  conversation: string,
  { signal, history, turn, approvals, found, callerTools, model, ...stored }: AskOptions,
  context: TurnContext = {},
): AsyncGenerator<AgentEvent> {
  const isNamed = typeof model !== 'object'
  const refused = Object.entries({
    history,
    turn,
    approvals,
    found,
    callerTools,
    'a model that is no name': isNamed ? undefined : model,
  }).find(([, value]) => value !== undefined)
  if (refused)
    throw new AppError(
      'invalid_input',
      localizable`${refused[0]} cannot be combined with a stored conversation.`,
    )
  requireQuestion(stored.question)
  yield* conversations.follow(
    await conversations.ask({ ...stored, ...(isNamed && { model }) }, conversation, context),
    signal,
  )
}
