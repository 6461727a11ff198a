import type { Hit } from '../searcher.ts'
import type { Stage } from '../stage.ts'

/** Minimum hits, so that a strong one below a small limit can replace a weak one. */
const MIN_COMPARED = 10

/** A near vector does not outweigh missing words. */
export const putWeakLast: Stage = async ({ limit }, find) => {
  const hits = await find(Math.max(limit, MIN_COMPARED))
  const trusted = hits.filter(hit => !hit.weak)
  const highest = trusted.at(-1)?.score ?? Number.POSITIVE_INFINITY
  const weak = hits.filter(hit => hit.weak).map(hit => limitScore(hit, highest))
  return [...trusted, ...weak].slice(0, limit)
}

export const putListingsLast: Stage = async ({ limit }, find) => {
  const found = await find(limit)
  if (!found.some(hit => hit.isListing)) return found
  const more = found.length < limit ? found : await find(limit * 2)
  return sortListingsLast(more).slice(0, limit)
}

/** Gives a listing at most the score of the last text that is not weak. */
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

/** Removes `fused` from a capped hit, because the parts no longer add up. */
function limitScore(hit: Hit, highest: number): Hit {
  if (hit.score <= highest) return hit
  const { fused: _, ...rest } = hit
  return { ...rest, score: highest }
}
