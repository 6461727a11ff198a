import { toDamageError } from '../index-damage.ts'
import type {
  Candidate,
  Found,
  IndexReader,
  Restriction,
  RowScores,
  RowVector,
  TermStatistics,
  VectorQuery,
} from '../index-reader.ts'

/** Reads of one query: names damage, and starts no read once the signal is aborted. */
export class QueryReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #collection: string
  readonly #signal: AbortSignal | undefined

  constructor(reader: IndexReader, collection: string, signal?: AbortSignal) {
    this.#reader = reader
    this.#collection = collection
    this.#signal = signal
  }

  findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#read(reader => reader.findByKeyword(terms, limit, only))
  }

  findNearest(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#read(reader => reader.findNearest(query, limit, only))
  }

  findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#read(reader => reader.findWithAllTerms(terms, limit, only))
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

  readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    return this.#read(reader => reader.readStatistics(terms))
  }

  readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#read(reader => reader.readFirst(limit, only))
  }

  readCandidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    return this.#read(reader => reader.readCandidates(found))
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
