import type { Hit } from '../searcher.ts'
import type { Stage } from '../stage.ts'

/** Minimum number of hits to request, so that a strong hit below a small limit can still replace a weak one. */
const LEAST_COMPARED = 10

/** Moves weak hits after all others: a near vector does not outweigh missing words of the query. */
export const putWeakLast: Stage = async ({ limit }, find) => {
  const hits = await find(Math.max(limit, LEAST_COMPARED))
  const trusted = hits.filter(hit => !hit.weak)
  const highest = trusted.at(-1)?.score ?? Number.POSITIVE_INFINITY
  const weak = hits.filter(hit => hit.weak).map(hit => limitScore(hit, highest))
  return [...trusted, ...weak].slice(0, limit)
}

/** Moves passages that only list things after all text that is not weak. Costs nothing if there are none. */
export const putListingsLast: Stage = async ({ limit }, find) => {
  const found = await find(limit)
  if (!found.some(hit => hit.isListing)) return found
  const more = found.length < limit ? found : await find(limit * 2)
  return sortListingsLast(more).slice(0, limit)
}

/** Sorts hits by score, after lowering the score of a listing to that of the last text that is not weak. */
export function sortListingsLast(hits: readonly Hit[]): readonly Hit[] {
  const lastIndex = hits.findLastIndex(hit => !(hit.weak || hit.isListing))
  const highest = hits[lastIndex]?.score ?? Number.POSITIVE_INFINITY
  const placed = hits.map((hit, index) => {
    if (!hit.isListing) return { hit, place: Number(index > lastIndex) }
    return { hit: limitScore(hit, highest), place: 0.5 }
  })
  return placed
    .toSorted((a, b) => b.hit.score - a.hit.score || a.place - b.place)
    .map(({ hit }) => hit)
}

/** Caps the score of a hit. Removes `fused` from a capped hit, because the parts no longer add up to its score. */
function limitScore(hit: Hit, highest: number): Hit {
  if (hit.score <= highest) return hit
  const { fused: _, ...rest } = hit
  return { ...rest, score: highest }
}
