import type { Analyzer } from './analyzer.ts'
import type { IndexReader } from './index-reader.ts'
import { byScore, type Ranked, type Ranker, type RankQuery } from './ranker.ts'

/** Exact BM25 (k1 1.2, b .75) over the terms of the query; nothing when no term matches. */
export class KeywordRanker implements Ranker {
  readonly #reader: IndexReader
  readonly #analyzer: Analyzer

  constructor(reader: IndexReader, analyzer: Analyzer) {
    this.#reader = reader
    this.#analyzer = analyzer
  }

  async rank({ text, collectionId, only }: RankQuery, limit: number): Promise<readonly Ranked[]> {
    const terms = this.#analyzer.queryTerms(text)
    const found = await this.#reader.keyword(collectionId, terms, limit, only)
    return found.map(candidate => ({ ...candidate, weak: false })).toSorted(byScore)
  }
}
