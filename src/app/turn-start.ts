import { isRunUnderWay } from '../conversations/background-runs.ts'
import { Conversations } from '../conversations/conversations.ts'
import { endRun, leftBehind } from '../conversations/run-ending.ts'
import { type Run, Runs } from '../conversations/runs.ts'
import { AppError } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import type { NewTurn } from './turn-work.ts'

/** A turn with what was asked, as one under way. Throws `conflict` while another is, `too_large` and `not_found`. */
export async function writeTurn(
  inside: Statements,
  asked: NewTurn,
  maxBytes: number,
): Promise<Run> {
  const { id, conversationId, question, items, request, resumes } = asked
  const [conversations, runs] = [new Conversations(inside), new Runs(inside)]
  if (conversationId === undefined) {
    const run = await runs.begin({ id, turn: 0, request })
    await runs.addEvents(id, [{ event: { type: 'start', question }, at: Date.now() }])
    return run
  }
  await requireIdle(inside, conversationId)
  if (resumes !== undefined && (await runs.last(conversationId))?.id !== resumes) {
    throw new AppError('conflict', 'This answer was resumed already.')
  }
  await conversations.requireRoom(conversationId, maxBytes)
  await conversations.write(conversationId, items)
  const { turns: turn } = await conversations.get(conversationId)
  const run = await runs.begin({ id, conversationId, turn, request })
  await conversations.count(conversationId, await runs.requestBytes(id))
  const event = { type: 'start', question, conversation: conversationId, turn } as const
  await runs.addEvents(id, [{ event, at: Date.now() }])
  return run
}

/** Nobody begins another meanwhile. Throws `conflict`; a run that was left behind is brought to its end. */
export async function requireIdle(inside: Statements, conversationId: string): Promise<void> {
  const last = await new Runs(inside).last(conversationId)
  if (last?.status !== 'in_progress') return
  if (await isRunUnderWay(inside, last.id)) {
    const message = `Turn ${last.turn} of the conversation ${conversationId} is under way. Wait for its end, or stop it.`
    throw new AppError('conflict', message)
  }
  await endRun(inside, last, leftBehind(last, await new Runs(inside).request(last.id)))
}
