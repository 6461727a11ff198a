import type { AnswerEvent } from '../agent/answer.ts'
import { AppError } from '../errors.ts'

/** What fails before anything was said is an error with a status, as without a stream. */
export async function firstEvent(events: AsyncGenerator<AnswerEvent>): Promise<AnswerEvent> {
  const { value, done } = await events.next()
  if (done) throw new AppError('internal', 'The agent ended without an answer.')
  return value
}
