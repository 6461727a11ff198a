import { toHitJson } from '../../app/searching/hit-json.ts'
import { MODEL_AWAY } from '../../errors.ts'
import type { Hit } from '../../search/searcher.ts'
import type { HitJson } from '../../wire/hit.ts'
import { isOperator, notifyOperator, type RequestContext } from '../http/context.ts'
import { showSource, showSources } from '../http/shown-source.ts'

/** Hides the reranker's failure. */
export function toClientHits(c: RequestContext, hits: readonly Hit[]): readonly HitJson[] {
  const reason = hits[0]?.notReranked // the same for all hits
  const toJson = (hit: Hit): HitJson => {
    const json = showSource(c, toHitJson(hit))
    return json.copies ? { ...json, copies: showSources(c, json.copies) } : json
  }
  if (reason === undefined) return hits.map(toJson)
  notifyOperator(`The hits are in the order of the first search: ${reason}`, c)
  return hits.map(hit => toJson(isOperator(c) ? hit : { ...hit, notReranked: MODEL_AWAY }))
}
