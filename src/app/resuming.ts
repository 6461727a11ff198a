import type { Item } from '../agent/conversations/items.ts'
import { toMessages } from '../agent/conversations/items.ts'
import type { Run } from '../agent/conversations/runs.ts'
import type { Message } from '../agent/message.ts'
import { textContent } from '../agent/message.ts'
import { searchToolName } from '../agent/tools/search.ts'
import { AppError } from '../errors.ts'

/** Told to the model of a call that nobody knows the end of: whether it may be made again is for the user to say. */
const UNKNOWN_END =
  'The answer was interrupted while this call was under way, and it is not known whether it was carried out. It was not made again. Ask the user before you do.'

/** Where a turn was interrupted: what was asked, and what had been called and found. */
export type InterruptedTurn = { readonly question: string; readonly turn: readonly Message[] }

/** Throws `invalid_input` for a run that was not interrupted. */
export function requireInterrupted(run: Run | undefined, conversationId: string): Run {
  if (run?.status === 'stopped') return run
  if (run?.status === 'failed' && run.failure?.code === 'cancelled') return run
  const what = run?.status === 'in_progress' ? 'is under way' : 'was not interrupted'
  const message = `The last answer of the conversation ${conversationId} ${what}: there is nothing to resume.`
  throw new AppError('invalid_input', message)
}

/**
 * What a model is told so that it goes on from there: calls that were answered are not made again; one that only reads and
 * was not answered is left out, so that the model makes it once more.
 */
export function interruptedTurn(items: readonly Item[]): InterruptedTurn {
  const asked = items.filter(item => item.kind === 'message' && item.role === 'user')
  const answered = new Set(items.flatMap(item => (item.kind === 'result' ? [item.callId] : [])))
  const turn = items.flatMap((item): readonly Message[] => {
    if (item.kind === 'message') return item.role === 'assistant' && !item.isIncomplete ? toMessages([item]) : []
    if (item.kind !== 'call' || answered.has(item.callId)) return toMessages([item], { calls: 'all' })
    if (item.name === searchToolName([])) return []
    const result: Message = { role: 'function', name: item.name, functionId: item.callId, content: UNKNOWN_END }
    return [...toMessages([item], { calls: 'all' }), result]
  })
  return { question: asked.map(item => textContent(item as { content: Message['content'] })).join('\n\n'), turn }
}
