import type { Catalog } from '../catalog.ts'

export class CatalogCache<Key, Value> {
  readonly #catalog: Pick<Catalog, 'state'>
  readonly #maxEntries: number
  #cached = new Map<Key, Value>()
  #state = ''

  constructor(catalog: Pick<Catalog, 'state'>, maxEntries = 1_000) {
    this.#catalog = catalog
    this.#maxEntries = maxEntries
  }

  async getMany(
    keys: readonly Key[],
    read: (missing: readonly Key[]) => Promise<Iterable<readonly [Key, Value]>>,
  ): Promise<ReadonlyMap<Key, Value>> {
    const state = await this.#catalog.state()
    if (state !== this.#state || this.#cached.size > this.#maxEntries) this.#cached = new Map() // readers of the old state fill the old map
    this.#state = state
    const cached = this.#cached
    const missing = keys.filter(key => !cached.has(key))
    if (missing.length > 0) for (const [key, value] of await read(missing)) cached.set(key, value)
    return cached
  }

  async get<Found extends Value | undefined>(key: Key, read: () => Promise<Found>): Promise<Found> {
    const cached = await this.getMany([key], async () => {
      const found = await read()
      return found === undefined ? [] : [[key, found]]
    })
    return cached.get(key) as Found // `read` gave it for this key
  }

  forget(key: Key): void {
    this.#cached.delete(key)
  }
}
