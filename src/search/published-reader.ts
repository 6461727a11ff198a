import type { Versions } from '../ingest/versions.ts'
import type { Candidate, IndexReader, Restriction } from './index-reader.ts'

/** An index reader that shows published versions only: rows of superseded or unfinished ones are dropped and made up for. */
export class PublishedReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #versions: Versions

  constructor(reader: IndexReader, versions: Versions) {
    this.#reader = reader
    this.#versions = versions
  }

  keyword(
    collectionId: string,
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    return this.#published(limit, asked => this.#reader.keyword(collectionId, terms, asked, only))
  }

  vector(collectionId: string, vector: Float32Array, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#published(limit, asked => this.#reader.vector(collectionId, vector, asked, only))
  }

  first(collectionId: string, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#published(limit, asked => this.#reader.first(collectionId, asked, only))
  }

  /** Ask for twice as many until enough of them are published or there are no more. */
  async #published(
    limit: number,
    fetch: (limit: number) => Promise<readonly Candidate[]>,
  ): Promise<readonly Candidate[]> {
    for (let asked = limit; ; asked *= 2) {
      const found = await fetch(asked)
      const numbers = [...new Set(found.map(candidate => candidate.version))]
      const current = new Set(this.#versions.current(numbers).map(version => version.version))
      const kept = found.filter(candidate => current.has(candidate.version))
      if (kept.length >= limit || found.length < asked) return kept.slice(0, limit)
    }
  }
}
