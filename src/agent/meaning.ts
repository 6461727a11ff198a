import type { Embedder } from '../ingest/embedder.ts'
import { dot } from '../search/dot.ts'
import type { Sentence, SentenceVectors } from '../search/sentence-vectors.ts'

/** Tells how near sentences of documents are to questions by their meaning. */
export interface Meaning {
  /** For each question, its cosine with each sentence. */
  nearness(
    questions: readonly string[],
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[])[]>
}

/** By the vectors of an embedder; those of sentences are kept with their document. */
export class VectorMeaning implements Meaning {
  readonly #embedder: Embedder
  readonly #vectors: SentenceVectors

  constructor(embedder: Embedder, vectors: SentenceVectors) {
    this.#embedder = embedder
    this.#vectors = vectors
  }

  async nearness(
    questions: readonly string[],
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[])[]> {
    const queries = await this.#embedder.embed(questions, 'query', signal)
    const passages = await this.#vectors.of(sentences, signal)
    return queries.map(query => passages.map(passage => dot(query, passage)))
  }
}
