import { AppError } from '../../errors.ts'
import type { Embedder, EmbeddingRole } from './embedder.ts'
import { REMOTE_MAX_TOKENS } from './remote.ts'

/**
 * A server's model that has not answered yet: what needs no vectors works without it. Whoever wants vectors asks it again,
 * and from its first answer on this is that model. Until then it has 0 dimensions and an id that says so.
 */
export class UnreachedEmbedder implements Embedder {
  readonly #name: string
  readonly #open: (signal: AbortSignal) => Promise<Embedder>
  readonly #closing = new AbortController()
  #reached: Embedder | undefined

  /** `open` throws `model_unavailable` while the server does not answer. */
  constructor(name: string, open: (signal: AbortSignal) => Promise<Embedder>) {
    this.#name = name
    this.#open = open
  }

  get id(): string {
    return this.#reached?.id ?? `${this.#name}@1:0`
  }

  get dimensions(): number {
    return this.#reached?.dimensions ?? 0
  }

  get maxTokens(): number {
    return this.#reached?.maxTokens ?? REMOTE_MAX_TOKENS
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    const reached = this.#reached ?? (await this.#open(stop))
    this.#reached ??= reached // one of those who asked at the same time
    return await this.#reached.embed(texts, role, stop)
  }

  async close(): Promise<void> {
    this.#closing.abort(new AppError('model_unavailable', `The embedder ${this.id} is closed.`))
    await this.#reached?.close()
  }
}
