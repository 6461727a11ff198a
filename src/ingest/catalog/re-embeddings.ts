import { AppError, type ErrorCode } from '../../errors.ts'
import type { Catalog, Schema } from '../catalog.ts'
import { newId } from '../digest.ts'
import { type Collection, type EmbeddedBy, newTableId } from './collections.ts'
import type { Stage } from './document.ts'

/** `is_swept`: the vectors that it left over are gone. */
export const reEmbeddingSchema: Schema = [
  `CREATE TABLE re_embeddings (
    id TEXT PRIMARY KEY, collection_id TEXT NOT NULL, before_id TEXT NOT NULL, embedder_id TEXT NOT NULL,
    dimensions INTEGER NOT NULL, table_id TEXT NOT NULL, state TEXT NOT NULL, stage TEXT, done INTEGER NOT NULL, total INTEGER,
    stage_at INTEGER NOT NULL, started_at INTEGER NOT NULL, finished_at INTEGER, error TEXT, is_swept INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE UNIQUE INDEX re_embeddings_open ON re_embeddings (collection_id) WHERE state IN ('queued', 'running')`,
]

/** As long as finished jobs are kept. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** The wish that a collection has the vectors of another model, and the table that they are written to. */
export type ReEmbedding = EmbeddedBy & {
  readonly id: string
  readonly collectionId: string
  /** The model so far. */
  readonly beforeId: string
  readonly tableId: string
}

/** `done` of `total` chunks. */
export type ReEmbeddingProgress = { readonly stage: Stage; readonly done: number; readonly total: number }

type Row = {
  id: string
  collection_id: string
  before_id: string
  embedder_id: string
  dimensions: number
  table_id: string
  state: string
}

/**
 * Collections that are to be embedded with another model: one at a time each, until it is published, cancelled or failed.
 * `queued` and `running` ones are open; whoever holds the collection's writer lease works on them.
 */
export class ReEmbeddings {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** The open one to that model, or a new one in place of one to another. */
  want({ id: collectionId, embedderId: beforeId }: Collection, { embedderId, dimensions }: EmbeddedBy): ReEmbedding {
    return this.#catalog.transaction(() => {
      const open = this.openOf(collectionId)
      if (open?.embedderId === embedderId) return open
      if (open) this.#end(open.id, 'cancelled')
      const now = Date.now()
      const wanted = {
        id: newId('job_'),
        collectionId,
        beforeId,
        embedderId,
        dimensions,
        tableId: newTableId(collectionId),
      }
      this.#catalog.run(
        `INSERT INTO re_embeddings VALUES (?, ?, ?, ?, ?, ?, 'queued', NULL, 0, NULL, ?, ?, NULL, NULL, 0)`,
        ...[wanted.id, collectionId, beforeId, embedderId, dimensions, wanted.tableId, now, now],
      )
      return wanted
    })
  }

  openOf(collectionId: string): ReEmbedding | undefined {
    const sql = `SELECT * FROM re_embeddings WHERE collection_id = ? AND state IN ('queued', 'running')`
    const row = this.#catalog.get<Row>(sql, collectionId)
    return row && fromRow(row)
  }

  isOpen(id: string): boolean {
    const sql = `SELECT 1 FROM re_embeddings WHERE id = ? AND state IN ('queued', 'running')`
    return this.#catalog.get(sql, id) !== undefined
  }

  /** Somebody works on it. */
  progress(id: string, { stage, done, total }: ReEmbeddingProgress): void {
    const sql = `UPDATE re_embeddings SET state = 'running', stage_at = iif(stage = ?2, stage_at, ?5), stage = ?2, done = ?3, total = ?4
      WHERE id = ?1 AND state IN ('queued', 'running')`
    this.#catalog.run(sql, id, stage, done, total, Date.now())
  }

  /** Nobody works on it: the run ended before it was done. */
  release(collectionId: string): void {
    this.#catalog.run(
      `UPDATE re_embeddings SET state = 'queued' WHERE collection_id = ? AND state = 'running'`,
      collectionId,
    )
  }

  /** Call inside the transaction that publishes the new vectors. */
  complete(id: string): void {
    this.#end(id, 'completed')
  }

  fail(id: string, error: { readonly code: ErrorCode; readonly message: string }): void {
    this.#end(id, 'failed', error)
  }

  /** False where it has ended. What was there before stays. */
  cancel(id: string): boolean {
    return this.#end(id, 'cancelled')
  }

  /** Want it again after it failed or was cancelled, in place of what there is now. Throws `conflict` where another is under way. */
  retry(id: string): boolean {
    const row = this.#catalog.get<Row>('SELECT * FROM re_embeddings WHERE id = ?', id)
    const other = row && this.openOf(row.collection_id)
    if (other && other.id !== id)
      throw new AppError('conflict', `The collection is being embedded with ${other.embedderId}: see passim jobs.`)
    const sql = `UPDATE re_embeddings SET state = 'queued', finished_at = NULL, error = NULL, is_swept = 0,
      before_id = (SELECT embedder_id FROM collections WHERE collections.id = collection_id)
      WHERE id = ? AND state IN ('failed', 'cancelled')`
    return this.#catalog.run(sql, id) > 0
  }

  /** Tables that are being written, beside those of the collections. */
  openTables(): readonly string[] {
    const sql = `SELECT table_id FROM re_embeddings WHERE state IN ('queued', 'running')`
    return this.#catalog.all<{ table_id: string }>(sql).map(row => row.table_id)
  }

  /** Models whose vectors an ended one left over in the collection. */
  leftOver(collectionId: string): readonly { readonly id: string; readonly embedderId: string }[] {
    const sql = `SELECT id, iif(state = 'completed', before_id, embedder_id) AS embedder FROM re_embeddings
      WHERE collection_id = ? AND is_swept = 0 AND finished_at IS NOT NULL`
    const rows = this.#catalog.all<{ id: string; embedder: string }>(sql, collectionId)
    return rows.map(({ id, embedder }) => ({ id, embedderId: embedder }))
  }

  /** A run that ended one was killed, or is not done with removing them. */
  hasLeftOver(collectionId: string): boolean {
    return this.leftOver(collectionId).length > 0
  }

  /** They are gone. Those that ended long ago are forgotten. */
  markSwept(id: string): void {
    this.#catalog.run('UPDATE re_embeddings SET is_swept = 1 WHERE id = ?', id)
    this.#catalog.run('DELETE FROM re_embeddings WHERE is_swept = 1 AND finished_at < ?', Date.now() - KEEP_MS)
  }

  #end(id: string, state: 'completed' | 'failed' | 'cancelled', error?: object): boolean {
    const sql = `UPDATE re_embeddings SET state = ?1, finished_at = ?2, error = ?3, done = iif(?1 = 'completed', coalesce(total, done), done)
      WHERE id = ?4 AND state IN ('queued', 'running')`
    return this.#catalog.run(sql, state, Date.now(), error ? JSON.stringify(error) : null, id) > 0
  }
}

function fromRow(row: Row): ReEmbedding {
  return {
    id: row.id,
    collectionId: row.collection_id,
    beforeId: row.before_id,
    embedderId: row.embedder_id,
    dimensions: row.dimensions,
    tableId: row.table_id,
  }
}
