import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import { dot } from '../../ingest/embed/vector.ts'
import { type Span, splitSentences } from '../../text/sentences.ts'
import type { Reranker, SentenceReader } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { SentenceVectors } from './sentence-vectors.ts'

/** Pieces per chunk, so that the cost does not depend on punctuation. */
const MAX_PIECES = 8

/** Minimum letters, so that a piece says enough to compare; a Han character counts as three. */
const MIN_LETTERS = 60

/**
 * Scores a hit by its best sentence under title and headings. Costs at most 8 short embeddings
 * per hit, of documents read before none.
 */
export class SentenceReranker implements Reranker, SentenceReader {
  readonly #embedder: Embedder
  readonly #vectors: SentenceVectors

  constructor(embedder: Embedder, vectors: SentenceVectors) {
    this.#embedder = embedder
    this.#vectors = vectors
  }

  async scoreHits(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    return (await this.#findBestPieces(query, hits, signal)).map(({ cosine }) => cosine)
  }

  async measureSimilarity(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const best = await this.#findBestPieces(query, hits, signal)
    const [question] = await this.#embedder.embed([query], 'query', signal)
    const bare = best.map(({ piece, documentId }) => ({ documentId, text: piece }))
    return (await this.#vectors.getVectors(bare, signal)).map(vector => dot(question!, vector))
  }

  async #findBestPieces(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly BestPiece[]> {
    const split = hits.map(hit => ({ ...hit, pieces: splitPieces(hit.text) }))
    const read = split.flatMap(({ documentId, context, pieces }) =>
      pieces.map(piece => ({ documentId, text: toEmbeddedText({ context, text: piece }) })),
    )
    const [question] = await this.#embedder.embed([query], 'query', signal)
    const cosines = (await this.#vectors.getVectors(read, signal)).map(vector =>
      dot(question!, vector),
    )
    let index = 0
    return split.map(({ documentId, pieces }) => {
      const own = cosines.slice(index, index + pieces.length)
      index += pieces.length
      const cosine = Math.max(...own)
      return { documentId, cosine, piece: pieces[own.indexOf(cosine)] ?? '' }
    })
  }
}

type BestPiece = {
  readonly documentId: string
  readonly cosine: number
  readonly piece: string
}

/** Joins sentences until they are long and few enough. */
export function splitPieces(text: string): readonly string[] {
  const enough = Math.max(MIN_LETTERS, countLetters(text) / MAX_PIECES)
  const pieces: Span[] = []
  let isOpen = false
  for (const { start, end } of splitSentences(text)) {
    const piece: Span = { start: isOpen ? pieces.pop()!.start : start, end }
    pieces.push(piece)
    isOpen = countLetters(text.slice(piece.start, end)) < enough
  }
  return pieces.length > 0 ? pieces.map(({ start, end }) => text.slice(start, end)) : [text]
}

function countLetters(text: string): number {
  return text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}
