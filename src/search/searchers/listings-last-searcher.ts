import type { Hit, Query, Searcher } from '../searcher.ts'

/** A searcher whose passages that only list things come after all text that is not weak. Where it finds none it costs nothing. */
export class ListingsLastSearcher implements Searcher {
  readonly #searcher: Searcher

  constructor(searcher: Searcher) {
    this.#searcher = searcher
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const { limit } = query
    const found = await this.#searcher.search(query, signal)
    if (!found.some(hit => hit.isListing)) return found
    const more =
      found.length < limit
        ? found
        : await this.#searcher.search({ ...query, limit: limit * 2 }, signal)
    return listingsLast(more).slice(0, limit)
  }
}

/** A listing's score is at most that of the last text that is not weak. */
export function listingsLast(hits: readonly Hit[]): readonly Hit[] {
  const lastAt = hits.findLastIndex(hit => !(hit.weak || hit.isListing))
  const highest = hits[lastAt]?.score ?? Number.POSITIVE_INFINITY
  const placed = hits.map((hit, at) => {
    if (!hit.isListing) return { hit, place: Number(at > lastAt) }
    return { hit: capScore(hit, highest), place: 0.5 }
  })
  return placed
    .toSorted((a, b) => b.hit.score - a.hit.score || a.place - b.place)
    .map(({ hit }) => hit)
}

/** Caps the score of a hit. Removes `fused` from a capped hit, because the parts no longer add up to its score. */
export function capScore(hit: Hit, highest: number): Hit {
  if (hit.score <= highest) return hit
  const { fused: _, ...rest } = hit
  return { ...rest, score: highest }
}
