import { createId } from '../../../system/digest.ts'
import type { Statements, Tables } from '../catalog.ts'

export type FileBatch = {
  readonly id: string
  readonly collectionId: string
  readonly cancelled: boolean
  /** Includes removed documents. */
  readonly documentIds: readonly string[]
  readonly createdAt: number
}

type Row = { id: string; collection_id: string; cancelled: number; created_at: number }

export class FileBatches {
  static readonly tables: Tables = {
    2: [
      `CREATE TABLE file_batches (
    id TEXT PRIMARY KEY, collection_id TEXT NOT NULL, cancelled INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      `CREATE TABLE file_batch_documents (
    batch_id TEXT NOT NULL, document_id TEXT NOT NULL, PRIMARY KEY (batch_id, document_id)
  ) WITHOUT ROWID`,
      'CREATE INDEX file_batches_by_collection ON file_batches (collection_id)',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async add(collectionId: string, documentIds: readonly string[]): Promise<FileBatch> {
    const id = createId('vsfb_')
    const sql = 'INSERT INTO file_batch_documents VALUES (?, ?) ON CONFLICT DO NOTHING'
    return await this.#catalog.transaction(async inside => {
      await inside.run('INSERT INTO file_batches VALUES (?, ?, 0, ?)', id, collectionId, Date.now())
      for (const documentId of documentIds) await inside.run(sql, id, documentId)
      return (await this.find(collectionId, id, inside))!
    })
  }

  async find(
    collectionId: string,
    id: string,
    inside: Statements = this.#catalog,
  ): Promise<FileBatch | undefined> {
    const sql = 'SELECT * FROM file_batches WHERE id = ? AND collection_id = ?'
    const row = await inside.get<Row>(sql, id, collectionId)
    return row && { ...fromRow(row), documentIds: await this.#listDocumentIds(inside, id) }
  }

  async cancel(id: string): Promise<void> {
    await this.#catalog.run('UPDATE file_batches SET cancelled = 1 WHERE id = ?', id)
  }

  async prune(): Promise<void> {
    await this.#catalog.transaction(async inside => {
      await inside.run(
        'DELETE FROM file_batches WHERE collection_id NOT IN (SELECT id FROM collections)',
      )
      await inside.run(
        'DELETE FROM file_batch_documents WHERE batch_id NOT IN (SELECT id FROM file_batches)',
      )
    })
  }

  async #listDocumentIds(inside: Statements, batchId: string): Promise<readonly string[]> {
    const sql = 'SELECT document_id FROM file_batch_documents WHERE batch_id = ?'
    return (await inside.all<{ document_id: string }>(sql, batchId)).map(row => row.document_id)
  }
}

function fromRow(row: Row) {
  return {
    id: row.id,
    collectionId: row.collection_id,
    cancelled: row.cancelled === 1,
    createdAt: row.created_at,
  }
}
