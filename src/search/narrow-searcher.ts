import type { Filter } from './filter.ts'
import { type HybridWeights, measureLikelihood, type Query, type Searcher } from './searcher.ts'

type Narrowing = {
  readonly minConfidence?: number
  readonly filter?: Filter
  readonly weights?: HybridWeights
  readonly precise?: boolean
}

/** Fixes settings that a caller such as a model must not choose. */
export function narrowSearcher(
  searcher: Searcher,
  { minConfidence = 0, filter, weights, precise }: Narrowing,
): Searcher {
  return {
    search: async (query, signal) => {
      const narrowed: Query = {
        ...query,
        filter: joinFilters(filter, query.filter),
        weights: weights ?? query.weights,
        precise: precise ?? query.precise,
      }
      const hits = await searcher.search(narrowed, signal)
      return hits.filter(hit => measureLikelihood(hit) >= minConfidence)
    },
  }
}

function joinFilters(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
  return first && second ? { type: 'and', filters: [first, second] } : (first ?? second)
}
