import type { DocumentReader } from '../../ingest/catalog/document.ts'
import type { Hit, HitCopy } from '../searcher.ts'
import { mergeHits } from './context.ts'
import { passageKey } from './passage-key.ts'

/** A passage that stands in several places is one hit that names the others. */
export function foldCopies(hits: readonly Hit[]): readonly Hit[] {
  const copies = new Map<string, HitCopy[]>()
  const firsts: { readonly hit: Hit; readonly key: string }[] = []
  for (const hit of hits) {
    const key = passageKey(hit.text) || hit.chunkId
    const known = copies.get(key)
    if (known) known.push(copyOf(hit))
    else {
      copies.set(key, [])
      firsts.push({ hit, key })
    }
  }
  return firsts.map(({ hit, key }) => {
    const others = copies.get(key) ?? []
    return others.length > 0 ? { ...hit, copies: others } : hit
  })
}

function copyOf({ chunkId, documentId, source, name, pages, charStart, charEnd }: Hit): HitCopy {
  return { chunkId, documentId, source, name, ...(pages && { pages }), charStart, charEnd }
}

/**
 * Neighbouring and overlapping passages of a document as one, in the place of the best of them and with its score. The text is
 * that of the document between the first and the last.
 */
export async function mergeNeighbours(hits: readonly Hit[], reader: DocumentReader): Promise<readonly Hit[]> {
  const passages = mergeHits(hits)
  const merged = passages.map(async ({ parts, charStart, charEnd, pages }) => {
    const own = hits.filter(hit => parts.some(part => part === hit))
    const best = own.reduce((first, hit) => (hits.indexOf(hit) < hits.indexOf(first) ? hit : first))
    if (own.length === 1) return best
    const text = await reader.read(best.documentId, charStart, charEnd)
    const tokens = own.reduce((sum, hit) => sum + hit.tokens, 0)
    return { ...best, text, charStart, charEnd, ...(pages && { pages }), tokens }
  })
  const order = new Map(hits.map((hit, at) => [hit.chunkId + hit.documentId, at]))
  const at = (hit: Hit) => order.get(hit.chunkId + hit.documentId) ?? hits.length
  return (await Promise.all(merged)).toSorted((a, b) => at(a) - at(b))
}

/**
 * So many of the hits, each as good and as unlike those before it as can be (maximal marginal relevance, Carbonell and
 * Goldstein 1998): `diversity` from 0, score alone, to 1, unlikeness alone. Likeness is the share of common terms
 * (Jaccard); scores are min-max normalised.
 */
export function diversify(hits: readonly Hit[], { limit, diversity, termsOf }: DiversityOptions): readonly Hit[] {
  const scores = hits.map(hit => hit.score)
  const lowest = Math.min(...scores)
  const range = Math.max(...scores) - lowest || 1 // scores may be negative, as a cross-encoder's are
  const rest = hits.map(hit => ({ hit, terms: new Set(termsOf(hit.text)), likeness: 0 }))
  const chosen: Hit[] = []
  while (chosen.length < limit && rest.length > 0) {
    const gains = rest.map(
      ({ hit, likeness }) => (1 - diversity) * ((hit.score - lowest) / range) - diversity * likeness,
    )
    const [best] = rest.splice(gains.indexOf(Math.max(...gains)), 1)
    if (!best) break
    chosen.push(best.hit)
    for (const one of rest) one.likeness = Math.max(one.likeness, jaccard(one.terms, best.terms))
  }
  return chosen
}

export type DiversityOptions = {
  readonly limit: number
  readonly diversity: number
  readonly termsOf: (text: string) => readonly string[]
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const term of a) if (b.has(term)) common++
  return common === 0 ? 0 : common / (a.size + b.size - common)
}
