import type {
  Candidate,
  Found,
  IndexReader,
  Restriction,
  RowScores,
  TermStatistics,
  VectorQuery,
} from '../index-reader.ts'

/** An index among others whose vectors are of other models: of what is asked it hears what is meant for its own. */
export class ModelReader implements IndexReader {
  readonly #reader: IndexReader
  readonly #embedderId: string

  constructor(reader: IndexReader, embedderId: string) {
    this.#reader = reader
    this.#embedderId = embedderId
  }

  async vector({ byModel }: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]> {
    const own = byModel?.get(this.#embedderId)
    return own ? await this.#reader.vector(own, limit, only) : []
  }

  async vectorScores({ byModel }: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    const own = byModel?.get(this.#embedderId)
    return own ? await this.#reader.vectorScores(own, rows) : new Map()
  }

  keyword(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#reader.keyword(terms, limit, only)
  }

  holding(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return this.#reader.holding(terms, limit, only)
  }

  keywordScores(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    return this.#reader.keywordScores(terms, rows)
  }

  statistics(terms: readonly string[]): Promise<TermStatistics> {
    return this.#reader.statistics(terms)
  }

  first(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    return this.#reader.first(limit, only)
  }

  candidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    return this.#reader.candidates(found)
  }
}
