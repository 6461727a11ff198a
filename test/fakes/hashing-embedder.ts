import { AppError } from '../../src/errors.ts'
import type { Embedder, EmbeddingRole } from '../../src/ingest/embed/embedder.ts'

/** An Embedder without a model: every word is hashed to a direction, so texts that share words are near. */
export class HashingEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly maxTokens: number
  /** Every call so far, for tests that ask what was embedded and what was not. */
  readonly calls: { readonly texts: readonly string[]; readonly role: EmbeddingRole }[] = []
  #closed = false

  constructor(options: { dimensions?: number; maxTokens?: number; id?: string } = {}) {
    this.dimensions = options.dimensions ?? 64
    this.maxTokens = options.maxTokens ?? 512
    this.id = options.id ?? `hashing-${this.dimensions}@1`
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    signal?.throwIfAborted()
    if (this.#closed) throw new AppError('model_unavailable', `The embedder ${this.id} is closed.`)
    this.calls.push({ texts, role })
    return texts.map(text => bagOfWords(text, this.dimensions))
  }

  async close(): Promise<void> {
    this.#closed = true
  }
}

function bagOfWords(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of wordsOf(text)) {
    const hash = fnv1a(word)
    vector[hash % dimensions]! += hash & 0x10000 ? 1 : -1
  }
  const norm = Math.hypot(...vector)
  if (norm === 0) return vector.fill(dimensions ** -0.5)
  return vector.map(value => value / norm)
}

/** Runs of letters and digits in lower case; Han characters one by one. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? []
}

function fnv1a(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
