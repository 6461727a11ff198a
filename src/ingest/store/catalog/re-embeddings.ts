import { localizable } from '../../../errors/localizable.ts'
import { AppError, type ErrorCode, type Failure } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import type { Statements, Tables } from '../catalog.ts'
import {
  createTableId,
  type EmbeddedBy,
  type IndexEngine,
  NO_EMBEDDER,
  parseEngine,
  raiseEpoch,
} from './collections.ts'
import type { Stage } from './document.ts'
import { recordEvents } from './events.ts'

/** Long, so that users can see what happened. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

export type ReEmbedding = EmbeddedBy & {
  readonly id: string
  readonly collectionId: string
  readonly beforeId: string
  readonly tableId: string
}

export type ReEmbeddingProgress = {
  readonly stage: Stage
  readonly done: number
  readonly total: number
}

type Row = {
  id: string
  collection_id: string
  before_id: string
  embedder_id: string
  dimensions: number
  table_id: string
  state: string
}

/** A collection has at most one that is open (`queued` or `running`). The writer works on it. */
export class ReEmbeddings {
  static readonly tables: Tables = {
    /** `is_swept`: its leftover vectors are removed. */
    7: [
      `CREATE TABLE re_embeddings (
    id TEXT PRIMARY KEY, collection_id TEXT NOT NULL, before_id TEXT NOT NULL, embedder_id TEXT NOT NULL,
    dimensions INTEGER NOT NULL, table_id TEXT NOT NULL, state TEXT NOT NULL, stage TEXT, done INTEGER NOT NULL, total INTEGER,
    stage_at INTEGER NOT NULL, started_at INTEGER NOT NULL, finished_at INTEGER, error TEXT, is_swept INTEGER NOT NULL
  ) WITHOUT ROWID`,
      `CREATE UNIQUE INDEX re_embeddings_open ON re_embeddings (collection_id) WHERE state IN ('queued', 'running')`,
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /**
   * Returns the open re-embedding, or replaces one to another model; undefined if nothing would
   * change.
   */
  async request(
    collectionId: string,
    { embedderId, dimensions }: EmbeddedBy,
    engine?: IndexEngine,
  ): Promise<ReEmbedding | undefined> {
    const sql =
      'SELECT embedder_id, coalesce(table_id, id) AS table_id FROM collections WHERE id = ?'
    return await this.#catalog.transaction(async inside => {
      const open = await this.findOpen(collectionId, inside)
      const before = await inside.get<Pick<Row, 'embedder_id' | 'table_id'>>(sql, collectionId)
      const to = engine ?? parseEngine((open?.tableId ?? before?.table_id) || '')
      const isReached = before?.embedder_id === embedderId && parseEngine(before.table_id) === to
      if (open?.embedderId === embedderId && parseEngine(open.tableId) === to && !isReached)
        return open
      if (open) await endReEmbedding(inside, open.id, 'cancelled')
      if (before === undefined || isReached) return undefined
      const beforeId = before.embedder_id
      const now = Date.now()
      const requested = {
        id: createId('job_'),
        collectionId,
        beforeId,
        embedderId,
        dimensions,
        tableId: createTableId(collectionId, to),
      }
      await inside.run(
        `INSERT INTO re_embeddings VALUES (?, ?, ?, ?, ?, ?, 'queued', NULL, 0, NULL, ?, ?, NULL, NULL, 0)`,
        requested.id,
        collectionId,
        beforeId,
        embedderId,
        dimensions,
        requested.tableId,
        now,
        now,
      )
      return requested
    })
  }

  async findOpen(
    collectionId: string,
    inside: Statements = this.#catalog,
  ): Promise<ReEmbedding | undefined> {
    const sql = `SELECT * FROM re_embeddings WHERE collection_id = ? AND state IN ('queued', 'running')`
    const row = await inside.get<Row>(sql, collectionId)
    return row && fromRow(row)
  }

  async isOpen(id: string, inside: Statements = this.#catalog): Promise<boolean> {
    const sql = `SELECT 1 FROM re_embeddings WHERE id = ? AND state IN ('queued', 'running')`
    return (await inside.get(sql, id)) !== undefined
  }

  async recordProgress(id: string, { stage, done, total }: ReEmbeddingProgress): Promise<boolean> {
    const sql = `UPDATE re_embeddings SET state = 'running', stage_at = CASE WHEN stage = ?2 THEN stage_at ELSE ?5 END, stage = ?2, done = ?3, total = ?4
      WHERE id = ?1 AND state IN ('queued', 'running')`
    return (await this.#catalog.run(sql, id, stage, done, total, Date.now())) > 0
  }

  async release(collectionId: string): Promise<void> {
    await this.#catalog.run(
      `UPDATE re_embeddings SET state = 'queued' WHERE collection_id = ? AND state = 'running'`,
      collectionId,
    )
  }

  /** Does nothing if it has ended. */
  async publish({ id, collectionId, tableId, embedderId, dimensions }: ReEmbedding): Promise<void> {
    const updateVersions = `UPDATE versions SET embedder_id = CASE WHEN document_id IN (SELECT id FROM documents WHERE collection_id = ?1
      AND settings ->> '$.withoutVectors' IS NOT NULL) THEN '' ELSE ?2 END WHERE collection_id = ?1 AND state = 'published'`
    const updateCollection =
      'UPDATE collections SET table_id = ?, embedder_id = ?, dimensions = ? WHERE id = ?'
    await this.#catalog.transaction(async inside => {
      if (!(await this.isOpen(id, inside))) return
      await inside.run(updateVersions, collectionId, embedderId === NO_EMBEDDER ? '' : embedderId)
      await inside.run(updateCollection, tableId, embedderId, dimensions, collectionId)
      await raiseEpoch(inside, collectionId)
      await endReEmbedding(inside, id, 'completed')
    })
  }

  async fail(
    id: string,
    error: { readonly code: ErrorCode; readonly message: string },
  ): Promise<void> {
    await endReEmbedding(this.#catalog, id, 'failed', error)
  }

  /** Uses one statement, since tables of open re-embeddings become those of collections. */
  async listTables(): Promise<ReadonlySet<string>> {
    const sql = `SELECT coalesce(table_id, id) AS id FROM collections
      UNION SELECT table_id FROM re_embeddings WHERE state IN ('queued', 'running')`
    return new Set((await this.#catalog.all<{ id: string }>(sql)).map(row => row.id))
  }

  async listLeftOver(
    collectionId: string,
  ): Promise<readonly { readonly id: string; readonly embedderId: string }[]> {
    const sql = `SELECT id, CASE WHEN state = 'completed' THEN before_id ELSE embedder_id END AS embedder FROM re_embeddings
      WHERE collection_id = ? AND is_swept = 0 AND finished_at IS NOT NULL`
    const rows = await this.#catalog.all<{ id: string; embedder: string }>(sql, collectionId)
    return rows.map(({ id, embedder }) => ({ id, embedderId: embedder }))
  }

  async hasLeftOver(collectionId: string): Promise<boolean> {
    const sql =
      'SELECT 1 FROM re_embeddings WHERE collection_id = ? AND is_swept = 0 AND finished_at IS NOT NULL'
    return (await this.#catalog.get(sql, collectionId)) !== undefined
  }

  /** Also forgets old re-embeddings. */
  async markSwept(id: string): Promise<void> {
    await this.#catalog.transaction(async inside => {
      await inside.run('UPDATE re_embeddings SET is_swept = 1 WHERE id = ?', id)
      await inside.run(
        'DELETE FROM re_embeddings WHERE is_swept = 1 AND finished_at < ?',
        Date.now() - KEEP_MS,
      )
    })
  }
}

/** Leaves the collection unchanged unless it is completed. */
export async function endReEmbedding(
  catalog: Statements,
  id: string,
  state: 'completed' | 'failed' | 'cancelled',
  error?: Failure,
): Promise<void> {
  const sql = `UPDATE re_embeddings SET state = ?1, finished_at = ?2, error = ?3, done = CASE WHEN ?1 = 'completed' THEN coalesce(total, done) ELSE done END
    WHERE id = ?4 AND state IN ('queued', 'running') RETURNING collection_id`
  await catalog.transaction(async inside => {
    const text = error ? JSON.stringify(error) : null
    const row = await inside.get<{ collection_id: string }>(sql, state, Date.now(), text, id)
    if (!row) return
    const { collection_id: collectionId } = row
    await recordEvents(inside, [{ type: `job.${state}`, jobId: id, collectionId, error }])
  })
}

/**
 * Queues an ended one again, from the present model. Call it inside the transaction that read
 * its state. Throws `conflict` if another one is open.
 */
export async function retryReEmbedding(catalog: Statements, id: string): Promise<void> {
  const other = await catalog.get<{ embedder_id: string }>(
    `SELECT open.embedder_id FROM re_embeddings JOIN re_embeddings AS open ON open.collection_id = re_embeddings.collection_id
     WHERE re_embeddings.id = ? AND open.id <> re_embeddings.id AND open.state IN ('queued', 'running')`,
    id,
  )
  if (other)
    throw new AppError(
      'conflict',
      localizable`The collection is being embedded with ${other.embedder_id}. Wait until it ends.`,
      { advice: 'passim jobs shows the progress.' },
    )
  const sql = `UPDATE re_embeddings SET state = 'queued', finished_at = NULL, error = NULL, is_swept = 0,
    before_id = (SELECT embedder_id FROM collections WHERE collections.id = collection_id)
    WHERE id = ? AND state IN ('failed', 'cancelled')`
  await catalog.run(sql, id)
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
