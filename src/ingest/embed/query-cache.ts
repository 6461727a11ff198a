import { getItem } from '../../system/items.ts'
import type { AnswerOdds, Embedder, EmbeddingRole } from './embedder.ts'

const MAX_QUERIES = 256

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

  get answerOdds(): AnswerOdds | undefined {
    return this.#embedder.answerOdds
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    if (role === 'passage') return await this.#embedder.embed(texts, role, signal)
    const distinct = new Set(texts)
    const cached = new Map([...this.#vectors].filter(([text]) => distinct.has(text)))
    const uncached = [...distinct].filter(text => !cached.has(text))
    const embedded = this.#ask(uncached, signal)
    // Another caller may have aborted its request.
    const again = this.#ask(await findFailures(cached), signal)
    return await Promise.all(
      texts.map(text => again.get(text) ?? embedded.get(text) ?? cached.get(text)!),
    )
  }

  close(): Promise<void> {
    return this.#embedder.close()
  }

  #ask(texts: readonly string[], signal?: AbortSignal): ReadonlyMap<string, Promise<Float32Array>> {
    if (texts.length === 0) return new Map()
    const all = this.#embedder.embed(texts, 'query', signal)
    const byText = new Map(
      texts.map((text, index) => [text, all.then(vectors => getItem(vectors, index))]),
    )
    for (const [text, vector] of byText) this.#keep(text, vector)
    return byText
  }

  #keep(text: string, vector: Promise<Float32Array>): void {
    this.#vectors.delete(text)
    this.#vectors.set(text, vector)
    vector.catch(() => {
      if (this.#vectors.get(text) === vector) this.#vectors.delete(text)
    })
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > MAX_QUERIES && oldest !== undefined) this.#vectors.delete(oldest)
  }
}

async function findFailures(
  vectors: ReadonlyMap<string, Promise<unknown>>,
): Promise<readonly string[]> {
  const failed = [...vectors].map(([text, vector]) =>
    vector.then(
      () => [],
      () => [text],
    ),
  )
  return (await Promise.all(failed)).flat()
}
