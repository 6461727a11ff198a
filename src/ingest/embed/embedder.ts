import type { Collection } from '../store/catalog/collections.ts'
import type { EmbeddedChunk } from './embedded-text.ts'

/** Gives the embedder of a collection, undefined for `none`. Throws `store_mismatch` for a model that is not known here. */
export type EmbedderOf<Model extends Embedder = Embedder> = (
  collection: Pick<Collection, 'name' | 'embedderId'>,
  signal?: AbortSignal,
) => Promise<Model | undefined>

/** What a text is to the model: e5 and its kin embed questions and passages differently. */
export type EmbeddingRole = 'query' | 'passage'

/** Turns text into unit vectors (L2 norm 1), so that a dot product is the cosine. */
export interface Embedder {
  /** Model and settings, as `multilingual-e5-small-enzh@1`; changes when a vector would. */
  readonly id: string
  readonly dimensions: number
  /** Longest passage the model reads whole, in its own tokens, special tokens and role prefix not counted. */
  readonly maxTokens: number
  /** One vector a text, in order. A query goes before any passage that waits. Throws `model_unavailable`. */
  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>
  /** Only where a cross-encoder stands beside the model. */
  readonly answerOdds?: AnswerOdds | undefined
  close(): Promise<void>
}

/**
 * How likely each of a few passages answers the question, as log-odds, by a cross-encoder, which reads the two together
 * (Nogueira and Cho 2019). Throws `model_unavailable`.
 */
export type AnswerOdds = (
  question: string,
  passages: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly number[]>

/** An embedder for chunks of any length. */
export interface PassageEmbedder extends Embedder {
  /** What is embedded of each chunk: its context and text, or each window of the text with the context before it. */
  windows(chunks: readonly EmbeddedChunk[]): Promise<readonly (readonly string[])[]>
  /** Whether a chunk of so many tokens, its context not counted, may have several windows. */
  mayDivide(tokens: number): boolean
}

/** Somebody else's embedder: closing it closes nothing. */
export class BorrowedEmbedder implements Embedder {
  readonly #owned: Embedder

  constructor(owned: Embedder) {
    this.#owned = owned
  }

  get id(): string {
    return this.#owned.id
  }

  get dimensions(): number {
    return this.#owned.dimensions
  }

  get maxTokens(): number {
    return this.#owned.maxTokens
  }

  get answerOdds(): AnswerOdds | undefined {
    return this.#owned.answerOdds
  }

  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    return this.#owned.embed(texts, role, signal)
  }

  async close(): Promise<void> {}
}
