import type { Statements, Tables } from '../ingest/store/catalog.ts'

/** Conversations of one answer that nobody has gone on with yet: in no list. */
export class UnlistedConversations {
  static readonly tables: Tables = {
    20: [
      'ALTER TABLE conversations ADD COLUMN is_unlisted INTEGER NOT NULL DEFAULT 0',
      'CREATE INDEX conversations_unlisted ON conversations (id) WHERE is_unlisted = 1',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** All of them but one. */
  async beside(
    id: string,
  ): Promise<readonly { readonly id: string; readonly updatedAt: number }[]> {
    const sql = `SELECT id, updated_at AS "updatedAt" FROM conversations WHERE is_unlisted = 1 AND id <> ?`
    return await this.#catalog.all(sql, id)
  }
}
