import type { Catalog } from '../catalog.ts'
import type { Collection, Collections } from './collections.ts'
import { CatalogCache } from './until-written.ts'

export type CollectionLookup = Pick<Collections, 'findById' | 'findByName' | 'list'>

/** Caches collections until the catalog changes. Always looks up a missing one. */
export class CollectionCache implements CollectionLookup {
  readonly #collections: CollectionLookup
  readonly #one: CatalogCache<string, Collection>
  readonly #all: CatalogCache<string, readonly Collection[]>

  constructor(catalog: Pick<Catalog, 'state'>, collections: CollectionLookup) {
    this.#collections = collections
    this.#one = new CatalogCache(catalog)
    this.#all = new CatalogCache(catalog)
  }

  async findById(id: string): Promise<Collection | undefined> {
    return await this.#one.get(`id ${id}`, async () => await this.#collections.findById(id))
  }

  async reloadById(id: string): Promise<Collection | undefined> {
    this.#one.forget(`id ${id}`)
    return await this.findById(id)
  }

  async findByName(name: string): Promise<Collection | undefined> {
    return await this.#one.get(`name ${name}`, async () => await this.#collections.findByName(name))
  }

  async list(): Promise<readonly Collection[]> {
    return await this.#all.get('', async () => await this.#collections.list())
  }
}
