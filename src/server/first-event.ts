import type { AgentEvent } from '../agent/answer.ts'
import { AppError } from '../errors.ts'

/** What fails before anything was said is an error with a status, as without a stream. */
export async function firstEvent(events: AsyncGenerator<AgentEvent>): Promise<AgentEvent> {
  const { value, done } = await events.next()
  if (done) throw new AppError('internal', 'The agent ended without an answer.')
  if (value.type === 'error') throw new AppError(value.failure.code, value.failure.message)
  return value
}
