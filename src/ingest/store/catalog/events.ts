import { packMessages, unpackMessages } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { Attributes } from './document.ts'

const MAX_EVENTS = 100_000
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Inserted events between removals of old ones. */
const TRIM_EVERY = 512

export type EventType =
  | `document.${'completed' | 'failed' | 'deleted'}`
  | 'collection.deleted'
  | `job.${'completed' | 'failed' | 'cancelled'}`
  | `response.${'completed' | 'failed' | 'incomplete' | 'cancelled'}`

type EventFacts = {
  readonly collectionId?: string
  readonly documentId?: string
  readonly source?: string
  readonly jobId?: string
  readonly responseId?: string
  readonly error?: Failure | undefined
}

type NewEvent = EventFacts & {
  readonly type: EventType
  /** Attributes of a deleted document, for filters. */
  readonly attributes?: Attributes
}

export type StoreEvent = EventFacts & {
  readonly id: string
  readonly number: number
  readonly type: EventType
  /** Unix milliseconds. */
  readonly at: number
}

type Row = { number: number; id: string; type: EventType; at: number; body: string }

export type DeletedDocument = {
  readonly id: string
  readonly collectionId: string
  readonly attributes: Attributes
}

/** Call it inside the transaction that makes the change. Omits hidden collections. */
export async function recordEvents(inside: Statements, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const timeMs = Date.now()
  const rows = events.map(({ type, attributes, error, ...facts }) => ({
    id: createId('evt_'),
    type,
    documentId: facts.documentId,
    collectionId: facts.collectionId,
    attributes: attributes && JSON.stringify(attributes),
    body: JSON.stringify({ ...facts, ...(error && { error: packMessages(error) }) }),
  }))
  const sql = `INSERT INTO events
    SELECT (SELECT coalesce(max(number), 0) FROM events) + key + 1, value ->> '$.id', value ->> '$.type',
      value ->> '$.documentId', value ->> '$.attributes', CAST(?2 AS BIGINT), value ->> '$.body' FROM json_each(?1)
    WHERE NOT EXISTS (SELECT 1 FROM collections WHERE id = value ->> '$.collectionId' AND hidden = 1)
    ORDER BY key RETURNING number`
  const written = await inside.all<{ number: number }>(sql, JSON.stringify(rows), timeMs)
  if (!written.some(({ number }) => number % TRIM_EVERY === 0)) return
  await inside.run(
    'DELETE FROM events WHERE number <= (SELECT max(number) FROM events) - ?',
    MAX_EVENTS,
  )
}

/** Numbers increase in the order of transactions, so that a reader continues after its last one. */
export class Events {
  static readonly tables: Tables = {
    23: [
      `CREATE TABLE events (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, document_id TEXT, attributes TEXT,
    at INTEGER NOT NULL, body TEXT NOT NULL
  )`,
      'CREATE INDEX events_of_deletions ON events (document_id) WHERE attributes IS NOT NULL',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async listAfter(
    number: number,
    limit: number,
    types?: readonly EventType[],
  ): Promise<readonly StoreEvent[]> {
    const chosen = types ? 'AND type IN (SELECT value FROM json_each(?3))' : ''
    const sql = `SELECT number, id, type, at, body FROM events WHERE number > ?1 ${chosen} ORDER BY number LIMIT ?2`
    const typeParameters = types ? [JSON.stringify(types)] : []
    const rows = await this.#catalog.all<Row>(sql, number, limit, ...typeParameters)
    return rows.map(fromRow)
  }

  async findNumber(id: string): Promise<number | undefined> {
    const sql = 'SELECT number FROM events WHERE id = ?'
    return (await this.#catalog.get<{ number: number }>(sql, id))?.number
  }

  async findLastNumber(): Promise<number> {
    const sql = 'SELECT coalesce(max(number), 0) AS number FROM events'
    return (await this.#catalog.get<{ number: number }>(sql))?.number ?? 0
  }

  async listDeletedDocuments(): Promise<readonly DeletedDocument[]> {
    const sql = `SELECT document_id AS id, attributes, body ->> '$.collectionId' AS collection_id FROM events
      WHERE attributes IS NOT NULL AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = events.document_id)`
    type Deleted = { id: string; attributes: string; collection_id: string }
    return (await this.#catalog.all<Deleted>(sql)).map(({ id, attributes, collection_id }) => ({
      id,
      collectionId: collection_id,
      attributes: parseOwnJson<Attributes>(attributes),
    }))
  }

  /** Leaves ids only. Returns their number. */
  async redact(documentIds: readonly string[]): Promise<number> {
    const list = JSON.stringify(documentIds)
    const sql =
      'SELECT number, body FROM events WHERE document_id IN (SELECT value FROM json_each(?))'
    const update = `UPDATE events SET body = ?, attributes = CASE WHEN attributes IS NULL THEN NULL ELSE '{}' END WHERE number = ?`
    return await this.#catalog.transaction(async inside => {
      const rows = await inside.all<Pick<Row, 'number' | 'body'>>(sql, list)
      for (const { number, body } of rows) {
        const { source, error, ...facts } = parseOwnJson<EventFacts>(body)
        await inside.run(update, JSON.stringify(facts), number)
      }
      return rows.length
    })
  }

  /** Keeps the newest, whose number the next one follows. */
  async prune(): Promise<void> {
    const sql = 'DELETE FROM events WHERE at < ? AND number < (SELECT max(number) FROM events)'
    await this.#catalog.run(sql, Date.now() - KEEP_MS)
  }
}

function fromRow({ body, ...row }: Row): StoreEvent {
  const { error, ...facts } = parseOwnJson<EventFacts>(body)
  return { ...row, ...facts, ...(error && { error: unpackMessages(error) }) }
}
