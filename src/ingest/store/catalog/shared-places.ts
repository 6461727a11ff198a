import { createId } from '../../../system/digest.ts'
import type { Statements, Tables } from '../catalog.ts'

/** The store's id in shared places, and the places checked. */
export class SharedPlaces {
  static readonly tables: Tables = {
    15: [
      'CREATE TABLE store_identity (id TEXT PRIMARY KEY) WITHOUT ROWID',
      'CREATE TABLE shared_places (name TEXT PRIMARY KEY, tried_at INTEGER NOT NULL) WITHOUT ROWID',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Differs in a restored backup: stores with one id would remove each other's tables. */
  async storeId(): Promise<string> {
    const existing = await this.#find(this.#catalog)
    if (existing !== undefined) return existing
    return await this.#catalog.transaction(async inside => {
      const id = (await this.#find(inside)) ?? createId('store_')
      await inside.run('INSERT INTO store_identity VALUES (?) ON CONFLICT DO NOTHING', id)
      return id
    })
  }

  /** For a copy of a store. */
  async forget(): Promise<void> {
    await this.#catalog.transaction(async inside => {
      await inside.run('DELETE FROM store_identity')
      await inside.run('DELETE FROM shared_places')
    })
  }

  async isTried(name: string): Promise<boolean> {
    return (
      (await this.#catalog.get('SELECT 1 FROM shared_places WHERE name = ?', name)) !== undefined
    )
  }

  async noteTried(name: string): Promise<void> {
    await this.#catalog.run(
      'INSERT INTO shared_places VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET tried_at = excluded.tried_at',
      name,
      Date.now(),
    )
  }

  async #find(inside: Statements): Promise<string | undefined> {
    return (await inside.get<{ id: string }>('SELECT id FROM store_identity'))?.id
  }
}
