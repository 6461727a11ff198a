import type { Documents } from '../ingest/store/catalog/documents.ts'
import type { Catalog } from '../ingest/store/catalog.ts'
import { filterAttributes } from '../ingest/store/filter-attributes.ts'
import { RecentMap } from '../system/recent-map.ts'
import { type Filter, matchFilter } from './filter.ts'

/** Cached filters, so that pages of one search share the result. */
const CACHED_FILTERS = 32

/** `names`: all attribute names in the collection. */
type FilteredDocuments = {
  readonly state: string
  readonly versions: readonly number[]
  readonly names: ReadonlySet<string>
}

/** Caches the published versions of documents that meet a filter. */
export class FilteredVersions {
  readonly #catalog: Catalog
  readonly #documents: Documents
  readonly #resolved = new RecentMap<string, FilteredDocuments>(CACHED_FILTERS)

  constructor(catalog: Catalog, documents: Documents) {
    this.#catalog = catalog
    this.#documents = documents
  }

  async findVersions(collectionId: string, filter: Filter): Promise<readonly number[]> {
    return (await this.#resolveFresh(collectionId, filter)).versions
  }

  async listAttributeNames(collectionId: string, filter: Filter): Promise<ReadonlySet<string>> {
    return (await this.#resolveFresh(collectionId, filter)).names
  }

  async #resolveFresh(collectionId: string, filter: Filter): Promise<FilteredDocuments> {
    const key = `${collectionId} ${JSON.stringify(filter)}`
    const state = await this.#catalog.state()
    const cached = this.#resolved.get(key)
    const fresh =
      cached?.state === state ? cached : { state, ...(await this.#resolve(collectionId, filter)) }
    this.#resolved.set(key, fresh)
    return fresh
  }

  async #resolve(collectionId: string, filter: Filter): Promise<Omit<FilteredDocuments, 'state'>> {
    const versions: number[] = []
    const names = new Set<string>()
    for (const { version, document } of await this.#documents.listPublished(collectionId)) {
      const attributes = filterAttributes(document)
      for (const name of Object.keys(attributes)) names.add(name)
      if (matchFilter(filter, attributes)) versions.push(version)
    }
    return { versions: versions.toSorted((a, b) => a - b), names }
  }
}
