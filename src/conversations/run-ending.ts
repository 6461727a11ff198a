import type { AgentEvent } from '../agent/event.ts'
import { localizable, withMessage } from '../errors/localizable.ts'
import type { Failure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { Conversations } from './conversations.ts'
import type { Interruption } from './guard.ts'
import type { Item, NewItem, StatusCode } from './items.ts'
import { readPaid, readPending } from './resuming.ts'
import { type Run, Runs } from './runs.ts'
import { StoredResponses } from './stored-responses.ts'
import { TurnItems } from './turn-items.ts'

export type Ending = {
  readonly status: 'stopped' | 'failed'
  readonly code: StatusCode
  readonly message: string
  readonly failure?: Failure
  readonly extra?: Readonly<Record<string, unknown>>
}

export const STOPPED: Ending = {
  status: 'stopped',
  code: 'stopped',
  message: 'The user stopped the answer.',
}

/** Returns the ending, and records that the response failed. */
export async function noteLeftBehind(
  inside: Statements,
  { id, conversationId }: Pick<Run, 'id' | 'conversationId'>,
): Promise<Ending> {
  await new StoredResponses(inside).noteFailure(id)
  const { asked } = await new Runs(inside).findRequest(id)
  const message =
    conversationId !== undefined && asked
      ? localizable`The process that wrote this answer ended too early. Ask again, or resume the conversation ${conversationId}.`
      : 'The process that wrote this answer ended too early. Ask again.'
  return toFailedEnding(withMessage({ code: 'cancelled' }, message))
}

export function toFailedEnding(failure: Failure): Ending {
  const code = failure.code === 'cancelled' ? 'interrupted' : 'failed'
  return { status: 'failed', code, message: failure.message, failure }
}

export function toAbortedEnding(reason: unknown): Ending {
  return toFailedEnding({
    code: 'cancelled',
    message: reason instanceof Error ? reason.message : String(reason),
  })
}

export function toInterruptedEnding({ code, message, extra }: Interruption): Ending {
  return { status: 'stopped', code, message, extra }
}

type LeftOver = {
  readonly items: readonly NewItem[]
  readonly pending: readonly string[]
  readonly paid: readonly string[]
}

const NOTHING: LeftOver = { items: [], pending: [], paid: [] }

function findResumption(items: readonly Item[]): Parameters<typeof readPending>[0] {
  const resumed = items.findLast(item => item.kind === 'status' && item.code === 'resumed')
  return resumed?.kind === 'status' ? resumed : {}
}

class OpenCalls {
  readonly pending: Set<string>
  readonly paid: Set<string>
  readonly #callersTools: ReadonlySet<string>

  constructor(resumption: Parameters<typeof readPending>[0], callersTools: ReadonlySet<string>) {
    this.pending = new Set(readPending(resumption))
    this.paid = new Set(readPaid(resumption))
    this.#callersTools = callersTools
  }

  push(event: AgentEvent): void {
    if (event.type === 'tool-call' && !this.#callersTools.has(event.call.name))
      this.pending.add(event.call.id)
    if (event.type === 'tool-start') {
      this.pending.delete(event.id)
      for (const id of event.paid ?? []) this.paid.add(id)
    }
    if (event.type !== 'tool-result') return
    this.pending.delete(event.call.id)
    this.paid.delete(event.call.id)
  }
}

/** Writes the text so far, the reason, and the end in a transaction. */
export async function endRun(inside: Statements, run: Run, ending: Ending): Promise<void> {
  const conversations = new Conversations(inside)
  const runs = new Runs(inside)
  const { id, conversationId } = run
  const { status, code, message, failure, extra } = ending
  if (conversationId !== undefined && (await conversations.find(conversationId))) {
    const { items, pending, paid } =
      code === 'revoked' ? NOTHING : await collectLeftOver(inside, run, conversationId)
    const cut = items.findLast(item => item.kind === 'message')?.id
    const facts = {
      ...(cut !== undefined && { message_id: cut }),
      ...(pending.length > 0 && { pending }),
      ...extra,
    }
    const allPaid = [...paid, ...readPaid({ extra })]
    const statusExtra = { ...facts, ...(allPaid.length > 0 && { paid: allPaid }) }
    const status = {
      kind: 'status',
      code,
      message,
      ...(Object.keys(statusExtra).length > 0 && { extra: statusExtra }),
    } as const
    await conversations.write(conversationId, [...items, status])
  }
  if (code === 'revoked') await withdraw(inside, run, extra?.revoked_message_id)
  const reason = code === 'stopped' ? {} : { code, message }
  const event = failure
    ? ({ type: 'failed', failure } as const)
    : ({ type: 'stopped', ...reason } as const)
  await runs.addEvents(id, [{ event, at: Date.now() }])
  await runs.end(id, status, failure)
}

/** Removes revoked content from events, title and response. */
async function withdraw(
  inside: Statements,
  { id, conversationId }: Run,
  itemId: unknown,
): Promise<void> {
  await new Runs(inside).forgetEvents(id)
  await new StoredResponses(inside).withdraw(id)
  if (conversationId === undefined || typeof itemId !== 'string') return
  await new Conversations(inside).withdraw(conversationId, itemId)
}

/** Returns started text and open calls; completed items are stored already. */
async function collectLeftOver(
  inside: Statements,
  run: Run,
  conversationId: string,
): Promise<LeftOver> {
  const runs = new Runs(inside)
  const callersTools = new Set((await runs.findRequest(run.id)).callersTools)
  const items = new TurnItems({ runId: run.id, callersTools })
  const turnItems = await new Conversations(inside).readTurnItems(
    conversationId,
    run.turn,
    run.turn,
  )
  const calls = new OpenCalls(findResumption(turnItems), callersTools)
  for await (const { event } of runs.readEvents(run)) {
    if (event.type === 'start' || event.type === 'stopped' || event.type === 'failed') continue
    items.push(event)
    calls.push(event)
  }
  return { items: items.cut(), pending: [...calls.pending], paid: [...calls.paid] }
}
