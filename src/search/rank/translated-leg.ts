import { detectLanguage } from '../../text/language.ts'
import type { Translation } from '../translation.ts'
import type { Judged, RankQuery, Scored, WordLeg } from './ranker.ts'

/**
 * Share of translated words. With more, the other language outranks answers in the query's own
 * (tuning half of test/eval/cross-language, 2026).
 */
const TRANSLATED_SHARE = 0.5

/** Multiple of the requested rows, so that one query also judges others. */
const FURTHER = 2

type FoundRows = ReadonlyMap<bigint, Scored>

type Translated = {
  readonly terms: readonly string[]
  readonly factor: number
  readonly maxScore: number
  readonly full: number
}

/** Adds the query's words in the other language, if the collection has texts in it. */
export class TranslatedLeg implements WordLeg {
  readonly #words: WordLeg
  readonly #translation: Translation
  readonly #found = new WeakMap<
    RankQuery,
    { readonly limit: number; readonly others: Promise<FoundRows> }
  >()
  readonly #translatedQueries = new WeakMap<
    RankQuery,
    { readonly translated: Translated | undefined }
  >()

  constructor(words: WordLeg, translation: Translation) {
    this.#words = words
    this.#translation = translation
  }

  async find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]> {
    const found = await this.#words.find(query, limit, signal)
    const others = await this.#findTranslated(query, limit)
    if (others.size === 0) return found
    const foundByRow = new Map(found.map(scored => [scored.row, scored]))
    for (const [row, other] of others)
      foundByRow.set(row, { ...other, score: other.score + (foundByRow.get(row)?.score ?? 0) })
    return [...foundByRow.values()].toSorted((a, b) => b.score - a.score).slice(0, limit)
  }

  async judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>> {
    const judged = new Map(await this.#words.judge(query, rows, signal))
    const others = await this.#findTranslated(query, rows.length)
    for (const row of rows) {
      const other = others.get(row)
      if (other)
        judged.set(row, { score: other.score + (judged.get(row)?.score ?? 0), weak: false })
    }
    return judged
  }

  async #findTranslated(query: RankQuery, limit: number): Promise<FoundRows> {
    const cached = this.#found.get(query)
    if (cached && cached.limit >= limit) return await cached.others
    const candidateLimit = FURTHER * limit
    const others = this.#find(query, candidateLimit)
    this.#found.set(query, { limit: candidateLimit, others })
    return await others
  }

  async #find(query: RankQuery, limit: number): Promise<FoundRows> {
    const translated = await this.#getTranslation(query)
    if (!translated) return new Map()
    const found = await query.index.findByKeyword(translated.terms, limit, query.only)
    return new Map(
      found.map(hit => [
        hit.row,
        {
          ...hit,
          score: Math.min(translated.maxScore, translated.factor * hit.score),
          weak: false,
        },
      ]),
    )
  }

  async findTerms(query: RankQuery): Promise<ReadonlyMap<string, number>> {
    const { terms = [], factor = 0 } = (await this.#getTranslation(query)) ?? {}
    return new Map([
      ...(await this.#words.findTerms(query)),
      ...terms.map(term => [term, factor] as const),
    ])
  }

  async computeFullScore(query: RankQuery): Promise<number | undefined> {
    const translated = await this.#getTranslation(query)
    return translated?.full ?? (await this.#words.computeFullScore(query))
  }

  async #getTranslation(query: RankQuery): Promise<Translated | undefined> {
    const cached = this.#translatedQueries.get(query)
    if (cached) return cached.translated
    const translated = await this.#translate(query)
    this.#translatedQueries.set(query, { translated })
    return translated
  }

  /** Gives a chunk with the rarest meaning of every word their full share. */
  async #translate(query: RankQuery): Promise<Translated | undefined> {
    const { counts } = query
    if (!counts?.hasLanguage(detectLanguage(query.text) === 'zh' ? 'en' : 'zh')) return undefined
    const words = this.#translation.translate(query.text)
    const meanings = words.meanings.map(terms => counts.selectLikely(terms))
    const own = await this.#words.findTerms(query)
    const terms = [...new Set(meanings.flat())].filter(term => !own.has(term))
    if (terms.length === 0) return undefined
    const all = meanings.reduce(
      (sum, some) => sum + Math.max(0, ...some.map(term => counts.computeIdf(term))),
      0,
    )
    if (all === 0) return undefined
    if (!counts.isWrittenLanguage(detectLanguage(query.text))) {
      const same = [...own].filter(([term]) => counts.hasTerm(term))
      const full = same.reduce(
        (sum, [term, count]) => sum + count * counts.computeIdf(term),
        all / words.share,
      )
      return { terms, factor: 1, maxScore: Number.POSITIVE_INFINITY, full }
    }
    const full = (await this.#words.computeFullScore(query)) ?? 0
    const maxScore = TRANSLATED_SHARE * words.share * full
    return { terms, factor: Math.min(TRANSLATED_SHARE, maxScore / all), maxScore, full }
  }
}
