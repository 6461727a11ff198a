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

/** Translates errors of damaged index files: names the collection and the next step. */
export class DamageReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #collection: string

  constructor(reader: IndexReader, collection: string) {
    this.#reader = reader
    this.#collection = collection
  }

  keyword(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#read(reader => reader.keyword(terms, limit, only))
  }

  vector(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#read(reader => reader.vector(query, limit, only))
  }

  holding(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#read(reader => reader.holding(terms, limit, only))
  }

  keywordScores(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    return this.#read(reader => reader.keywordScores(terms, rows))
  }

  vectorScores(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    return this.#read(reader => reader.vectorScores(query, rows))
  }

  vectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    return this.#read(reader => reader.vectors(rows))
  }

  statistics(terms: readonly string[]): Promise<TermStatistics> {
    return this.#read(reader => reader.statistics(terms))
  }

  first(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#read(reader => reader.first(limit, only))
  }

  candidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    return this.#read(reader => reader.candidates(found))
  }

  async #read<Result>(ask: (reader: IndexReader) => Promise<Result>): Promise<Result> {
    try {
      return await ask(this.#reader)
    } catch (error) {
      throw toDamageError(error, this.#collection)
    }
  }
}
