import { packMessages, unpackMessages } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements, Tables } from '../catalog.ts'

/** `key` changes with the version of the item, and with the stages that might read it. */
type Skip = { readonly key: string; readonly error: Failure }

/** Items that no parser reads, so that they are not fetched again. */
export class SourceSkips {
  static readonly tables: Tables = {
    25: [
      `CREATE TABLE source_skips (
    source TEXT NOT NULL, path TEXT NOT NULL, item_key TEXT NOT NULL, error TEXT NOT NULL, PRIMARY KEY (source, path)
  ) WITHOUT ROWID`,
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async list(source: string): Promise<ReadonlyMap<string, Skip>> {
    type Row = { path: string; item_key: string; error: string }
    const sql = 'SELECT path, item_key, error FROM source_skips WHERE source = ?'
    const rows = await this.#catalog.all<Row>(sql, source)
    return new Map(
      rows.map(row => {
        const error = unpackMessages(parseOwnJson<Failure>(row.error))
        return [row.path, { key: row.item_key, error }]
      }),
    )
  }

  async save(source: string, path: string, { key, error }: Skip): Promise<void> {
    await this.#catalog.run(
      `INSERT INTO source_skips VALUES (?, ?, ?, ?) ON CONFLICT (source, path) DO UPDATE SET
       item_key = excluded.item_key, error = excluded.error`,
      source,
      path,
      key,
      JSON.stringify(packMessages(error)),
    )
  }

  async remove(source: string, paths: readonly string[]): Promise<void> {
    const sql = `DELETE FROM source_skips WHERE source = ? AND path IN (SELECT value FROM json_each(?))`
    if (paths.length > 0) await this.#catalog.run(sql, source, JSON.stringify(paths))
  }

  async forget(source: string): Promise<void> {
    await this.#catalog.run('DELETE FROM source_skips WHERE source = ?', source)
  }
}
