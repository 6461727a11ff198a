import type { AgentEvent } from '../agent/event.ts'
import {
  packMessages,
  packWarnings,
  unpackMessages,
  unpackWarnings,
} from '../errors/localizable.ts'
import type { Failure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import { parseOwnJson } from '../system/own-json.ts'
import type { StatusCode } from './items.ts'
import { toStoredJson } from './stored-json.ts'

/** Time that events of an ended run can be read, so that clients can reconnect for a day. */
const KEEP_EVENTS_MS = 24 * 60 * 60 * 1000

export type RunStatus = 'in_progress' | 'completed' | 'stopped' | 'failed'

export type RunRequest = {
  /** Calls end the answer: the client runs them. */
  readonly callersTools?: readonly string[]
  /** Request for whoever resumes it. */
  readonly asked?: object
  /** Data of the face for replaying events. */
  readonly shown?: Readonly<Record<string, unknown>>
}

export type Run = {
  readonly id: string
  readonly conversationId?: string | undefined
  readonly turn: number
  readonly status: RunStatus
  readonly failure?: Failure | undefined
  /** A conversation's numbers continue over runs. */
  readonly firstEvent: number
  readonly createdAt: number
}

export type RunEvent =
  | {
      readonly type: 'start'
      readonly question: string
      readonly conversation?: string
      readonly turn?: number
    }
  | AgentEvent
  | { readonly type: 'stopped'; readonly code?: StatusCode; readonly message?: string }
  | { readonly type: 'failed'; readonly failure: Failure }

/** `at` in Unix milliseconds. */
export type NumberedEvent = {
  readonly number: number
  readonly event: RunEvent
  readonly at: number
}

type TimedEvent = { readonly event: RunEvent; readonly at: number }

type RunRow = {
  id: string
  conversation_id: string | null
  turn: number
  status: RunStatus
  error: string | null
  first_event: number
  created_at: number
}

type NewRun = Pick<Run, 'id' | 'conversationId' | 'turn'> & { readonly request: RunRequest }

export class Runs {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async start({ id, conversationId, turn, request }: NewRun): Promise<Run> {
    const last = conversationId === undefined ? undefined : await this.#readLastRow(conversationId)
    const firstEvent = last ? last.first_event + last.events : 1
    const sql = `INSERT INTO runs VALUES (?, ?, ?, 'in_progress', NULL, ?, 0, ?, NULL)`
    await this.#catalog.run(sql, id, conversationId ?? null, turn, firstEvent, Date.now())
    await this.#catalog.run('INSERT INTO run_requests VALUES (?, ?)', id, toStoredJson(request))
    return (await this.find(id))!
  }

  async find(id: string): Promise<Run | undefined> {
    const row = await this.#catalog.get<RunRow>('SELECT * FROM runs WHERE id = ?', id)
    return row && fromRow(row)
  }

  async findRequest(id: string): Promise<RunRequest> {
    const row = await this.#catalog.get<{ request: string }>(
      'SELECT request FROM run_requests WHERE run_id = ?',
      id,
    )
    return row ? parseOwnJson<RunRequest>(row.request) : {}
  }

  async findReplayData(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, NonNullable<RunRequest['shown']>>> {
    const sql = `SELECT run_id AS id, request ->> '$.shown' AS shown FROM run_requests WHERE run_id IN (SELECT value FROM json_each(?))`
    const rows = await this.#catalog.all<{ id: string; shown: string | null }>(
      sql,
      JSON.stringify(ids),
    )
    return new Map(
      rows.flatMap(({ id, shown }) => (shown === null ? [] : [[id, JSON.parse(shown)]])),
    )
  }

  async countRequestBytes(id: string): Promise<number> {
    const sql = 'SELECT octet_length(request) AS bytes FROM run_requests WHERE run_id = ?'
    return (await this.#catalog.get<{ bytes: number }>(sql, id))?.bytes ?? 0
  }

  async findLast(conversationId: string): Promise<Run | undefined> {
    const row = await this.#readLastRow(conversationId)
    return row && fromRow(row)
  }

  async listAfter(conversationId: string, turn: number, event: number): Promise<readonly Run[]> {
    const sql =
      'SELECT * FROM runs WHERE conversation_id = ? AND turn = ? AND first_event + events > ? ORDER BY first_event'
    return (await this.#catalog.all<RunRow>(sql, conversationId, turn, event + 1)).map(fromRow)
  }

  async findByTurns(
    conversationId: string,
    first: number,
    last: number,
  ): Promise<ReadonlyMap<number, Run>> {
    const sql =
      'SELECT * FROM runs WHERE conversation_id = ? AND turn BETWEEN ? AND ? ORDER BY first_event'
    const rows = await this.#catalog.all<RunRow>(sql, conversationId, first, last)
    return new Map(rows.map(row => [row.turn, fromRow(row)]))
  }

  /** Writes nothing and returns false if the run has ended. */
  async addEvents(id: string, events: readonly TimedEvent[]): Promise<boolean> {
    if (events.length === 0) return await this.isUnderWay(id)
    const sql = `UPDATE runs SET events = events + ? WHERE id = ? AND status = 'in_progress' RETURNING first_event + events AS next`
    const row = await this.#catalog.get<{ next: number }>(sql, events.length, id)
    if (!row) return false
    await this.#catalog.run(
      'INSERT INTO run_events VALUES (?, ?, ?)',
      id,
      row.next - events.length,
      toStoredJson(events.map(packEvent)),
    )
    return true
  }

  async end(
    id: string,
    status: Exclude<RunStatus, 'in_progress'>,
    failure?: Failure,
  ): Promise<boolean> {
    const sql = `UPDATE runs SET status = ?, error = ?, ended_at = ? WHERE id = ? AND status = 'in_progress'`
    const error = failure ? toStoredJson(packMessages(failure)) : null
    return (await this.#catalog.run(sql, status, error, Date.now(), id)) > 0
  }

  /** Returns the ids of runs under way, oldest first, and of those whose process died. */
  async listUnderWay(): Promise<readonly string[]> {
    const sql = `SELECT id FROM runs WHERE status = 'in_progress' ORDER BY created_at`
    return (await this.#catalog.all<{ id: string }>(sql)).map(({ id }) => id)
  }

  async isUnderWay(id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM runs WHERE id = ? AND status = 'in_progress'`
    return (await this.#catalog.get(sql, id)) !== undefined
  }

  /** Returns a few batches of later events, so that callers repeat. */
  async readEventsAfter(id: string, after: number): Promise<readonly NumberedEvent[]> {
    const batches = `SELECT number, events, sum(octet_length(events)) OVER (ORDER BY number) AS bytes FROM (
      SELECT number, events FROM run_events WHERE run_id = ?1
      AND number >= coalesce((SELECT max(number) FROM run_events WHERE run_id = ?1 AND number <= ?2), 0)
      ORDER BY number LIMIT ${BATCHES_AT_ONCE}) AS next`
    const sql = `SELECT number, events FROM (${batches}) AS summed
      WHERE bytes - octet_length(events) < ${BYTES_AT_ONCE} ORDER BY number`
    const rows = await this.#catalog.all<{ number: number; events: string }>(sql, id, after + 1)
    const all = rows.flatMap(({ number, events }) =>
      parseOwnJson<readonly TimedEvent[]>(events).map(({ event, at }, index) => ({
        at,
        event: unpackEvent(event),
        number: number + index,
      })),
    )
    return all.filter(({ number }) => number > after)
  }

  async *readEvents({
    id,
    firstEvent,
  }: Pick<Run, 'id' | 'firstEvent'>): AsyncGenerator<NumberedEvent> {
    for (let last: number | undefined = firstEvent - 1; last !== undefined; ) {
      const events: readonly NumberedEvent[] = await this.readEventsAfter(id, last)
      yield* events
      last = events.at(-1)?.number
    }
  }

  /** Deletes events; their numbers stay used. */
  async forgetEvents(id: string): Promise<void> {
    await this.#catalog.run('DELETE FROM run_events WHERE run_id = ?', id)
  }

  async delete(id: string): Promise<void> {
    await this.forgetEvents(id)
    await this.#catalog.run('DELETE FROM run_requests WHERE run_id = ?', id)
    await this.#catalog.run('DELETE FROM runs WHERE id = ?', id)
  }

  async deleteByConversation(conversationId: string): Promise<readonly string[]> {
    const rows = await this.#catalog.all<{ id: string }>(
      'SELECT id FROM runs WHERE conversation_id = ?',
      conversationId,
    )
    for (const { id } of rows) await this.delete(id)
    return rows.map(({ id }) => id)
  }

  async prune(): Promise<void> {
    const before = Date.now() - KEEP_EVENTS_MS
    const old = `SELECT id FROM runs WHERE created_at < ? AND ended_at < ?`
    await this.#catalog.run(`DELETE FROM run_events WHERE run_id IN (${old})`, before, before)
    const standalone = `SELECT id FROM runs WHERE conversation_id IS NULL AND id IN (${old})`
    await this.#catalog.run(
      `DELETE FROM run_requests WHERE run_id IN (${standalone})`,
      before,
      before,
    )
    await this.#catalog.run(`DELETE FROM runs WHERE id IN (${standalone})`, before, before)
  }

  async #readLastRow(conversationId: string): Promise<(RunRow & { events: number }) | undefined> {
    const sql =
      'SELECT * FROM runs WHERE conversation_id = ? ORDER BY first_event DESC, created_at DESC LIMIT 1'
    return await this.#catalog.get(sql, conversationId)
  }
}

/** Transactions per query; protects memory. */
const BATCHES_AT_ONCE = 64

/** Bytes after which a query takes no further batch: they wait as long as a reader is slow. */
const BYTES_AT_ONCE = 64 * 1024

/** Stores the values of messages apart, so that they are translated when sent. */
function packEvent({ event, at }: TimedEvent): TimedEvent {
  if (event.type === 'notice') return { event: packMessages(event), at }
  if (event.type === 'failed')
    return { event: { ...event, failure: packMessages(event.failure) }, at }
  if (event.type !== 'finish' || !event.result.warnings) return { event, at }
  return { event: { ...event, result: packWarnings(event.result) }, at }
}

function unpackEvent(event: RunEvent): RunEvent {
  if (event.type === 'notice') return unpackMessages(event)
  if (event.type === 'failed') return { ...event, failure: unpackMessages(event.failure) }
  if (event.type !== 'finish' || !event.result.warnings) return event
  return { ...event, result: unpackWarnings(event.result) }
}

function fromRow({
  id,
  conversation_id,
  turn,
  status,
  error,
  first_event,
  created_at,
}: RunRow): Run {
  return {
    id,
    turn,
    status,
    firstEvent: first_event,
    createdAt: created_at,
    ...(conversation_id !== null && { conversationId: conversation_id }),
    ...(error !== null && { failure: unpackMessages(parseOwnJson<Failure>(error)) }),
  }
}
