import type { Attributes } from '../ingest/store/catalog/document.ts'
import { filterAttributes } from '../ingest/store/filter-attributes.ts'
import type { Library } from '../ingest/store/library.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { listFilterKeys } from './filter.ts'
import type { QueryScope } from './query-scope.ts'
import type { Judged, Leg, RankQuery, Scored, WordLeg } from './rank/ranker.ts'
import type { Hit, HitExplanation, LegPlace, MatchedTerm, Query } from './searcher.ts'

/** Rows examined, so that an explanation costs milliseconds. */
export const RANKED_ROWS = 1_000

/** Protects against pasted texts. */
export const MAX_TERMS = 64

export type ExplanationDeps = {
  readonly scope: QueryScope
  readonly library: Library
  readonly analyzer: Analyzer
  readonly keyword: WordLeg
  readonly vector: Leg
}

/** Queries each leg again, so that plain searches cost no more. */
export async function explainHits(
  deps: ExplanationDeps,
  query: Query,
  hits: readonly Hit[],
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const scoped = await deps.scope.openCorrected(query, signal)
  if (!scoped) return hits
  const { keyword, vector } = deps
  const found = await Promise.all([
    keyword.find(scoped, RANKED_ROWS, signal),
    vector.find(scoped, RANKED_ROWS, signal),
  ])
  const rows = await findRows(deps, scoped, hits, found.flat())
  const readable = rows.filter(row => row !== undefined)
  const byWords = await keyword.judge(scoped, readable, signal)
  const byVector = await vector.judge(scoped, readable, signal)
  const terms = await weighTerms(deps, scoped, readable)
  return await Promise.all(
    hits.map(async (hit, index) => {
      const row = rows[index]
      const rest = { fusion: hit.fused, filter: await readFiltered(deps, query, hit) }
      if (row === undefined) return { ...hit, explain: { terms: [], ...rest } }
      const places = {
        keyword: findPlace(found[0], row, byWords),
        vector: findPlace(found[1], row, byVector),
      }
      const explain: HitExplanation = { terms: terms.get(row) ?? [], ...places, ...rest }
      return { ...hit, explain }
    }),
  )
}

async function findRows(
  { library }: ExplanationDeps,
  { index }: RankQuery,
  hits: readonly Hit[],
  found: readonly Scored[],
) {
  const rows = [...new Map(found.map(scored => [scored.row, scored])).values()]
  const placed = await Promise.all(
    (await index.readCandidates(rows)).map(
      async ({ row, chunkId, version }) =>
        [`${chunkId} ${(await library.findByVersion(version))?.id}`, row] as const,
    ),
  )
  const byPlace = new Map(placed)
  return hits.map(({ chunkId, documentId }) => byPlace.get(`${chunkId} ${documentId}`))
}

/** Returns each term's share of the rows' BM25. */
async function weighTerms(
  { keyword }: ExplanationDeps,
  query: RankQuery,
  rows: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly MatchedTerm[]>> {
  const found = new Map<bigint, MatchedTerm[]>()
  for (const [term, factor] of [...(await keyword.findTerms(query))].slice(0, MAX_TERMS)) {
    for (const [row, score] of await query.index.scoreByKeyword([term], rows)) {
      found.set(row, [...(found.get(row) ?? []), { term, weight: factor * score }])
    }
  }
  for (const terms of found.values()) terms.sort((a, b) => b.weight - a.weight)
  return found
}

async function readFiltered(
  { library }: ExplanationDeps,
  { filter }: Query,
  { documentId }: Hit,
): Promise<Attributes | undefined> {
  const document = filter && (await library.find(documentId))
  if (!document) return undefined
  const attributes = filterAttributes(document)
  const looked = listFilterKeys(filter).flatMap(key => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(looked)
}

function findPlace(
  found: readonly Scored[],
  row: bigint,
  judged: ReadonlyMap<bigint, Judged>,
): LegPlace | undefined {
  const index = found.findIndex(scored => scored.row === row)
  const score = found[index]?.score ?? judged.get(row)?.score
  if (score === undefined) return undefined
  return index >= 0
    ? { rank: found.findIndex(scored => scored.score === score) + 1, score }
    : { score }
}
