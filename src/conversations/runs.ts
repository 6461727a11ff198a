import type { AgentEvent } from '../agent/event.ts'
import type { Failure } from '../errors.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import type { StatusCode } from './items.ts'
import { toStoredJson } from './stored-json.ts'

/** How long the events of a run that has ended can be read again; what it said is in its conversation. */
const KEEP_EVENTS_MS = 24 * 60 * 60 * 1000

export type RunStatus = 'in_progress' | 'completed' | 'stopped' | 'failed'

/** What was asked of a run. */
export type RunRequest = {
  /** Calls of these end the answer: the client runs them. */
  readonly callersTools?: readonly string[]
  /** How it was asked, for whoever goes on with it after an interruption. */
  readonly asked?: object
  /** What the face that began it needs to show its events again; nobody else reads it. */
  readonly shown?: Readonly<Record<string, unknown>>
}

/** One working of an agent: events, then a result. */
export type Run = {
  readonly id: string
  /** Undefined for an answer that belongs to no conversation. */
  readonly conversationId?: string | undefined
  readonly turn: number
  readonly status: RunStatus
  readonly failure?: Failure | undefined
  /** The number of its first event; those of a conversation go on from run to run. */
  readonly firstEvent: number
  readonly createdAt: number
}

/** What happens in a run, as it is kept: where it belongs, what the agent tells, and how it ended. */
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

/** `at` is when it was written, in milliseconds. */
export type NumberedEvent = {
  readonly number: number
  readonly event: RunEvent
  readonly at: number
}

type Kept = { readonly event: RunEvent; readonly at: number }

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

/** The runs of a store, and what happened in them. */
export class Runs {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async start({ id, conversationId, turn, request }: NewRun): Promise<Run> {
    const findLast = conversationId === undefined ? undefined : await this.#lastRow(conversationId)
    const firstEvent = findLast ? findLast.first_event + findLast.events : 1
    const sql = `INSERT INTO runs VALUES (?, ?, ?, 'in_progress', NULL, ?, 0, ?, NULL)`
    await this.#catalog.run(sql, id, conversationId ?? null, turn, firstEvent, Date.now())
    await this.#catalog.run('INSERT INTO run_requests VALUES (?, ?)', id, toStoredJson(request))
    return (await this.find(id))! // just made
  }

  async find(id: string): Promise<Run | undefined> {
    const row = await this.#catalog.get<RunRow>('SELECT * FROM runs WHERE id = ?', id)
    return row && fromRow(row)
  }

  /** What was asked of a run that there is. */
  async findRequest(id: string): Promise<RunRequest> {
    const row = await this.#catalog.get<{ request: string }>(
      'SELECT request FROM run_requests WHERE run_id = ?',
      id,
    )
    return row ? (JSON.parse(row.request) as RunRequest) : {} // written by this class only
  }

  /** What the faces that began these runs noted, each of which is there. */
  async findShown(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, NonNullable<RunRequest['shown']>>> {
    const sql = `SELECT run_id AS id, request ->> '$.shown' AS shown FROM run_requests WHERE run_id IN (SELECT value FROM json_each(?))`
    const rows = await this.#catalog.all<{ id: string; shown: string | null }>(
      sql,
      JSON.stringify(ids),
    )
    return new Map(
      rows.flatMap(({ id, shown }) => (shown === null ? [] : [[id, JSON.parse(shown)]])),
    ) // as above
  }

  /** Of what was asked. */
  async requestBytes(id: string): Promise<number> {
    const sql = 'SELECT octet_length(request) AS bytes FROM run_requests WHERE run_id = ?'
    return (await this.#catalog.get<{ bytes: number }>(sql, id))?.bytes ?? 0
  }

  /** Under way, or the last one. */
  async last(conversationId: string): Promise<Run | undefined> {
    const row = await this.#lastRow(conversationId)
    return row && fromRow(row)
  }

  /** The runs of a turn that have events after this number, in order. */
  async listAfter(conversationId: string, turn: number, event: number): Promise<readonly Run[]> {
    const sql =
      'SELECT * FROM runs WHERE conversation_id = ? AND turn = ? AND first_event + events > ? ORDER BY first_event'
    return (await this.#catalog.all<RunRow>(sql, conversationId, turn, event + 1)).map(fromRow)
  }

  /** The last run of each of these turns. */
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

  /** Write what happened; false for a run that has ended meanwhile, as by whoever stopped it: nothing is written then. */
  async addEvents(id: string, events: readonly Kept[]): Promise<boolean> {
    if (events.length === 0) return await this.isUnderWay(id)
    const sql = `UPDATE runs SET events = events + ? WHERE id = ? AND status = 'in_progress' RETURNING first_event + events AS next`
    const row = await this.#catalog.get<{ next: number }>(sql, events.length, id)
    if (!row) return false
    await this.#catalog.run(
      'INSERT INTO run_events VALUES (?, ?, ?)',
      id,
      row.next - events.length,
      toStoredJson(events),
    )
    return true
  }

  /** False when it had ended before. */
  async end(
    id: string,
    status: Exclude<RunStatus, 'in_progress'>,
    failure?: Failure,
  ): Promise<boolean> {
    const sql = `UPDATE runs SET status = ?, error = ?, ended_at = ? WHERE id = ? AND status = 'in_progress'`
    const error = failure ? toStoredJson(failure) : null
    return (await this.#catalog.run(sql, status, error, Date.now(), id)) > 0
  }

  async isUnderWay(id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM runs WHERE id = ? AND status = 'in_progress'`
    return (await this.#catalog.get(sql, id)) !== undefined
  }

  /** Those after this number, in order; at most those of a few batches, so that it has to be asked again. */
  async readEventsAfter(id: string, after: number): Promise<readonly NumberedEvent[]> {
    const sql = `SELECT number, events FROM run_events WHERE run_id = ?1
      AND number >= coalesce((SELECT max(number) FROM run_events WHERE run_id = ?1 AND number <= ?2), 0)
      ORDER BY number LIMIT ${BATCHES_AT_ONCE}`
    const rows = await this.#catalog.all<{ number: number; events: string }>(sql, id, after + 1)
    const all = rows.flatMap(
      ({ number, events }) =>
        (JSON.parse(events) as readonly Kept[]).map((kept, at) => ({
          ...kept,
          number: number + at,
        })), // written by this class only
    )
    return all.filter(({ number }) => number > after)
  }

  /** Every event of a run until now, in order. */
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

  /** What happened in it cannot be read again; its numbers stay taken. */
  async forgetEvents(id: string): Promise<void> {
    await this.#catalog.run('DELETE FROM run_events WHERE run_id = ?', id)
  }

  /** For good. */
  async delete(id: string): Promise<void> {
    await this.forgetEvents(id)
    await this.#catalog.run('DELETE FROM run_requests WHERE run_id = ?', id)
    await this.#catalog.run('DELETE FROM runs WHERE id = ?', id)
  }

  /** The ids of those that there were. */
  async deleteByConversation(conversationId: string): Promise<readonly string[]> {
    const rows = await this.#catalog.all<{ id: string }>(
      'SELECT id FROM runs WHERE conversation_id = ?',
      conversationId,
    )
    for (const { id } of rows) await this.delete(id)
    return rows.map(({ id }) => id)
  }

  /** The events of runs that ended long ago; runs that belong to no conversation go whole. */
  async prune(): Promise<void> {
    const before = Date.now() - KEEP_EVENTS_MS
    const old = `SELECT id FROM runs WHERE created_at < ? AND ended_at < ?`
    await this.#catalog.run(`DELETE FROM run_events WHERE run_id IN (${old})`, before, before)
    const whole = `SELECT id FROM runs WHERE conversation_id IS NULL AND id IN (${old})`
    await this.#catalog.run(`DELETE FROM run_requests WHERE run_id IN (${whole})`, before, before)
    await this.#catalog.run(`DELETE FROM runs WHERE id IN (${whole})`, before, before)
  }

  async #lastRow(conversationId: string): Promise<(RunRow & { events: number }) | undefined> {
    const sql =
      'SELECT * FROM runs WHERE conversation_id = ? ORDER BY first_event DESC, created_at DESC LIMIT 1'
    return await this.#catalog.get(sql, conversationId)
  }
}

/** So many transactions of a run are read in one query. */
const BATCHES_AT_ONCE = 64

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
    ...(error !== null && { failure: JSON.parse(error) as Failure }), // written by this class only
  }
}
