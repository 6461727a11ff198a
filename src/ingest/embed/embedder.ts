import type { Collection } from '../store/catalog/collections.ts'
import type { EmbeddedChunk } from './embedded-text.ts'

/** Returns the embedder of a collection, undefined for `none`. Throws `store_mismatch` if its model is not configured. */
export type EmbedderOf<Model extends Embedder = Embedder> = (
  collection: Pick<Collection, 'name' | 'embedderId'>,
  signal?: AbortSignal,
) => Promise<Model | undefined>

/** Role of a text: models such as e5 embed questions and passages differently. */
export type EmbeddingRole = 'query' | 'passage'

/** Turns text into unit vectors (L2 norm 1), so that a dot product is the cosine. */
export interface Embedder {
  /** Model and settings, as `multilingual-e5-small-enzh@1`; changes when a vector would. */
  readonly id: string
  readonly dimensions: number
  /** Maximum length of a passage in the model's tokens, without special tokens and role prefix. */
  readonly maxTokens: number
  /** Returns one vector per text, in order. Queries go first. Throws `model_unavailable`. */
  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>
  /** Absent without a cross-encoder beside the model. */
  readonly answerOdds?: AnswerOdds | undefined
  close(): Promise<void>
}

/**
 * Estimates by a cross-encoder whether each passage answers the question, as log-odds (Nogueira
 * and Cho 2019). Throws `model_unavailable`.
 */
export type AnswerOdds = (
  question: string,
  passages: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly number[]>

export interface PassageEmbedder extends Embedder {
  windows(chunks: readonly EmbeddedChunk[]): Promise<readonly (readonly string[])[]>
  /** Returns whether a chunk of this many tokens may have several windows. */
  mayDivide(tokens: number): boolean
}

/** Closing it closes nothing. */
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
