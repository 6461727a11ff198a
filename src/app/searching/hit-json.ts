import type { Hit } from '../../search/searcher.ts'
import type { HitJson } from '../../wire/hit.ts'

export function toHitJson(hit: Hit): HitJson {
  const { confidence, pages, explain } = hit
  return {
    score: hit.score,
    ...(confidence !== undefined && { confidence: roundConfidence(confidence) }),
    weak: hit.weak,
    chunkId: hit.chunkId,
    documentId: hit.documentId,
    source: hit.source,
    title: hit.title,
    ...(pages && { page: pages[0], pages }),
    headings: hit.headings,
    charStart: hit.charStart,
    charEnd: hit.charEnd,
    text: hit.text,
    ...(hit.isListing && { isListing: true }),
    ...(hit.copies && { copies: hit.copies }),
    ...(hit.corrected && { corrected: hit.corrected }),
    ...(hit.synonyms && { synonyms: hit.synonyms }),
    ...(hit.notReranked !== undefined && { notReranked: hit.notReranked }),
    ...(explain && { explain: { ...explain, reranked: hit.reranked } }),
  }
}

/** Rounds to three decimals, the precision of the fit. */
export function roundConfidence(confidence: number): number {
  return Number(confidence.toFixed(3))
}
