import type { Catalog } from '../ingest/catalog.ts'
import type { Documents } from '../ingest/documents.ts'
import { filterAttributes } from '../ingest/filter-attributes.ts'
import { type Filter, matches } from './filter.ts'

/** Filters whose documents are remembered; a page of results, then its neighbours, ask the same again. */
const CACHED_FILTERS = 32

type Resolved = { readonly state: string; readonly versions: readonly number[] }

/** The published versions of the documents that a filter lets through. */
export class FilteredVersions {
  readonly #catalog: Catalog
  readonly #documents: Documents
  readonly #resolved = new Map<string, Resolved>()

  constructor(catalog: Catalog, documents: Documents) {
    this.#catalog = catalog
    this.#documents = documents
  }

  /** In ascending order. Asked again with nothing written to the catalog since, it costs nothing. */
  of(collectionId: string, filter: Filter): readonly number[] {
    const key = `${collectionId} ${JSON.stringify(filter)}`
    const state = this.#catalog.state()
    const known = this.#resolved.get(key)
    this.#resolved.delete(key)
    const fresh = known?.state === state ? known : { state, versions: this.#resolve(collectionId, filter) }
    this.#resolved.set(key, fresh)
    if (this.#resolved.size > CACHED_FILTERS) this.#resolved.delete(this.#resolved.keys().next().value!) // not empty
    return fresh.versions
  }

  #resolve(collectionId: string, filter: Filter): readonly number[] {
    const published = this.#documents.published(collectionId)
    const kept = published.filter(({ document }) => matches(filter, filterAttributes(document)))
    return kept.map(({ version }) => version).toSorted((a, b) => a - b)
  }
}
