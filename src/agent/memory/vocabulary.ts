import type { Document } from '../../ingest/catalog/document.ts'
import type { KnowledgeBase } from './knowledge-base.ts'

/** Chunks that are looked at, and words that are given. */
const MAX_CHUNKS = 2_000
const MAX_WORDS = 200

/** The words that tell the documents' passages apart: most frequent in few of them (TF-IDF over chunks). */
export async function vocabularyOf(
  knowledge: KnowledgeBase,
  documents: readonly Document[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
  const counts = new Map<string, { uses: number; chunks: number }>()
  let chunks = 0
  for (const document of documents) {
    for await (const { text } of knowledge.chunks(document, signal)) {
      if (++chunks > MAX_CHUNKS) break
      countWords(wordsOf(text, segmenter), counts)
    }
  }
  const weight = ({ uses, chunks: holders }: { uses: number; chunks: number }) => uses * Math.log(1 + chunks / holders)
  const ranked = [...counts].toSorted(([, a], [, b]) => weight(b) - weight(a))
  return ranked.slice(0, MAX_WORDS).map(([word]) => word)
}

function wordsOf(text: string, segmenter: Intl.Segmenter): readonly string[] {
  const segments = [...segmenter.segment(text.toLowerCase())]
  return segments.filter(part => part.isWordLike && [...part.segment].length > 1).map(part => part.segment)
}

function countWords(words: readonly string[], counts: Map<string, { uses: number; chunks: number }>): void {
  for (const word of words) {
    const known = counts.get(word) ?? { uses: 0, chunks: 0 }
    counts.set(word, { ...known, uses: known.uses + 1 })
  }
  for (const word of new Set(words)) counts.get(word)!.chunks++ // just counted
}
