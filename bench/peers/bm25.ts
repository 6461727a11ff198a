import type { SourceBlock, SourceDocument } from '../cite-check/document.ts'
import { contentOf } from '../cite-check/statement.ts'
import { citedAlike, type Peer, type RawAnswer } from './peer.ts'

type Passage = {
  readonly document: string
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

/** As Lucene sets them. */
const K1 = 1.2
const B = 0.75

/**
 * The plainest system that could be asked: the paragraph, item or row with the best BM25 score is the answer, and cites itself.
 * It is given the readable sources, so that it loses nothing to a parser; it refuses only where no word of the question occurs.
 */
export function bm25Peer(documents: readonly SourceDocument[]): Peer {
  const passages = documents.flatMap(passagesOf)
  const average =
    passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length)
  const holding = new Map<string, number>()
  for (const { terms } of passages)
    for (const term of terms.keys()) holding.set(term, (holding.get(term) ?? 0) + 1)
  const rarity = (term: string) => {
    const count = holding.get(term) ?? 0
    return Math.log(1 + (passages.length - count + 0.5) / (count + 0.5))
  }
  const score = (terms: readonly string[], { terms: own, length }: Passage) =>
    terms.reduce((sum, term) => {
      const count = own.get(term) ?? 0
      return (
        sum + (rarity(term) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
      )
    }, 0)
  return {
    name: 'BM25, top passage',
    prepare: async () => {},
    async answer(question): Promise<RawAnswer> {
      const terms = [...new Set(termsOf(question))]
      const scored = passages.map(passage => ({ passage, score: score(terms, passage) }))
      const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
      const { text, document } = best.passage
      const sentences = citedAlike(text, [{ document, quote: text }])
      return { text, refused: best.score === 0, sentences, confidence: best.score }
    },
    close: async () => {},
  }
}

/** A passage is found by its headings and the names of its columns, too. */
function passagesOf({ id, title, blocks }: SourceDocument): Passage[] {
  let heading = ''
  const passage = (text: string, context: string): Passage => {
    const all = termsOf(`${title} ${heading} ${context} ${text}`)
    const terms = new Map<string, number>()
    for (const term of all) terms.set(term, (terms.get(term) ?? 0) + 1)
    return { document: id, text, terms, length: all.length }
  }
  return blocks.flatMap((block: SourceBlock) => {
    if (block.kind === 'heading') heading = block.text
    if (block.kind === 'table')
      return block.rows.map(row => passage(row.join(' | '), block.header.join(' ')))
    return block.kind === 'paragraph' || block.kind === 'item' ? [passage(block.text, '')] : []
  })
}

const termsOf = (text: string): string[] => [
  ...contentOf(text),
  ...(text.toLowerCase().match(/[\p{L}]*\d[\p{L}\d.-]*/gu) ?? []),
]
