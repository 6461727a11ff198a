import type { SynonymConcept, SynonymTerm } from '../synonyms/synonyms.ts'
import type { CountedTerms } from '../term-rarity.ts'
import type { Judged, RankQuery, Scored, WordLeg } from './ranker.ts'

type Scores = Map<bigint, number>

/**
 * Counts a term and its synonyms as one, as Lucene's SynonymQuery: the best counts, no more
 * than the term itself.
 */
export class SynonymLeg implements WordLeg {
  readonly #words: WordLeg

  constructor(words: WordLeg) {
    this.#words = words
  }

  async find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]> {
    const found = await this.#words.find(query, limit, signal)
    const { index, only } = query
    const synonyms = listConcepts(query)
    if (synonyms.length === 0) return found
    const rows = new Map(found.map(scored => [scored.row, scored]))
    for (const { terms } of synonyms.flatMap(({ others }) => others)) {
      for (const hit of await index.findWithAllTerms(terms, limit, only))
        if (!rows.has(hit.row)) rows.set(hit.row, { ...hit, weak: false })
    }
    const foundRows = new Set(found.map(({ row }) => row))
    const others = [...rows.keys()].filter(row => !foundRows.has(row))
    const judged = await this.#words.judge(query, others, signal)
    const gains = await this.#measureGains(query, [...rows.keys()])
    return [...rows.values()]
      .map(scored => {
        const own = foundRows.has(scored.row) ? scored.score : (judged.get(scored.row)?.score ?? 0)
        return { ...scored, score: own + (gains.get(scored.row) ?? 0) }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  async judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>> {
    const judged = new Map(await this.#words.judge(query, rows, signal))
    for (const [row, gain] of await this.#measureGains(query, rows))
      judged.set(row, { score: gain + (judged.get(row)?.score ?? 0), weak: false })
    return judged
  }

  async findTerms(query: RankQuery): Promise<ReadonlyMap<string, number>> {
    const own = await this.#words.findTerms(query)
    const synonyms = listConcepts(query)
    if (synonyms.length === 0) return own
    const { counts } = query
    const others = synonyms.flatMap(concept =>
      concept.others.flatMap(other =>
        other.terms.map(term => [term, weigh(concept.written, other, counts)] as const),
      ),
    )
    return new Map([...others, ...own])
  }

  /** Expects the rarest synonym in place of a term that no text has. */
  async computeFullScore(query: RankQuery): Promise<number | undefined> {
    const full = await this.#words.computeFullScore(query)
    const synonyms = listConcepts(query)
    const { counts } = query
    if (full === undefined || !counts) return full
    const excess = synonyms.reduce((sum, concept) => sum + computeExcess(concept, counts), 0)
    return full - excess
  }

  /** Returns how much the best synonyms exceed the terms themselves. */
  async #measureGains(query: RankQuery, rows: readonly bigint[]): Promise<Scores> {
    const gains: Scores = new Map()
    const synonyms = listConcepts(query)
    if (rows.length === 0 || synonyms.length === 0) return gains
    const { counts } = query
    for (const concept of synonyms) {
      const best = await scoreSynonyms(query, concept, { rows, counts })
      const own = await query.index.scoreByKeyword(concept.written.terms, [...best.keys()])
      for (const [row, score] of best) {
        const gain = score - (own.get(row) ?? 0)
        if (gain > 0) gains.set(row, (gains.get(row) ?? 0) + gain)
      }
    }
    return gains
  }
}

function listConcepts({ synonyms = [], corrections, forms = [] }: RankQuery) {
  return [...synonyms, ...(corrections?.compounds ?? []), ...forms]
}

type ScoredRows = {
  readonly rows: readonly bigint[]
  readonly counts: CountedTerms | undefined
}

async function scoreSynonyms(
  query: RankQuery,
  { written, others }: SynonymConcept,
  { rows, counts }: ScoredRows,
): Promise<Scores> {
  const best: Scores = new Map()
  for (const other of others) {
    const weight = weigh(written, other, counts)
    for (const [row, score] of await scoreTerm(query, other, rows))
      best.set(row, Math.max(best.get(row) ?? 0, weight * score))
  }
  return best
}

async function scoreTerm(
  { index }: RankQuery,
  { terms, sequence }: SynonymTerm,
  rows: readonly bigint[],
): Promise<Scores> {
  const found = await index.findWithAllTerms(terms, rows.length, { rows })
  if (sequence.length < 2 || found.length === 0) return toScores(found)
  const within = { rows: found.map(({ row }) => row), sequences: [sequence] }
  return toScores(await index.findWithAllTerms(terms, found.length, within))
}

function toScores(found: readonly { readonly row: bigint; readonly score: number }[]): Scores {
  return new Map(found.map(({ row, score }) => [row, score]))
}

function weigh(written: SynonymTerm, other: SynonymTerm, counts: CountedTerms | undefined): number {
  const words = Math.max(1, written.terms.length / other.terms.length)
  return counts ? Math.min(words, sumIdf(written, counts) / sumIdf(other, counts)) : words
}

function computeExcess({ written, others }: SynonymConcept, counts: CountedTerms): number {
  if (written.terms.every(term => counts.hasTerm(term))) return 0
  const existing = others.filter(({ terms }) => terms.every(term => counts.hasTerm(term)))
  if (existing.length === 0) return 0
  const rarest = Math.max(
    ...existing.map(other => weigh(written, other, counts) * sumIdf(other, counts)),
  )
  return Math.max(0, sumIdf(written, counts) - rarest)
}

function sumIdf({ terms }: SynonymTerm, counts: CountedTerms): number {
  return terms.reduce((sum, term) => sum + counts.computeIdf(term), 0)
}
