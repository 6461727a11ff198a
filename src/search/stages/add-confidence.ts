import type { CollectionLookup } from '../../ingest/store/catalog/searched-collections.ts'
import type { Confidence } from '../confidence.ts'
import type { SentenceReader } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { Stage } from '../stage.ts'
import type { TermRarity } from '../term-rarity.ts'

export type ConfidenceDeps = {
  readonly confidence: Confidence
  readonly rarity: Pick<TermRarity, 'getCounts'>
  readonly collections: Pick<CollectionLookup, 'findById'>
}

type BestSentences = { readonly reader: SentenceReader; readonly depth: number }

/**
 * Judges hits. Those without the quoted phrases stay weak. Reads `sentences` of the first
 * `depth` hits.
 */
export function addConfidence(
  { confidence, rarity, collections }: ConfidenceDeps,
  sentences?: BestSentences,
): Stage {
  return async (query, find, signal) => {
    const hits = await find(query.limit)
    const found = await Promise.all(query.collectionIds.map(id => collections.findById(id)))
    const tables = found.flatMap(collection => collection?.tableId ?? [])
    const likeness = await sentences?.reader.measureSimilarity(
      query.text,
      hits.slice(0, sentences.depth),
      signal,
    )
    const judged = confidence.judge(query.text, hits, {
      counts: await rarity.getCounts(tables),
      likeness,
      synonyms: [...(hits[0]?.synonyms ?? []), ...(hits[0]?.forms ?? [])],
      corrected: hits[0]?.corrected,
    })
    const hasPhrases = (query.wording?.phrases.length ?? 0) > 0
    return judged
      .map((hit, index) => (hasPhrases ? { ...hit, weak: hits[index]!.weak } : hit))
      .map(limitConfidence)
  }
}

/**
 * Likelihood of an answer at even odds: 3 % of answering hits (bench/fit-confidence.ts) and 97 %
 * of nonsense (docs/decisions/confidence.md) are weak.
 */
const WEAK_CONFIDENCE = 0.03

/** A weak hit is an unlikely one, also in another language. */
function limitConfidence(hit: Hit): Hit {
  if (!hit.weak || hit.confidence === undefined) return hit
  return { ...hit, confidence: Math.min(hit.confidence, WEAK_CONFIDENCE) }
}
