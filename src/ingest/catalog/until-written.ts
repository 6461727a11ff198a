import type { Catalog } from '../catalog.ts'

/** Answers that are remembered at a time. */
const MAX_KNOWN = 1_000

/** What was read from the catalog, remembered until anything is written there; what was not there is looked for again. */
export class UntilWritten<Value> {
  readonly #catalog: Pick<Catalog, 'state'>
  #known = new Map<string, Value>()
  #state = ''

  constructor(catalog: Pick<Catalog, 'state'>) {
    this.#catalog = catalog
  }

  async get<Found extends Value | undefined>(key: string, read: () => Promise<Found>): Promise<Found> {
    const state = await this.#catalog.state()
    if (state !== this.#state || this.#known.size > MAX_KNOWN) this.#known = new Map() // who still reads for the one before fills that
    this.#state = state
    const known = this.#known
    if (known.has(key)) return known.get(key) as Found // what was read under this key
    const found = await read()
    if (found !== undefined) known.set(key, found)
    return found
  }

  forget(key: string): void {
    this.#known.delete(key)
  }
}
