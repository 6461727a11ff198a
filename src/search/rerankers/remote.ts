import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError, toModelErrorCode } from '../../errors.ts'
import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import { type JsonRequest, PostFailure, postJson } from '../../system/post-json.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit } from '../searcher.ts'

const RerankAnswer = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
})

type RemoteRerankerOptions = {
  /** Base URL such as `https://api.jina.ai/v1`, with or without `/rerank`. */
  readonly url: string
  readonly name: string
  readonly key?: string
  readonly timeMs: number
}

/** Calls Cohere's or Jina's `/rerank`, once per query without retries. */
export class RemoteReranker implements Reranker {
  readonly #name: string
  readonly #request: Omit<JsonRequest, 'body'>

  constructor({ url, name, key, timeMs }: RemoteRerankerOptions) {
    if (new URL(url).username)
      throw new AppError(
        'invalid_input',
        localizable`Give the key for ${name} separately, not in the URL.`,
      )
    this.#name = name
    this.#request = {
      url: `${url.replace(/(\/rerank)?\/*$/, '')}/rerank`,
      timeoutMs: timeMs,
      maxRetries: 0,
      ...(key && { key }),
    }
  }

  async scoreHits(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    if (hits.length === 0) return []
    const documents = hits.map(toEmbeddedText)
    const body = {
      model: this.#name,
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    }
    const answer = RerankAnswer.safeParse(
      await this.#post(body, signal ?? new AbortController().signal),
    )
    if (!answer.success)
      throw this.#createFailure('did not return a list of results. Check the URL', answer.error)
    const scores = new Map(
      answer.data.results.map(result => [result.index, result.relevance_score]),
    )
    return hits.map((_, index) => {
      const score = scores.get(index)
      if (score === undefined)
        throw this.#createFailure(`gave ${scores.size} scores for ${hits.length} passages`)
      return score
    })
  }

  async close(): Promise<void> {}

  async #post(body: unknown, signal: AbortSignal): Promise<unknown> {
    try {
      return await postJson({ ...this.#request, body }, signal)
    } catch (error) {
      if (error instanceof PostFailure) throw this.#createFailure(error.message, error)
      throw error
    }
  }

  #createFailure(what: string, cause?: unknown): AppError {
    const message = localizable`The reranking model ${this.#name} at ${this.#request.url} ${what}.`
    const code = toModelErrorCode(cause instanceof PostFailure ? cause.status : undefined)
    return new AppError(code, message, { cause, subject: 'model' })
  }
}
