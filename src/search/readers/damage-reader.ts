import { AppError } from '../../errors.ts'
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

/** An index whose files are damaged is told by the name of its collection, with the way out, and not in the words of its engine. */
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
      throw namedDamage(error, this.#collection)
    }
  }
}

/** What the engine says of its own files; not of two writers at once, nor what the system refuses it (all but that a file is not there). */
const OF_FILES = /lance/i
const OF_OTHERS = /conflict|\bos error (?!2\b)\d/i

/** What LanceDB says of an S3 store that does not answer, or refuses it. */
const OF_S3 = /S3 error|error sending request|object store/i

/** An error of the index's engine as `store_mismatch`, or `store_unavailable` where its store does not answer; any other as it was. */
export function namedDamage(error: unknown, collection: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  if (OF_S3.test(error.message)) {
    const message = `The index of ${collection} cannot be reached: the S3 store that it lies in does not answer. passim doctor looks at it.`
    return new AppError('store_unavailable', message, { cause: error, subject: 'store' })
  }
  if (!OF_FILES.test(error.message) || OF_OTHERS.test(error.message)) return error
  const message = `The index of ${collection} is damaged. passim verify --repair makes it anew from what is stored, without reading or embedding anything again.`
  return new AppError('store_mismatch', message, { cause: error })
}
