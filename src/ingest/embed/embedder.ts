import type { Collection } from '../store/catalog/collections.ts'
import type { EmbeddedChunk } from './embedded-text.ts'

/** Returns undefined for `none`. Throws `store_mismatch` if the model is not configured. */
export type OpenEmbedder<Model extends Embedder = Embedder> = (
  collection: Pick<Collection, 'name' | 'embedderId'>,
  signal?: AbortSignal,
) => Promise<Model | undefined>

/** Models such as e5 embed questions and passages differently. */
export type EmbeddingRole = 'query' | 'passage'

/** Turns text into unit vectors (L2 norm 1), so that a dot product is the cosine. */
export interface Embedder {
  /** Changes when a vector would, as `multilingual-e5-small-enzh@1`. */
  readonly id: string
  readonly dimensions: number
  /** Excludes special tokens and prefix. */
  readonly maxTokens: number
  /** Keeps the order. Embeds queries first. Throws `model_unavailable`. */
  embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>
  /** Absent without a cross-encoder. */
  readonly answerOdds?: AnswerOdds | undefined
  close(): Promise<void>
}

/**
 * Rates by a cross-encoder, as log-odds, whether each passage answers (Nogueira and Cho 2019).
 * Throws `model_unavailable`.
 */
export type AnswerOdds = (
  question: string,
  passages: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly number[]>

export interface PassageEmbedder extends Embedder {
  createWindows(chunks: readonly EmbeddedChunk[]): Promise<readonly (readonly string[])[]>
  canDivide(tokens: number): boolean
}

/** `close` closes nothing. */
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
