import type { Item, StatusCode } from '../agent/conversations/items.ts'
import { toMessages } from '../agent/conversations/items.ts'
import type { Run, RunRequest } from '../agent/conversations/runs.ts'
import type { Message } from '../agent/message.ts'
import { searchToolName } from '../agent/tools/search.ts'
import { AppError } from '../errors.ts'

/** Told to the model of a call that nobody knows the end of: whether it may be made again is for the user to say. */
const UNKNOWN_END =
  'The answer was interrupted while this call was under way, and it is not known whether it was carried out. It was not made again. Ask the user before you do.'

/** What an answer that was stopped by it can be gone on from. */
const RESUMABLE: ReadonlySet<StatusCode> = new Set(['stopped', 'interrupted', 'credits', 'expired', 'approval'])

type Status = Extract<Item, { kind: 'status' }>

/** A call that was told and never begun. */
type PendingCall = { readonly id: string; readonly name: string }

/** Where a turn was interrupted: what was asked, what had been called and found, and what is to be called first. */
export type InterruptedTurn = {
  readonly asked: readonly Message[]
  readonly turn: readonly Message[]
  readonly pending: readonly PendingCall[]
}

/** What stopped the last answer, by the items of its turn. Throws `invalid_input` where nothing did that can be gone on from. */
export function interruptionOf(run: Run | undefined, items: readonly Item[], conversationId: string): Status {
  const last = items.findLast(item => item.kind !== 'status' || item.code !== 'warning')
  const status = last?.kind === 'status' ? last : undefined
  if (run && run.status !== 'in_progress' && status && RESUMABLE.has(status.code)) return status
  const message = `The last answer of the conversation ${conversationId} ${whyNot(run, status)}: there is nothing to resume.`
  throw new AppError('invalid_input', message)
}

function whyNot(run: Run | undefined, status: Status | undefined): string {
  if (run?.status === 'in_progress') return 'is under way'
  if (status?.code === 'limit') return 'reached its limit of model calls'
  return status?.code === 'revoked' ? 'was withdrawn' : 'was not interrupted'
}

/**
 * What a model is told so that it goes on from there: calls that were answered are not made again; those that never began are
 * made; one that only reads and was not answered is left out, so that the model makes it once more.
 */
export function interruptedTurn(items: readonly Item[], { extra }: Pick<Status, 'extra'>): InterruptedTurn {
  const asked = items.filter(item => item.kind === 'message' && item.role === 'user')
  const answered = new Set(items.flatMap(item => (item.kind === 'result' ? [item.callId] : [])))
  const unbegun = new Set((extra?.pending ?? []) as readonly string[]) // the guard and the end of a run write them
  const calls = items.flatMap(item => (item.kind === 'call' && !answered.has(item.callId) ? [item] : []))
  const pending = calls.filter(({ callId }) => unbegun.has(callId)).map(({ callId: id, name }) => ({ id, name }))
  const turn = items.flatMap((item): readonly Message[] => {
    if (item.kind === 'message') return item.role === 'assistant' && !item.isIncomplete ? toMessages([item]) : []
    const isOpen = item.kind === 'call' && !answered.has(item.callId)
    if (!isOpen || unbegun.has(item.callId)) return toMessages([item], { calls: 'all' })
    if (item.name === searchToolName([])) return []
    const result: Message = { role: 'function', name: item.name, functionId: item.callId, content: UNKNOWN_END }
    return [...toMessages([item], { calls: 'all' }), result]
  })
  return { asked: toMessages(asked), turn, pending }
}

/** Throws for one whose tools and input nobody kept. */
export function requireAsked(runId: string, request: RunRequest): RunRequest {
  if (request.asked) return request
  const message = `The answer ${runId} was made by an agent of a program or for a request to /v1/responses: go on with it there.`
  throw new AppError('invalid_input', message)
}

/** What is to become of each pending call: those that only never began are made. Throws `invalid_input` for one that waits for a decision. */
export function decisionsOn(
  pending: readonly { readonly id: string }[],
  areWaiting: boolean,
  approvals: Readonly<Record<string, boolean>> = {},
): Readonly<Record<string, boolean>> {
  if (!areWaiting) return Object.fromEntries(pending.map(({ id }) => [id, true]))
  const open = pending.filter(({ id }) => approvals[id] === undefined)
  if (open.length === 0) return approvals
  const message = `Calls wait for approval: ${open.map(({ id }) => id).join(', ')}. Say of each whether it may be made.`
  throw new AppError('invalid_input', message)
}
