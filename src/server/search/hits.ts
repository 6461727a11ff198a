import { toHitJson } from '../../app/searching/hit-json.ts'
import { MODEL_AWAY } from '../../errors.ts'
import type { Hit } from '../../search/searcher.ts'
import { isOperator, type RequestContext, tellOperator } from '../http/context.ts'

/** Hits as this client may see them: where a reranker lies, and what it said, is told to the operator. */
export function hitsFor(c: RequestContext, hits: readonly Hit[]) {
  const reason = hits[0]?.notReranked // that of one is that of all
  if (reason === undefined) return hits.map(toHitJson)
  tellOperator(`The hits are in the order of the first search: ${reason}`, c)
  return hits.map(hit => toHitJson(isOperator(c) ? hit : { ...hit, notReranked: MODEL_AWAY }))
}
