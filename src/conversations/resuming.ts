import type { FoundBefore, Search } from '../agent/grounding.ts'
import type { Message } from '../agent/message.ts'
import { findDecision } from '../agent/tool-use.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Item, StatusCode } from './items.ts'
import { toMessages } from './items.ts'
import type { Run, RunEvent, RunRequest } from './runs.ts'

/** Outcome for the model; the user decides about a repetition. */
const UNKNOWN_END =
  'The answer was interrupted while this call was under way, and it is not known whether it was carried out. It was not made again. Ask the user before you do.'

/** Statuses after which an answer can be resumed. */
const RESUMABLE: ReadonlySet<StatusCode> = new Set([
  'stopped',
  'interrupted',
  'credits',
  'expired',
  'approval',
])

type Status = Extract<Item, { kind: 'status' }>

type PendingCall = { readonly id: string; readonly name: string }

export type InterruptedTurn = {
  readonly userMessages: readonly Message[]
  readonly turn: readonly Message[]
  readonly pending: readonly PendingCall[]
  readonly unpaid: readonly PendingCall[]
}

type Resumption = {
  readonly conversationId: string
  /** Id of the interruption that the caller names. */
  readonly named?: string | undefined
}

/** Throws `invalid_input` if nothing can be resumed, or another interruption was named. */
export function findInterruption(
  run: Run | undefined,
  items: readonly Item[],
  { conversationId, named }: Resumption,
): { readonly run: Run; readonly status: Status } {
  const last = items.findLast(item => !isBeside(item))
  const status = last?.kind === 'status' ? last : undefined
  if (run && run.status !== 'in_progress' && status && RESUMABLE.has(status.code)) {
    if (named === undefined || named === status.id) return { run, status }
    const other = localizable`a later question followed it. The last answer was interrupted by ${status.id}: resume that.`
    throw new AppError(
      'invalid_input',
      localizable`The answer that ${named} interrupted is not the last one: ${other}`,
    )
  }
  const message = localizable`The last answer of the conversation ${conversationId} ${explainRefusal(run, status)}: there is nothing to resume.`
  throw new AppError('invalid_input', message)
}

function isBeside(item: Item): boolean {
  if (item.kind === 'status') return item.code === 'warning'
  return item.kind === 'message' && isInstruction(item)
}

function isInstruction({ role }: Extract<Item, { kind: 'message' }>): boolean {
  return role === 'system' || role === 'developer'
}

function explainRefusal(run: Run | undefined, status: Status | undefined): string {
  if (run?.status === 'in_progress') return 'is under way'
  if (status?.code === 'limit') return 'reached its limit of model calls'
  return status?.code === 'revoked' ? 'was withdrawn' : 'was not interrupted'
}

/**
 * Repeats no answered calls, makes those that never started, and repeats repeatable ones
 * without a result.
 */
export function readInterruptedTurn(
  items: readonly Item[],
  { extra }: Pick<Status, 'extra'>,
): InterruptedTurn {
  const userMessages = items.filter(item => item.kind === 'message' && item.role === 'user')
  const answered = new Set(items.flatMap(item => (item.kind === 'result' ? [item.callId] : [])))
  const notStarted = new Set(readPending({ extra }))
  const paid = new Set(readPaid({ extra }))
  const calls = items.flatMap(item =>
    item.kind === 'call' && !answered.has(item.callId) ? [item] : [],
  )
  const isPending = ({ callId, mayRepeat }: (typeof calls)[number]) =>
    mayRepeat || notStarted.has(callId)
  const pending = calls.filter(isPending).map(({ callId: id, name }) => ({ id, name }))
  const uncertain = calls.filter(call => !isPending(call))
  const instructions = items.filter(item => item.kind === 'message' && isInstruction(item))
  const turn = [...toMessages(instructions), ...toTurnMessages(items, new Set(uncertain))]
  return {
    userMessages: toMessages(userMessages),
    turn,
    pending,
    unpaid: pending.filter(({ id }) => !paid.has(id)),
  }
}

/** Adds the unknown outcome after calls made together. */
function toTurnMessages(items: readonly Item[], uncertain: ReadonlySet<Item>): readonly Message[] {
  const turn: Message[] = []
  const ends: Message[] = []
  for (const [index, item] of items.entries()) {
    if (item.kind === 'message' && (item.role !== 'assistant' || item.isIncomplete)) continue
    const messages = toMessages(
      items.slice(isThought(items[index - 1]) ? index - 1 : index, index + 1),
      { calls: 'all' },
    )
    if (item.kind !== 'call' && messages.length > 0) turn.push(...ends.splice(0))
    turn.push(...messages)
    if (uncertain.has(item) && item.kind === 'call')
      ends.push({
        role: 'function',
        name: item.name,
        functionId: item.callId,
        content: UNKNOWN_END,
      })
  }
  return [...turn, ...ends]
}

function isThought(item: Item | undefined): boolean {
  return item?.kind === 'reasoning'
}

export async function collectFindings(events: AsyncIterable<RunEvent>): Promise<FoundBefore> {
  const first: Search[] = []
  const numberedParts: FoundBefore['numberedParts'][number][] = []
  let isFresh = false
  let hasStarted = false
  for await (const event of events) {
    if (event.type === 'start') {
      isFresh = true
      hasStarted = false
    }
    hasStarted ||= MODEL_EVENTS.has(event.type)
    const isFirst = !hasStarted && (event.type === 'retrieval' || event.type === 'overview')
    if (isFirst && isFresh) {
      for (const before of [first, numberedParts]) before.length = 0 // a later run searched again
      isFresh = false
    }
    if (isFirst && event.type === 'retrieval') first.push({ query: event.query, hits: event.hits })
    numberedParts.push(...toNumberedParts(event))
  }
  return { first, numberedParts }
}

const MODEL_EVENTS: ReadonlySet<RunEvent['type']> = new Set([
  'text-delta',
  'reasoning-delta',
  'text-as-reasoning',
  'reasoning-end',
  'tool-call-delta',
  'tool-call',
  'tool-start',
])

function toNumberedParts(event: RunEvent): FoundBefore['numberedParts'] {
  if (!('cited' in event) || !event.cited) return []
  const hits = event.type === 'retrieval' ? event.hits : []
  return event.cited.map(({ number, ...place }) => {
    const hit = hits.find(
      ({ documentId, charStart, charEnd }) =>
        documentId === place.documentId &&
        charStart === place.charStart &&
        charEnd === place.charEnd,
    )
    return { number, part: hit ?? place }
  })
}

export function requireRequest(runId: string, request: RunRequest): RunRequest {
  if (request.asked) return request
  const message = localizable`The answer ${runId} was made by an agent of a program or for a request to /v1/responses: continue it there.`
  throw new AppError('invalid_input', message)
}

export function readPaid({ extra }: Pick<Status, 'extra'>): readonly string[] {
  return (extra?.paid ?? []) as readonly string[]
}

type Decisions = Readonly<Record<string, boolean>>

/** Returns calls that did not start, or start first on resumption. */
export function readPending({ extra }: Pick<Status, 'extra'>): readonly string[] {
  return (extra?.pending ?? []) as readonly string[]
}

/** Returns earlier and new decisions by call id. Throws `invalid_input` if one is missing. */
export function mergeDecisions(
  items: readonly Item[],
  interruption: Status,
  approvals: Decisions = {},
): Decisions {
  const before = items.flatMap(item =>
    item.kind === 'status' && item.code === 'resumed' ? [item.extra?.decided] : [],
  )
  const decided: Decisions = Object.fromEntries(
    [...before, approvals].flatMap(approvals => Object.entries(approvals ?? {})),
  )
  const open =
    interruption.code === 'approval'
      ? readPending(interruption).filter(id => findDecision(decided, id) === undefined)
      : []
  if (open.length === 0) return decided
  const message = localizable`Calls wait for approval: ${open.join(', ')}. Approve or reject each.`
  throw new AppError('invalid_input', message)
}
