import { splitText } from '../agent/tokens/text-pieces.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import type { Embedder, EmbeddingRole } from '../ingest/embed/embedder.ts'
import type { Reranker } from '../search/reranker.ts'
import type { Hit } from '../search/searcher.ts'
import { Turns } from '../system/turns.ts'
import { type ModelContext, modelContext } from './model-context.ts'

type TextModelsDeps = {
  readonly embedder: Embedder
  readonly reranker: Reranker
  readonly counter: () => Promise<TokenCounter>
}

/** The store's models on texts, those of documents or others. */
export class TextModels {
  readonly #deps: TextModelsDeps

  constructor(deps: TextModelsDeps) {
    this.#deps = deps
  }

  /** Of documents and questions. */
  get embedderId(): string {
    return this.#deps.embedder.id
  }

  get dimensions(): number {
    return this.#deps.embedder.dimensions
  }

  /** Vectors of L2 norm 1, one a text, and how many tokens the texts have together. */
  async embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal) {
    const counter = await this.#deps.counter()
    const vectors = await this.#deps.embedder.embed(texts, role, signal)
    return { vectors, tokens: await this.#tokens(texts, counter, signal) }
  }

  /** Texts of any length: counted in pieces, while others have the thread. */
  async #tokens(
    texts: readonly string[],
    counter: TokenCounter,
    signal?: AbortSignal,
  ): Promise<number> {
    const turns = new Turns({ signal })
    let tokens = 0
    for (const text of texts) {
      for (const piece of splitText(text)) {
        if (turns.isOver) await turns.next()
        tokens += counter.count(piece.text)
      }
    }
    return tokens
  }

  /** How well each text answers the query, in order: brought to 0 to 1, where a model gives others by the logistic function. */
  async rerank(
    query: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const scores = await this.#deps.reranker.scoreHits(query, texts.map(toHit), signal)
    if (scores.every(score => score >= 0 && score <= 1)) return scores
    return scores.map(score => 1 / (1 + Math.exp(-score)))
  }

  /** Hits as text for a model: whole passages, neighbours as one, in at most so many tokens of the embedder's vocabulary. */
  async context(hits: readonly Hit[], maxTokens: number): Promise<ModelContext> {
    return modelContext(hits, maxTokens, await this.#deps.counter())
  }
}

function toHit(text: string, at: number): Hit {
  const nowhere = { documentId: '', fileId: '', collectionId: '', source: '', name: '', title: '' }
  const place = {
    chunkId: String(at),
    charStart: 0,
    charEnd: text.length,
    context: '',
    tokens: 0,
    headings: [],
    attributes: {},
  }
  return { ...nowhere, ...place, score: 0, weak: false, text }
}
