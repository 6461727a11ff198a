/** Vectors by the text that they are of, in memory: of the texts used last. */
export class RecentVectors {
  readonly #capacity: number
  /** Least recently used first. */
  readonly #vectors = new Map<string, Float32Array>()

  /** `capacity` in vectors. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text)
    if (vector) this.#keep(text, vector)
    return vector
  }

  async add(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const [text, vector] of vectors) this.#keep(text, vector)
    for (const text of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#capacity) return
      this.#vectors.delete(text)
    }
  }

  #keep(text: string, vector: Float32Array): void {
    this.#vectors.delete(text)
    this.#vectors.set(text, vector)
  }
}
