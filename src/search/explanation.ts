import type { Library } from '../ingest/library.ts'
import type { Analyzer } from './analyzer.ts'
import type { QueryScope } from './query-scope.ts'
import type { Leg, RankQuery, Scored } from './ranker.ts'
import type { Hit, LegPlace, MatchedTerm, Query } from './searcher.ts'

/** A document's rank is looked for among so many rows of a leg. */
const RANKED_ROWS = 1_000

/** Terms looked at one by one. */
const MAX_TERMS = 64

/** Why a document that was expected is, or is not, among the hits. */
export type Reason = {
  readonly outcome: 'found' | 'not-indexed' | 'filtered' | 'no-match' | 'below'
  /** The same as a sentence. */
  readonly message: string
  /** Where its best chunk stands in each leg, among the first 1,000 rows. */
  readonly keyword?: LegPlace | undefined
  readonly vector?: LegPlace | undefined
  /** Terms of the query that none of its chunks holds. */
  readonly missingTerms: readonly string[]
}

export type ExplainerParts = {
  readonly scope: QueryScope
  readonly library: Library
  readonly analyzer: Analyzer
  readonly keyword: Leg
  readonly vector: Leg
}

/** Says how hits came about, by asking each leg again: a search that is not explained costs nothing more. */
export class Explainer {
  readonly #parts: ExplainerParts

  constructor(parts: ExplainerParts) {
    this.#parts = parts
  }

  /** The hits with their place in each leg and the terms they hold, by weight. */
  async explain(query: Query, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly Hit[]> {
    const scoped = await this.#parts.scope.open(query)
    if (!scoped) return hits
    const legs = await this.#legs(scoped, RANKED_ROWS, signal)
    const rows = [...new Map([...legs.keyword, ...legs.vector].map(found => [found.row, found])).values()]
    const wanted = new Set(hits.map(hit => hit.chunkId))
    const candidates = (await scoped.index.candidates(rows)).filter(({ chunkId }) => wanted.has(chunkId))
    const rowOf = (hit: Hit) =>
      candidates.find(one => one.chunkId === hit.chunkId && this.#documentOf(one.version) === hit.documentId)?.row
    const terms = await this.#terms(
      scoped,
      candidates.map(one => one.row),
    )
    return hits.map(hit => {
      const row = rowOf(hit)
      if (row === undefined) return { ...hit, explain: { terms: [] } }
      const explain = {
        terms: terms.get(row) ?? [],
        keyword: place(legs.keyword, row),
        vector: place(legs.vector, row),
      }
      return { ...hit, explain }
    })
  }

  /** `hits` are those of the query. */
  async why(query: Query, documentId: string, hits: readonly Hit[], signal?: AbortSignal): Promise<Reason> {
    const { scope, library, analyzer } = this.#parts
    const name = library.find(documentId)?.name ?? documentId
    const at = hits.findIndex(hit => hit.documentId === documentId)
    const [version] = library.versionsOf([documentId])
    const scoped = await scope.open(query)
    const unexplained = { missingTerms: [] }
    if (version === undefined || !scoped) {
      return { outcome: 'not-indexed', message: `${name} is not indexed: see passim show.`, ...unexplained }
    }
    if (scoped.only.versions && !scoped.only.versions.includes(version)) {
      return { outcome: 'filtered', message: `${name} does not meet the filter, or is not named.`, ...unexplained }
    }
    const own = { ...scoped, only: { ...scoped.only, versions: [version] } }
    const terms = analyzer.queryTerms(query.text).slice(0, MAX_TERMS)
    const missing = await Promise.all(
      terms.map(async term => (await own.index.keyword([term], 1, own.only)).length === 0),
    )
    const missingTerms = terms.filter((_, index) => missing[index])
    const [all, best] = [await this.#legs(scoped, RANKED_ROWS, signal), await this.#legs(own, 1, signal)]
    const places = { keyword: bestPlace(all.keyword, best.keyword), vector: bestPlace(all.vector, best.vector) }
    const reason = { ...places, missingTerms }
    if (at >= 0) return { outcome: 'found', message: `${name} is hit ${at + 1}.`, ...reason }
    if (!places.keyword && !places.vector) {
      return {
        outcome: 'no-match',
        message: `${name} holds none of the terms, and has no vectors or no such pages.`,
        ...reason,
      }
    }
    return { outcome: 'below', message: `${name} is below the ${hits.length} hits: ${placesText(places)}.`, ...reason }
  }

  async #legs(query: RankQuery, limit: number, signal?: AbortSignal) {
    const { keyword, vector } = this.#parts
    const [words, neighbours] = await Promise.all([
      keyword.find(query, limit, signal),
      vector.find(query, limit, signal),
    ])
    return { keyword: words, vector: neighbours }
  }

  /** Each term's share of the rows' BM25. */
  async #terms(
    { text, index }: RankQuery,
    rows: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, readonly MatchedTerm[]>> {
    const found = new Map<bigint, MatchedTerm[]>()
    for (const term of this.#parts.analyzer.queryTerms(text).slice(0, MAX_TERMS)) {
      for (const [row, score] of await index.keywordScores([term], rows)) {
        found.set(row, [...(found.get(row) ?? []), { term, weight: score }])
      }
    }
    for (const terms of found.values()) terms.sort((a, b) => b.weight - a.weight)
    return found
  }

  #documentOf(version: number): string | undefined {
    return this.#parts.library.findByVersion(version)?.id
  }
}

function place(found: readonly Scored[], row: bigint): LegPlace | undefined {
  const at = found.findIndex(one => one.row === row)
  return at >= 0 ? { rank: at + 1, score: found[at]!.score } : undefined // just found
}

/** Of a document's best row; its rank is unknown below the first rows. */
function bestPlace(all: readonly Scored[], [best]: readonly Scored[]): LegPlace | undefined {
  return best && (place(all, best.row) ?? { score: best.score })
}

function placesText({ keyword, vector }: Pick<Reason, 'keyword' | 'vector'>): string {
  const of = (name: string, found: LegPlace | undefined) =>
    found
      ? `by ${name} its best passage is ${found.rank ? `number ${found.rank}` : `beyond number ${RANKED_ROWS}`}`
      : `by ${name} it is not found`
  return `${of('keyword', keyword)}, ${of('vector', vector)}`
}
