import type { Catalog } from '../catalog.ts'
import type { Collection, Collections } from './collections.ts'
import { UntilWritten } from './until-written.ts'

/** Where collections are looked up. */
export type CollectionLookup = Pick<Collections, 'byId' | 'byName' | 'list'>

/**
 * Collections as searches see them, which ask for the same ones several times: as of the state of the catalog by which they judge
 * what is found. One that is not known is asked for each time, since another node may just have made it.
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

  /** As it is now, for who found that it cannot be as it was. */
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
