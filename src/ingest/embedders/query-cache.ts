import type { Embedder, EmbeddingRole } from '../embedder.ts'

/** Questions whose vectors are kept: those of the last few users, and of every step of one search. */
const MAX_QUERIES = 256

/** An embedder that remembers the vectors of recent queries; passages pass through. */
export class QueryCache implements Embedder {
  readonly #embedder: Embedder
  readonly #vectors = new Map<string, Promise<Float32Array>>()

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  get id(): string {
    return this.#embedder.id
  }

  get dimensions(): number {
    return this.#embedder.dimensions
  }

  get maxTokens(): number {
    return this.#embedder.maxTokens
  }

  async embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal): Promise<readonly Float32Array[]> {
    if (role === 'passage') return await this.#embedder.embed(texts, role, signal)
    return await Promise.all(texts.map(text => this.#query(text, signal)))
  }

  close(): Promise<void> {
    return this.#embedder.close()
  }

  async #query(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.#vectors.get(text)
    // Somebody else's request may be aborted while we wait for it: then ask for ourselves.
    if (known) return await known.catch(() => this.#ask(text, signal))
    return await this.#ask(text, signal)
  }

  #ask(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const asked = this.#embedder.embed([text], 'query', signal).then(([vector]) => vector!) // one text, one vector
    this.#vectors.set(text, asked)
    asked.catch(() => this.#vectors.delete(text))
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > MAX_QUERIES && oldest !== undefined) this.#vectors.delete(oldest)
    return asked
  }
}
