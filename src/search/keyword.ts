import type { Analyzer } from './analyzer.ts'
import type { Leg, RankQuery, Scored } from './ranker.ts'

/** Exact BM25 (k1 1.2, b .75) over the terms of the query; nothing when no term matches. */
export class KeywordLeg implements Leg {
  readonly #analyzer: Analyzer

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  async find({ text, index, only }: RankQuery, limit: number): Promise<readonly Scored[]> {
    const found = await index.keyword(this.#analyzer.queryTerms(text), limit, only)
    return found.map(row => ({ ...row, weak: false }))
  }
}
