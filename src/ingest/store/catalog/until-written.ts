import type { Catalog } from '../catalog.ts'

/** What was read from the catalog, remembered until anything is written there. */
export class UntilWritten<Key, Value> {
  readonly #catalog: Pick<Catalog, 'state'>
  readonly #most: number
  #known = new Map<Key, Value>()
  #state = ''

  /** `most` answers are remembered at a time. */
  constructor(catalog: Pick<Catalog, 'state'>, most = 1_000) {
    this.#catalog = catalog
    this.#most = most
  }

  /** What is known of the keys, and maybe of others. `read` is asked for those that are not, and for what it does not give each time. */
  async of(
    keys: readonly Key[],
    read: (unknown: readonly Key[]) => Promise<Iterable<readonly [Key, Value]>>,
  ): Promise<ReadonlyMap<Key, Value>> {
    const state = await this.#catalog.state()
    if (state !== this.#state || this.#known.size > this.#most) this.#known = new Map() // who still reads for the one before fills that
    this.#state = state
    const known = this.#known
    const unknown = keys.filter(key => !known.has(key))
    if (unknown.length > 0) for (const [key, value] of await read(unknown)) known.set(key, value)
    return known
  }

  /** One alone; what is not there is looked for again. */
  async get<Found extends Value | undefined>(key: Key, read: () => Promise<Found>): Promise<Found> {
    const known = await this.of([key], async () => {
      const found = await read()
      return found === undefined ? [] : [[key, found]]
    })
    return known.get(key) as Found // what was read under this key
  }

  forget(key: Key): void {
    this.#known.delete(key)
  }
}
