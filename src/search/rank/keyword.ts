import { EXTENSIONS } from '../../ingest/parse/detection/extensions.ts'
import type { Analyzer } from '../../text/analyzer.ts'
import { countTerms } from '../term-counts.ts'
import type { Judged, RankQuery, Scored, WordLeg } from './ranker.ts'

/**
 * Exact BM25 (k1 1.2, b .75; Robertson 1994). Repeated terms count repeatedly; stop words only
 * if nothing else matches.
 */
export class KeywordLeg implements WordLeg {
  readonly #analyzer: Analyzer
  readonly #terms = new WeakMap<RankQuery, readonly string[]>()

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  async find(query: RankQuery, limit: number): Promise<readonly Scored[]> {
    const { text, index, only } = query
    const contentTerms = this.#listTerms(query)
    let found = await index.findByKeyword(contentTerms, limit, only)
    if (found.length === 0 && !only.rows) {
      const searched = new Set(contentTerms)
      const all = this.#analyzer.listTerms(text)
      if (all.some(term => !searched.has(term))) found = await index.findByKeyword(all, limit, only)
    }
    return found.map(({ row, version, score }) => ({ row, version, score, weak: false }))
  }

  async judge(query: RankQuery, rows: readonly bigint[]): Promise<ReadonlyMap<bigint, Judged>> {
    const scores = await query.index.scoreByKeyword(this.#listTerms(query), rows)
    return new Map([...scores].map(([row, score]) => [row, { score, weak: false }]))
  }

  async findTerms(query: RankQuery): Promise<ReadonlyMap<string, number>> {
    return countTerms(this.#listTerms(query))
  }

  #listTerms(query: RankQuery): readonly string[] {
    const terms = this.#terms.get(query) ?? this.#findTerms(query)
    this.#terms.set(query, terms)
    return terms
  }

  #findTerms({ text, corrections }: RankQuery): readonly string[] {
    const values = this.#analyzer.listQueryValues(text, EXTENSIONS)
    const near = corrections?.terms ?? []
    return [...this.#analyzer.listQueryTerms(text), ...values, ...near]
  }

  /**
   * Returns the score of an average chunk with every term as written. Expects the rarest
   * correction of a missing word.
   */
  async computeFullScore(query: RankQuery): Promise<number | undefined> {
    const { corrections, counts, text } = query
    const terms = counts ? this.#analyzer.listQueryTerms(text) : []
    if (!corrections) return counts?.computeFullScore(terms)
    const existing = terms.filter(term => !corrections.missing.has(term))
    return counts?.computeFullScore([...existing, ...corrections.rarest])
  }
}
