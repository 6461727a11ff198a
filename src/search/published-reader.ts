import type { Versions } from '../ingest/versions.ts'
import type { Candidate, IndexReader, Restriction } from './index-reader.ts'

/** More versions than this are listed only when nothing else helps: each costs a query 3 to 7 µs (bench/filters.ts). */
const LISTED_VERSIONS = 500

/** How many times as many rows are read as are wanted, to leave out those of other versions. */
const SIEVED = 4

/** An index reader that shows published versions only: rows of superseded or unfinished ones are dropped and made up for. */
export class PublishedReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #versions: Pick<Versions, 'current'>

  constructor(reader: IndexReader, versions: Pick<Versions, 'current'>) {
    this.#reader = reader
    this.#versions = versions
  }

  keyword(
    collectionId: string,
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    return this.#allowed(limit, only, (asked, only) => this.#reader.keyword(collectionId, terms, asked, only))
  }

  vector(collectionId: string, vector: Float32Array, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#allowed(limit, only, (asked, only) => this.#reader.vector(collectionId, vector, asked, only))
  }

  first(collectionId: string, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#allowed(limit, only, (asked, only) => this.#reader.first(collectionId, asked, only))
  }

  /** Few versions go into the query; of many, the best rows are mostly among the best of all, which is tried first. */
  async #allowed(limit: number, only: Restriction, fetch: Fetch): Promise<readonly Candidate[]> {
    if (!only.versions || only.versions.length <= LISTED_VERSIONS) return await this.#published(limit, only, fetch)
    const { versions, ...rest } = only
    const allowed = new Set(versions)
    const asked = limit * SIEVED
    const found = await this.#published(asked, rest, fetch)
    const kept = found.filter(candidate => allowed.has(candidate.version))
    if (kept.length >= limit || found.length < asked) return kept.slice(0, limit)
    return await this.#published(limit, only, fetch)
  }

  /** Ask for twice as many until enough of them are published or there are no more. */
  async #published(limit: number, only: Restriction, fetch: Fetch): Promise<readonly Candidate[]> {
    for (let asked = limit; ; asked *= 2) {
      const found = await fetch(asked, only)
      const numbers = [...new Set(found.map(candidate => candidate.version))]
      const current = new Set(this.#versions.current(numbers).map(version => version.version))
      const kept = found.filter(candidate => current.has(candidate.version))
      if (kept.length >= limit || found.length < asked) return kept.slice(0, limit)
    }
  }
}

type Fetch = (limit: number, only: Restriction) => Promise<readonly Candidate[]>
