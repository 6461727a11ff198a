import type { Library } from '../ingest/library.ts'
import type { FilteredVersions } from './filtered-versions.ts'
import type { Indexes } from './index-reader.ts'
import type { RankQuery } from './ranker.ts'
import type { Query } from './searcher.ts'
import { UnionReader } from './union-reader.ts'

/** Turns what a query names, collections, documents, a filter, into the index to read and the rows that count. */
export class QueryScope {
  readonly #library: Library
  readonly #filtered: FilteredVersions
  readonly #indexes: Indexes

  constructor(parts: { readonly library: Library; readonly filtered: FilteredVersions; readonly indexes: Indexes }) {
    this.#library = parts.library
    this.#filtered = parts.filtered
    this.#indexes = parts.indexes
  }

  /** Undefined while nothing was ever indexed there. */
  async open(query: Query): Promise<RankQuery | undefined> {
    const { text, wording, collectionIds, pages, weights } = query
    const opened = await Promise.all(collectionIds.map(id => this.#indexes.open(id)))
    const [first, ...more] = opened.filter(index => index !== undefined)
    if (!first) return undefined
    const index = more.length > 0 ? new UnionReader([first, ...more]) : first
    return { text, wording, collectionIds, index, only: { versions: this.#allowed(query), pages }, weights }
  }

  /** The versions that the query may find, ascending; undefined when it may find all. */
  #allowed({ collectionIds, documentIds, filter }: Query): readonly number[] | undefined {
    const filtered = filter && collectionIds.flatMap(id => this.#filtered.of(id, filter)).toSorted((a, b) => a - b)
    if (!documentIds) return filtered
    const named = this.#library.versionsOf(documentIds).toSorted((a, b) => a - b)
    if (!filtered) return named
    const passing = new Set(filtered)
    return named.filter(version => passing.has(version))
  }

  /** Another process may have dropped a table, or made it anew. */
  forget({ collectionIds }: Query): void {
    for (const id of collectionIds) this.#indexes.forget(id)
  }
}
