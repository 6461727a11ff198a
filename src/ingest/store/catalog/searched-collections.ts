import type { Catalog } from '../catalog.ts'
import type { Collection, Collections } from './collections.ts'
import { UntilWritten } from './until-written.ts'

/** Looks up collections. */
export type CollectionLookup = Pick<Collections, 'byId' | 'byName' | 'list'>

/**
 * Caches collections for searches, which look the same ones up several times, until the catalog changes. A missing one is looked
 * up each time, since another node may just have created it.
 */
export class SearchedCollections implements CollectionLookup {
  readonly #collections: CollectionLookup
  readonly #one: UntilWritten<string, Collection>
  readonly #all: UntilWritten<string, readonly Collection[]>

  constructor(catalog: Pick<Catalog, 'state'>, collections: CollectionLookup) {
    this.#collections = collections
    this.#one = new UntilWritten(catalog)
    this.#all = new UntilWritten(catalog)
  }

  async byId(id: string): Promise<Collection | undefined> {
    return await this.#one.get(`id ${id}`, async () => await this.#collections.byId(id))
  }

  /** Reads a collection again, for a caller who found that the cached one is stale. */
  async byIdNow(id: string): Promise<Collection | undefined> {
    this.#one.forget(`id ${id}`)
    return await this.byId(id)
  }

  async byName(name: string): Promise<Collection | undefined> {
    return await this.#one.get(`name ${name}`, async () => await this.#collections.byName(name))
  }

  async list(): Promise<readonly Collection[]> {
    return await this.#all.get('', async () => await this.#collections.list())
  }
}
