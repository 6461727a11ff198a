import { splitText } from '../agent/tokens/text-pieces.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import type { Embedder, EmbeddingRole } from '../ingest/embed/embedder.ts'
import type { Reranker } from '../search/reranker.ts'
import type { Hit } from '../search/searcher.ts'
import { TimeSlices } from '../system/time-slices.ts'
import { parseModelName } from './embedders.ts'
import { buildModelContext, type ModelContext } from './model-context.ts'

type TextModelsDeps = {
  readonly embedder: Embedder
  readonly reranker: Reranker
  readonly counter: () => Promise<TokenCounter>
}

export class TextModels {
  readonly #deps: TextModelsDeps

  constructor(deps: TextModelsDeps) {
    this.#deps = deps
  }

  get embedderId(): string {
    return this.#deps.embedder.id
  }

  get embedderNames(): readonly string[] {
    return [...new Set([this.embedderId, parseModelName(this.embedderId)])]
  }

  get dimensions(): number {
    return this.#deps.embedder.dimensions
  }

  /** Returns unit vectors, one per text, and the total of tokens. */
  async embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal) {
    const counter = await this.#deps.counter()
    const vectors = await this.#deps.embedder.embed(texts, role, signal)
    return { vectors, tokens: await this.#countTokens(texts, counter, signal) }
  }

  /** Yields the thread between pieces. */
  async #countTokens(
    texts: readonly string[],
    counter: TokenCounter,
    signal?: AbortSignal,
  ): Promise<number> {
    const slices = new TimeSlices({ signal })
    let tokens = 0
    for (const text of texts) {
      for (const piece of splitText(text)) {
        if (slices.isOver) await slices.next()
        tokens += counter.count(piece.text)
      }
    }
    return tokens
  }

  /** Scores texts 0 to 1; maps other scales by the logistic function. */
  async rerank(
    query: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const scores = await this.#deps.reranker.scoreHits(query, texts.map(toHit), signal)
    if (scores.every(score => score >= 0 && score <= 1)) return scores
    return scores.map(score => 1 / (1 + Math.exp(-score)))
  }

  async context(hits: readonly Hit[], maxTokens: number): Promise<ModelContext> {
    return buildModelContext(hits, maxTokens, await this.#deps.counter())
  }
}

function toHit(text: string, index: number): Hit {
  const nowhere = { documentId: '', fileId: '', collectionId: '', source: '', name: '', title: '' }
  const place = {
    chunkId: String(index),
    charStart: 0,
    charEnd: text.length,
    context: '',
    tokens: 0,
    headings: [],
    attributes: {},
  }
  return { ...nowhere, ...place, score: 0, weak: false, text }
}
