import type { Attributes } from '../ingest/store/catalog/document.ts'
import { filterAttributes } from '../ingest/store/filter-attributes.ts'
import type { Library } from '../ingest/store/library.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { keysOf } from './filter.ts'
import type { QueryScope } from './query-scope.ts'
import type { Judged, Leg, RankQuery, Scored, WordLeg } from './rank/ranker.ts'
import type { Hit, HitExplanation, LegPlace, MatchedTerm, Query } from './searcher.ts'

/** A hit's rank is looked for among so many rows of a leg. */
export const RANKED_ROWS = 1_000

/** Terms looked at one by one. */
export const MAX_TERMS = 64

export type ExplainerParts = {
  readonly scope: QueryScope
  readonly library: Library
  readonly analyzer: Analyzer
  readonly keyword: WordLeg
  readonly vector: Leg
}

/** Says how hits came about, by asking each leg again: a search that is not explained costs nothing more. */
export class Explainer {
  readonly #parts: ExplainerParts

  constructor(parts: ExplainerParts) {
    this.#parts = parts
  }

  async explain(query: Query, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly Hit[]> {
    const scoped = await this.#parts.scope.open(query, signal)
    if (!scoped) return hits
    const { keyword, vector } = this.#parts
    const found = await Promise.all([
      keyword.find(scoped, RANKED_ROWS, signal),
      vector.find(scoped, RANKED_ROWS, signal),
    ])
    const rows = await this.#rowsOf(scoped, hits, found.flat())
    const known = rows.filter(row => row !== undefined)
    const [byWords, byVector, terms] = [
      await keyword.judge(scoped, known, signal),
      await vector.judge(scoped, known, signal),
      await this.#terms(scoped, known),
    ]
    return await Promise.all(
      hits.map(async (hit, at) => {
        const row = rows[at]
        const rest = { fusion: hit.fused, filter: await this.#filtered(query, hit) }
        if (row === undefined) return { ...hit, explain: { terms: [], ...rest } }
        const places = {
          keyword: place(found[0], row, byWords),
          vector: place(found[1], row, byVector),
        }
        const explain: HitExplanation = { terms: terms.get(row) ?? [], ...places, ...rest }
        return { ...hit, explain }
      }),
    )
  }

  /** The rows of hits, among those that were found. */
  async #rowsOf({ index }: RankQuery, hits: readonly Hit[], found: readonly Scored[]) {
    const rows = [...new Map(found.map(one => [one.row, one])).values()]
    const { library } = this.#parts
    const placed = await Promise.all(
      (await index.candidates(rows)).map(
        async ({ row, chunkId, version }) =>
          [`${chunkId} ${(await library.findByVersion(version))?.id}`, row] as const,
      ),
    )
    const byPlace = new Map(placed)
    return hits.map(({ chunkId, documentId }) => byPlace.get(`${chunkId} ${documentId}`))
  }

  /** Each term's share of the rows' BM25. */
  async #terms(
    query: RankQuery,
    rows: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, readonly MatchedTerm[]>> {
    const found = new Map<bigint, MatchedTerm[]>()
    for (const [term, factor] of [...(await this.#parts.keyword.terms(query))].slice(
      0,
      MAX_TERMS,
    )) {
      for (const [row, score] of await query.index.keywordScores([term], rows)) {
        found.set(row, [...(found.get(row) ?? []), { term, weight: factor * score }])
      }
    }
    for (const terms of found.values()) terms.sort((a, b) => b.weight - a.weight)
    return found
  }

  async #filtered({ filter }: Query, { documentId }: Hit): Promise<Attributes | undefined> {
    const document = filter && (await this.#parts.library.find(documentId))
    if (!document) return undefined
    const attributes = filterAttributes(document)
    const looked = keysOf(filter).flatMap(key =>
      Object.hasOwn(attributes, key) ? [[key, attributes[key]!]] : [],
    )
    return Object.fromEntries(looked) as Attributes // of such pairs
  }
}

function place(
  found: readonly Scored[],
  row: bigint,
  judged: ReadonlyMap<bigint, Judged>,
): LegPlace | undefined {
  const at = found.findIndex(one => one.row === row)
  const score = found[at]?.score ?? judged.get(row)?.score
  if (score === undefined) return undefined
  return at >= 0 ? { rank: at + 1, score } : { score }
}
