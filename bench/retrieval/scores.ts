import { queryMetrics } from '../../src/search/evaluation/metrics.ts'
import { holm, type Interval, pairedBootstrap, randomisationTest } from '../cite-check/intervals.ts'
import { markdownTable } from '../cite-check/report.ts'
import type { JudgedSet } from './judged-sets.ts'
import type { Rankings } from './systems.ts'

/** What one system found of a set, in the order of its queries. */
export type Scored = {
  readonly system: string
  readonly ndcg10: readonly number[]
  readonly recall100: readonly number[]
}

export function scoresOf(system: string, rankings: Rankings, { queries }: JudgedSet): Scored {
  const scores = queries.map(({ id, judgements }) => {
    const found = rankings.get(id) ?? []
    const relevant = [...judgements].filter(([, gain]) => gain > 0).map(([passage]) => passage)
    const among = new Set(found.slice(0, 100))
    return {
      ndcg10: queryMetrics(found, judgements).ndcg10,
      recall100: relevant.filter(passage => among.has(passage)).length / relevant.length,
    }
  })
  return {
    system,
    ndcg10: scores.map(({ ndcg10 }) => ndcg10),
    recall100: scores.map(({ recall100 }) => recall100),
  }
}

/** The table of a set: each system with its intervals, and what the first gains over it, query by query. */
export function retrievalTable(set: JudgedSet, scored: readonly Scored[]): string {
  const [first, ...others] = scored
  if (!first) return ''
  const grouped = (values: readonly number[]) => groupsOf(set, values)
  const gains = others.map(other =>
    grouped(first.ndcg10.map((value, at) => value - other.ndcg10[at]!)),
  ) // one a query
  const chances = holm(gains.map(gain => randomisationTest(gain)))
  const rows = scored.map(({ system, ndcg10, recall100 }, at) => {
    const gain = gains[at - 1]
    const tested = gain ? [interval(pairedBootstrap(gain)), chance(chances[at - 1]!)] : ['', ''] // one a gain
    return [
      system,
      interval(pairedBootstrap(grouped(ndcg10))),
      interval(pairedBootstrap(grouped(recall100))),
      ...tested,
    ]
  })
  const title = `${set.name}: ${set.passages.length} passages, ${set.queries.length} queries`
  return markdownTable(
    [title, 'nDCG@10', 'recall@100', `${first.system} gains, nDCG@10`, 'p (Holm)'],
    rows,
  )
}

function groupsOf(
  { queries, groupOf }: JudgedSet,
  values: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [at, { id }] of queries.entries()) {
    const group = groups.get(groupOf(id)) ?? []
    groups.set(groupOf(id), [...group, values[at]!]) // one a query
  }
  return groups
}

const interval = ({ value, low, high }: Interval): string =>
  `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`

const chance = (p: number): string => (p < 0.001 ? '< .001' : p.toFixed(3).replace(/^0/, ''))
