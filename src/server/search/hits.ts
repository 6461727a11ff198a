import { toHitJson } from '../../app/searching/hit-json.ts'
import { MODEL_AWAY } from '../../errors.ts'
import type { Hit } from '../../search/searcher.ts'
import { isOperator, type RequestContext, tellOperator } from '../http/context.ts'

/** Hides the reranker's failure. */
export function toClientHits(c: RequestContext, hits: readonly Hit[]) {
  const reason = hits[0]?.notReranked // the same for all hits
  if (reason === undefined) return hits.map(toHitJson)
  tellOperator(`The hits are in the order of the first search: ${reason}`, c)
  return hits.map(hit => toHitJson(isOperator(c) ? hit : { ...hit, notReranked: MODEL_AWAY }))
}
