import { filesOf, type Message } from '../agent/message.ts'
import type { Statements, Tables } from '../ingest/store/catalog.ts'

export type FileUse = { readonly fileId: string; readonly ownerId: string }

const HAS_OWNER =
  '(owner_id IN (SELECT id FROM conversations) OR owner_id IN (SELECT id FROM responses))'

/** Which conversations and responses have which files in what was said. */
export class FileUses {
  static readonly tables: Tables = {
    16: [
      'CREATE TABLE file_uses (file_id TEXT NOT NULL, owner_id TEXT NOT NULL, PRIMARY KEY (file_id, owner_id)) WITHOUT ROWID',
      'CREATE INDEX file_uses_by_owner ON file_uses (owner_id)',
      `INSERT OR IGNORE INTO file_uses SELECT part.value, conversation_id FROM conversation_items, json_tree(body, '$.content') AS part
    WHERE kind = 'message' AND part.key = 'file' AND part.type = 'text'`,
      `INSERT OR IGNORE INTO file_uses SELECT part.value, responses.id FROM responses, json_tree(messages) AS part
    WHERE part.key = 'file' AND part.type = 'text'`,
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async note(ownerId: string, messages: readonly Message[]): Promise<void> {
    for (const fileId of filesOf(messages))
      await this.#catalog.run(
        'INSERT INTO file_uses VALUES (?, ?) ON CONFLICT DO NOTHING',
        fileId,
        ownerId,
      )
  }

  async of(ownerId: string): Promise<readonly FileUse[]> {
    const sql =
      'SELECT file_id AS "fileId", owner_id AS "ownerId" FROM file_uses WHERE owner_id = ?'
    return await this.#catalog.all<FileUse>(sql, ownerId)
  }

  /** Uses by what is not there any more. */
  async left(limit: number): Promise<readonly FileUse[]> {
    const sql = `SELECT file_id AS "fileId", owner_id AS "ownerId" FROM file_uses WHERE NOT ${HAS_OWNER} LIMIT ?`
    return await this.#catalog.all<FileUse>(sql, limit)
  }

  async forget({ fileId, ownerId }: FileUse): Promise<void> {
    await this.#catalog.run(
      'DELETE FROM file_uses WHERE file_id = ? AND owner_id = ?',
      fileId,
      ownerId,
    )
  }

  async forgetAll(ownerId: string): Promise<void> {
    await this.#catalog.run('DELETE FROM file_uses WHERE owner_id = ?', ownerId)
  }
}

/** No conversation and no response has the file any more, and no collection that a user made. Inside the transaction that deletes it. */
export async function isLeft(catalog: Statements, fileId: string): Promise<boolean> {
  const sql = `SELECT 1 FROM file_uses WHERE file_id = ?1 AND ${HAS_OWNER}
    UNION ALL SELECT 1 FROM documents LEFT JOIN collections ON collections.id = collection_id
    WHERE file_id = ?1 AND coalesce(hidden, 0) = 0`
  return (await catalog.get(sql, fileId)) === undefined
}
