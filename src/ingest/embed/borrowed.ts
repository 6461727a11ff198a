import type { AnswerOdds, Embedder, EmbeddingRole } from './embedder.ts'

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
