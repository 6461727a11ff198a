import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Versions } from '../../ingest/store/catalog/versions.ts'
import { toDamageError } from '../index-damage.ts'
import type {
  Candidate,
  Found,
  Indexes,
  IndexReader,
  Restriction,
  RowScores,
  RowVector,
  TermStatistics,
  VectorQuery,
} from '../index-reader.ts'

/** Versions listed in a query; more cost more than they save (bench/filters.ts). */
const LISTED_VERSIONS = 500

/** Multiple of the requested rows, so that enough remain without superseded ones. */
const SIEVED = 4

export class PublishedIndexes {
  readonly #indexes: Indexes
  readonly #versions: Pick<Versions, 'filterCurrent' | 'hasPublished'>

  constructor(indexes: Indexes, versions: Pick<Versions, 'filterCurrent' | 'hasPublished'>) {
    this.#indexes = indexes
    this.#versions = versions
  }

  /** Throws `store_mismatch` if documents exist without a readable index. */
  async open(
    { id, tableId, name }: Pick<Collection, 'id' | 'tableId' | 'name'>,
    signal?: AbortSignal,
  ): Promise<IndexReader | undefined> {
    const reader = await this.#indexes.open(tableId, signal)
    if (reader) return new PublishedReader(reader, this.#versions, name, signal)
    if (!(await this.#versions.hasPublished(id))) return undefined
    throw new AppError(
      'store_mismatch',
      localizable`The index of ${name} is missing, or was written by another version of Passim. A service rebuilds it when it starts.`,
      {
        advice:
          'Run passim index or passim verify --repair to rebuild it from stored data; no document is parsed or embedded again.',
      },
    )
  }

  forget(tableId: string): void {
    this.#indexes.forget(tableId)
  }
}

/**
 * Replaces superseded or unfinished versions by further rows. Names damage, and starts no read once
 * the signal is aborted.
 */
class PublishedReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #versions: Pick<Versions, 'filterCurrent'>
  readonly #collection: string
  readonly #signal: AbortSignal | undefined

  constructor(
    reader: IndexReader,
    versions: Pick<Versions, 'filterCurrent'>,
    collection: string,
    signal: AbortSignal | undefined,
  ) {
    this.#reader = reader
    this.#versions = versions
    this.#collection = collection
    this.#signal = signal
  }

  findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#findAllowed(limit, only, (reader, fetchLimit, only) =>
      reader.findByKeyword(terms, fetchLimit, only),
    )
  }

  findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#findAllowed(limit, only, (reader, fetchLimit, only) =>
      reader.findWithAllTerms(terms, fetchLimit, only),
    )
  }

  readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    return this.#read(reader => reader.readStatistics(terms))
  }

  findNearest(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#findAllowed(limit, only, (reader, fetchLimit, only) =>
      reader.findNearest(query, fetchLimit, only),
    )
  }

  scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    return this.#read(reader => reader.scoreByKeyword(terms, rows))
  }

  scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    return this.#read(reader => reader.scoreByVector(query, rows))
  }

  readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    return this.#read(reader => reader.readVectors(rows))
  }

  readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#findAllowed(limit, only, (reader, fetchLimit, only) =>
      reader.readFirst(fetchLimit, only),
    )
  }

  readCandidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    return this.#read(reader => reader.readCandidates(found))
  }

  /** Puts few versions into the query; with many, tries the best rows first. */
  async #findAllowed<Row extends ListedRow>(
    limit: number,
    only: Restriction,
    fetch: Fetch<Row>,
  ): Promise<readonly Row[]> {
    if (!only.versions || only.versions.length <= LISTED_VERSIONS)
      return await this.#findPublished(limit, only, fetch)
    const { versions, ...rest } = only
    const allowed = new Set(versions)
    const fetchLimit = limit * SIEVED
    const found = await this.#findPublished(fetchLimit, rest, fetch)
    const published = found.filter(row => allowed.has(row.version))
    if (published.length >= limit || found.length < fetchLimit) return published.slice(0, limit)
    return await this.#findPublished(limit, only, fetch)
  }

  /** Doubles the rows until enough are published. */
  async #findPublished<Row extends ListedRow>(
    limit: number,
    only: Restriction,
    fetch: Fetch<Row>,
  ): Promise<readonly Row[]> {
    for (let fetchLimit = limit; ; fetchLimit *= 2) {
      const found = await this.#read(reader => fetch(reader, fetchLimit, only))
      const current = await this.#versions.filterCurrent(new Set(found.map(row => row.version)))
      const published = found.filter(row => current.has(row.version) && !row.isExcluded)
      if (published.length >= limit || found.length < fetchLimit) return published.slice(0, limit)
    }
  }

  async #read<Result>(ask: (reader: IndexReader) => Promise<Result>): Promise<Result> {
    this.#signal?.throwIfAborted()
    try {
      return await ask(this.#reader)
    } catch (error) {
      throw toDamageError(error, this.#collection)
    }
  }
}

type ListedRow = Found & Pick<Candidate, 'isExcluded'>

type Fetch<Row> = (reader: IndexReader, limit: number, only: Restriction) => Promise<readonly Row[]>
