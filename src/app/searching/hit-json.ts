import { CELL_SEPARATOR } from '../../ingest/block.ts'
import type { Hit } from '../../search/searcher.ts'
import type { HitJson } from '../../wire/hit.ts'

export function toHitJson(hit: Hit): HitJson {
  const { confidence, pages, explain } = hit
  const tableHeader = readTableHeader(hit)
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
    ...(tableHeader && { tableHeader }),
    ...(hit.note && { note: hit.note }),
    ...(Object.keys(hit.attributes).length > 0 && { attributes: hit.attributes }),
    ...(hit.isListing && { isListing: true }),
    ...(hit.copies && { copies: hit.copies }),
    ...(hit.corrected && { corrected: hit.corrected }),
    ...(hit.synonyms && { synonyms: hit.synonyms }),
    ...(hit.notReranked !== undefined && { notReranked: hit.notReranked }),
    ...(explain && { explain: { ...explain, reranked: hit.reranked } }),
  }
}

export function readTableHeader({
  context,
  title,
  headings,
  text,
}: Pick<Hit, 'context' | 'title' | 'headings' | 'text'>): string | undefined {
  const last = context.slice(context.lastIndexOf('\n') + 1)
  const isRow = text.split('\n', 1).join().includes(CELL_SEPARATOR)
  if (!isRow || !last.includes(CELL_SEPARATOR) || context === title) return undefined
  return headings.join(' > ').endsWith(last) ? undefined : last
}

/** Rounds to three decimals, the precision of the fit. */
export function roundConfidence(confidence: number): number {
  return Number(confidence.toFixed(3))
}
