/** To publish a chunk by its words, and then again with its vectors, costs .2 to .4 ms of CPU (docs/benchmarks.md): where embedding takes little longer, it is not worth it. */
const MAX_MS_PER_CHUNK = 1
/** A document is not kept from being found by its words for longer. */
export const MAX_EMBEDDING_MS = 200

/** How long each model took for a chunk when it embedded last. */
export class EmbeddingPace {
  readonly #msPerChunk = new Map<string, number>()

  took(embedderId: string, texts: number, ms: number): void {
    if (texts > 0) this.#msPerChunk.set(embedderId, ms / texts)
  }

  forget(embedderId: string): void {
    this.#msPerChunk.delete(embedderId)
  }

  /** Whether so many chunks are embedded so soon that they need not be published without vectors. Of a model that embedded nothing yet, false. */
  isSoon(embedderId: string, chunks: number): boolean {
    const msPerChunk = this.#msPerChunk.get(embedderId) ?? Number.POSITIVE_INFINITY
    return msPerChunk <= MAX_MS_PER_CHUNK && msPerChunk * chunks <= MAX_EMBEDDING_MS
  }
}
