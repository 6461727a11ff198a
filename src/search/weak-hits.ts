import type { Hit } from './searcher.ts'

/**
 * Whether hits hold nothing that may be told: all are weak. Those of a hybrid search whose words stand in none of them are no
 * such case: the question may be in another language than the documents, whose true passages can be weak, too. Whether
 * they answer it is decided by what reads them.
 */
export function areAllWeak(hits: readonly Hit[]): boolean {
  return (
    hits.every(hit => hit.weak) && (hits.length === 0 || hits.some(hit => hit.fused?.keyword !== 0))
  )
}
