import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import { dot } from '../../ingest/embed/vector.ts'
import { type Span, sentences } from '../../text/sentences.ts'
import type { Reranker, SentenceReader } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { SentenceVectors } from './sentence-vectors.ts'

/** A chunk is looked at in so many pieces at most: what a question costs does not depend on how it is punctuated. */
const MAX_PIECES = 8

/** Shorter pieces say too little to be compared by; a Han character says as much as three letters. */
const MIN_LETTERS = 60

/**
 * A hit is as good as its best sentence: the highest cosine of the question with any piece of the text. Each piece is embedded
 * as its chunk is, after the title and headings, for few sentences say by themselves what they are about. Costs at most
 * 8 short embeddings a hit, nothing for documents that were looked at before.
 */
export class SentenceReranker implements Reranker, SentenceReader {
  readonly #embedder: Embedder
  readonly #vectors: SentenceVectors

  constructor(embedder: Embedder, vectors: SentenceVectors) {
    this.#embedder = embedder
    this.#vectors = vectors
  }

  async scores(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    return (await this.#findBestPieces(query, hits, signal)).map(({ cosine }) => cosine)
  }

  async likeness(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const best = await this.#findBestPieces(query, hits, signal)
    const [question] = await this.#embedder.embed([query], 'query', signal)
    const bare = best.map(({ piece }, at) => ({ documentId: hits[at]!.documentId, text: piece })) // one a hit
    return (await this.#vectors.getVectors(bare, signal)).map(vector => dot(question!, vector)) // one text, one vector
  }

  /** Of each hit the piece that is nearest to the question when it is read under its headings. */
  async #findBestPieces(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly BestPiece[]> {
    const pieces = hits.map(({ text }) => splitPieces(text))
    const read = hits.flatMap(({ documentId, context }, at) =>
      pieces[at]!.map(piece => ({ documentId, text: toEmbeddedText({ context, text: piece }) })),
    )
    const [question] = await this.#embedder.embed([query], 'query', signal)
    const cosines = (await this.#vectors.getVectors(read, signal)).map(vector =>
      dot(question!, vector),
    ) // one text, one vector
    let at = 0
    return pieces.map(own => {
      const ofOwn = cosines.slice(at, at + own.length)
      at += own.length
      const cosine = Math.max(...ofOwn)
      return { cosine, piece: own[ofOwn.indexOf(cosine)]! } // every text has a piece
    })
  }
}

type BestPiece = { readonly cosine: number; readonly piece: string }

/** Sentences, neighbours together until they are long enough and few enough. */
export function splitPieces(text: string): readonly string[] {
  const enough = Math.max(MIN_LETTERS, countLetters(text) / MAX_PIECES)
  const pieces: Span[] = []
  let isOpen = false
  for (const { start, end } of sentences(text)) {
    const piece: Span = { start: isOpen ? pieces.pop()!.start : start, end } // an open piece is the last one
    pieces.push(piece)
    isOpen = countLetters(text.slice(piece.start, end)) < enough
  }
  return pieces.length > 0 ? pieces.map(({ start, end }) => text.slice(start, end)) : [text]
}

function countLetters(text: string): number {
  return text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}
