import type { EmbeddingRole } from '../../src/ingest/embed/embedder.ts'
import { HashingEmbedder } from './hashing-embedder.ts'

/** A hashing embedder whose passages wait while its gate is shut. */
export class GatedEmbedder extends HashingEmbedder {
  /** Calls that wait, or have waited. */
  waiting = 0
  /** Of these calls, the texts. */
  readonly held: string[] = []
  /** Of these calls, those that were stopped while they waited. */
  stopped = 0
  #gate: Promise<void> | undefined
  #open: () => void = () => {}

  shut(): void {
    this.#gate = new Promise(resolve => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#gate = undefined
    this.#open()
  }

  override async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    if (role === 'passage' && this.#gate) {
      this.waiting++
      this.held.push(...texts)
      await Promise.race([this.#gate, aborted(signal)])
      if (signal?.aborted) this.stopped++
    }
    return await super.embed(texts, role, signal)
  }
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return
  await new Promise<void>(resolve =>
    signal?.addEventListener('abort', () => resolve(), { once: true }),
  )
}
