import type { Catalog, Schema } from '../../ingest/catalog.ts'
import { filesOf, type Message } from '../message.ts'

export const fileUseSchema: Schema = [
  'CREATE TABLE file_uses (file_id TEXT NOT NULL, owner_id TEXT NOT NULL, PRIMARY KEY (file_id, owner_id)) WITHOUT ROWID',
  'CREATE INDEX file_uses_by_owner ON file_uses (owner_id)',
  `INSERT OR IGNORE INTO file_uses SELECT part.value, conversation_id FROM conversation_items, json_tree(body, '$.content') AS part
    WHERE kind = 'message' AND part.key = 'file' AND part.type = 'text'`,
  `INSERT OR IGNORE INTO file_uses SELECT part.value, responses.id FROM responses, json_tree(messages) AS part
    WHERE part.key = 'file' AND part.type = 'text'`,
]

export type FileUse = { readonly fileId: string; readonly ownerId: string }

const HAS_OWNER = '(owner_id IN (SELECT id FROM conversations) OR owner_id IN (SELECT id FROM responses))'

/** Which conversations and responses have which files in what was said. */
export class FileUses {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  note(ownerId: string, messages: readonly Message[]): void {
    for (const fileId of filesOf(messages))
      this.#catalog.run('INSERT OR IGNORE INTO file_uses VALUES (?, ?)', fileId, ownerId)
  }

  of(ownerId: string): readonly FileUse[] {
    const sql = 'SELECT file_id AS fileId, owner_id AS ownerId FROM file_uses WHERE owner_id = ?'
    return this.#catalog.all<FileUse>(sql, ownerId)
  }

  /** Uses by what is not there any more. */
  left(limit: number): readonly FileUse[] {
    const sql = `SELECT file_id AS fileId, owner_id AS ownerId FROM file_uses WHERE NOT ${HAS_OWNER} LIMIT ?`
    return this.#catalog.all<FileUse>(sql, limit)
  }

  forget({ fileId, ownerId }: FileUse): void {
    this.#catalog.run('DELETE FROM file_uses WHERE file_id = ? AND owner_id = ?', fileId, ownerId)
  }

  forgetAll(ownerId: string): void {
    this.#catalog.run('DELETE FROM file_uses WHERE owner_id = ?', ownerId)
  }
}

/** No conversation and no response has the file any more, and no collection that a user made. Inside the transaction that deletes it. */
export function isLeft(catalog: Catalog, fileId: string): boolean {
  const sql = `SELECT 1 FROM file_uses WHERE file_id = ?1 AND ${HAS_OWNER}
    UNION ALL SELECT 1 FROM documents LEFT JOIN collections ON collections.id = collection_id
    WHERE file_id = ?1 AND coalesce(hidden, 0) = 0`
  return catalog.get(sql, fileId) === undefined
}
