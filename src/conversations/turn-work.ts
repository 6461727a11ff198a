import type { AgentEvent } from '../agent/event.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError, type Failure, toFailure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import type { Library } from '../ingest/store/library.ts'
import { isRunUnderWay } from './background-runs.ts'
import { Conversations } from './conversations.ts'
import { EventWriter } from './event-writer.ts'
import { addFileIdsToEvent } from './filed-events.ts'
import { Guard, Interruption } from './guard.ts'
import type { ConversationHooks } from './hooks.ts'
import type { Item, NewItem } from './items.ts'
import type { InterruptedTurn } from './resuming.ts'
import {
  type Ending,
  endRun,
  noteLeftBehind,
  STOPPED,
  toAbortedEnding,
  toFailedEnding,
  toInterruptedEnding,
} from './run-ending.ts'
import { type Run, type RunRequest, Runs } from './runs.ts'

export type NewTurn = {
  readonly id: string
  readonly conversationId?: string | undefined
  readonly question: string
  readonly items: readonly NewItem[]
  readonly request: RunRequest
  /** Previous run, which must be the last one. */
  readonly resumes?: string
  /** Throws failures. */
  readonly events: (signal: AbortSignal) => AsyncIterable<AgentEvent>
  /** Returns the public form; details go to the operator here. */
  readonly failureOf?: ((error: unknown) => Failure) | undefined
  /** Called for each event once it is stored, and for the end. */
  readonly onEvent?: (event: AgentEvent, timeMs: number) => void
  /** Runs in the transaction that completes the run. */
  readonly onComplete?: (inside: Statements) => Promise<void>
  /** `isWithdrawn` if a guardrail revoked something. */
  readonly onEnd?: (run: Run, isWithdrawn: boolean) => Promise<void>
  /** The user for the hooks, and whether access is still valid. */
  readonly asker?: Asker | undefined
  /** Calls that run first and must be paid. */
  readonly pending?: InterruptedTurn['unpaid']
  readonly toItem?: ((item: NewItem) => NewItem) | undefined
}

/** Calls `end` once a key is revoked. Returns a function that unregisters it. */
export type WhenRevoked = (end: (reason: AppError) => void) => () => void

/** User as the hooks see it; a revoked key stops the run. */
export type Asker = {
  readonly tenant: string
  readonly key?: string | undefined
  readonly isAdmitted: () => Promise<boolean>
  readonly whenRevoked?: WhenRevoked | undefined
}

export const OPERATOR: Asker = { tenant: 'default', isAdmitted: async () => true }

type TurnWorkDeps = {
  readonly catalog: Statements
  readonly library: Library
  readonly hooks: ConversationHooks
  readonly isStopping: (runId: string) => boolean
  readonly conclude: (runId: string, ending: Ending) => Promise<void>
  readonly onWritten: (runId: string) => void
}

type Working = {
  readonly run: Run
  readonly turn: NewTurn
  readonly signal: AbortSignal
}

/** Writes events as far as the hooks allow it, until the run has ended. */
export async function answerTurn(
  deps: TurnWorkDeps,
  { run, turn, signal }: Working,
): Promise<void> {
  const writer = new EventWriter({
    run,
    catalog: deps.catalog,
    toItem: turn.toItem,
    callersTools: turn.request.callersTools,
    onWritten: () => deps.onWritten(run.id),
  })
  const revoked = new AbortController()
  const forget = turn.asker?.whenRevoked?.(reason => revoked.abort(reason))
  const stop = AbortSignal.any([signal, writer.ended, revoked.signal])
  const guard = openGuard(deps.hooks, { run, turn, signal: stop })
  let isWithdrawn = false
  try {
    if (guard)
      await writer.addItems(await guard.checkInput(await readQuestion(deps.catalog, run, turn)))
    for await (const turnEvent of turn.events(stop)) {
      const filed = await addFileIdsToEvent(turnEvent, deps.library)
      const event = guard ? await guard.authorize(filed) : filed
      const items = writer.toItems(event)
      const seen = guard ? await guard.checkOutput(items) : items
      const timeMs = Date.now()
      turn.onEvent?.(event, timeMs)
      await writer.add(event, seen, timeMs)
    }
    await writer.finish(turn.onComplete)
  } catch (error) {
    isWithdrawn = error instanceof Interruption && error.code === 'revoked'
    const reason = revoked.signal.aborted && !signal.aborted ? createExpiry(guard) : error
    if (reason instanceof Interruption) await writer.addItems(reason.items)
    await writer.cut()
    await deps.conclude(run.id, toEnding(deps, { run, turn, signal }, reason))
  } finally {
    forget?.()
    writer.close()
    const ended = await new Runs(deps.catalog).find(run.id)
    if (ended) await turn.onEnd?.(ended, isWithdrawn)
    deps.onWritten(run.id)
  }
}

/** Returns undefined for answers without a conversation, which the hooks do not see. */
function openGuard(hooks: ConversationHooks, { run, turn, signal }: Working): Guard | undefined {
  const { conversationId } = run
  if (conversationId === undefined) return undefined
  const { asker = OPERATOR, pending = [], request } = turn
  const { tenant, key, isAdmitted } = asker
  return new Guard({
    hooks,
    owner: { conversation: conversationId, tenant, key },
    turn: run.turn,
    isAdmitted,
    pending,
    callersTools: new Set(request.callersTools),
    signal,
  })
}

async function readQuestion(
  catalog: Statements,
  { conversationId = '' }: Run,
  { items }: NewTurn,
): Promise<readonly Item[]> {
  const limit = items.length
  const last = await new Conversations(catalog).items(conversationId, { limit, order: 'desc' })
  return last.filter(item => item.kind !== 'status').toReversed()
}

function toEnding(
  { isStopping }: TurnWorkDeps,
  { run, turn, signal }: Working,
  error: unknown,
): Ending {
  if (isStopping(run.id)) return STOPPED
  if (error instanceof Interruption) return toInterruptedEnding(error)
  if (signal.aborted) return toAbortedEnding(signal.reason)
  const { failureOf = toFailure } = turn
  return toFailedEnding(failureOf(error))
}

function createExpiry(guard: Guard | undefined): Interruption {
  return guard?.expire() ?? new Interruption('expired', {})
}

/** Throws `conflict` while another run is under way, `too_large`, `not_found`. */
export async function writeTurn(
  inside: Statements,
  newTurn: NewTurn,
  maxBytes: number,
): Promise<Run> {
  const { id, conversationId, question, items, request, resumes } = newTurn
  const conversations = new Conversations(inside)
  const runs = new Runs(inside)
  if (conversationId === undefined) {
    const run = await runs.start({ id, turn: 0, request })
    await runs.addEvents(id, [{ event: { type: 'start', question }, at: Date.now() }])
    return run
  }
  await requireIdle(inside, conversationId)
  if (resumes !== undefined && (await runs.findLast(conversationId))?.id !== resumes) {
    throw new AppError('conflict', 'This answer was already resumed.')
  }
  await conversations.requireRoom(conversationId, maxBytes)
  await conversations.write(conversationId, items)
  const { turns: turn } = await conversations.get(conversationId)
  const run = await runs.start({ id, conversationId, turn, request })
  await conversations.count(conversationId, await runs.countRequestBytes(id))
  const event = { type: 'start', question, conversation: conversationId, turn } as const
  await runs.addEvents(id, [{ event, at: Date.now() }])
  return run
}

/** Throws `conflict` while a run is under way. Ends a run whose process died. */
export async function requireIdle(inside: Statements, conversationId: string): Promise<void> {
  const last = await new Runs(inside).findLast(conversationId)
  if (last?.status !== 'in_progress') return
  if (await isRunUnderWay(inside, last.id)) {
    const message = localizable`Turn ${last.turn} of the conversation ${conversationId} is still running. Wait until it ends, or stop it.`
    throw new AppError('conflict', message)
  }
  await endRun(inside, last, await noteLeftBehind(inside, last))
}
