import type { Hit } from '../search/searcher.ts'

/** A hit as the faces show it. */
export function hitJson(hit: Hit) {
  const {
    score,
    confidence,
    weak,
    chunkId,
    documentId,
    source,
    title,
    pages,
    headings,
    charStart,
    charEnd,
    text,
  } = hit
  const where = pages ? { page: pages[0], pages } : {}
  const { notReranked, reranked, explain, copies, isListing } = hit
  const flags = {
    ...(isListing && { isListing }),
    ...(copies && { copies }),
    ...(notReranked !== undefined && { notReranked }),
    ...(explain && { explain: { ...explain, reranked } }),
  }
  const sure = confidence === undefined ? {} : { confidence: Number(confidence.toFixed(3)) }
  return {
    score,
    ...sure,
    weak,
    chunkId,
    documentId,
    source,
    title,
    ...where,
    headings,
    charStart,
    charEnd,
    text,
    ...flags,
  }
}
