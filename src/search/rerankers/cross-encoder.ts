import path from 'node:path'
import { localizable, withMessage } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import { Child, getChildEntry } from '../../system/child.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { Pair, PairAnswer } from './cross-encoder-process.ts'

type CrossEncoderOptions = {
  /** Folder with `tokenizer.json` and `model.onnx` or `onnx/model_quantized.onnx`. */
  readonly modelPath: string
  /** Idle time until release; 0 keeps it. */
  readonly idleMs: number
}

/** Runs in a child process with one ONNX thread. Cancelling returns at once. */
export class CrossEncoder implements Reranker {
  readonly #options: CrossEncoderOptions
  #child: Child | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #closed = new AbortController()
  #last: Promise<unknown> = Promise.resolve()
  #settle: (answer: PairAnswer) => void = () => {}

  constructor(options: CrossEncoderOptions) {
    this.#options = options
  }

  async scoreHits(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const before = this.#last
    const stop = AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])])
    const scored = before.then(() => this.#scorePairs(query, hits, stop))
    this.#last = scored.catch(() => {})
    return await raceAbort(scored, stop)
  }

  async close(): Promise<void> {
    this.#closed.abort(
      new AppError(
        'model_unavailable',
        localizable`The reranking model in ${this.#options.modelPath} is closed.`,
      ),
    )
    clearTimeout(this.#idle)
    await this.#child?.kill()
  }

  async #scorePairs(
    query: string,
    hits: readonly Hit[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    clearTimeout(this.#idle)
    const scores: number[] = []
    try {
      for (const hit of hits) {
        signal.throwIfAborted()
        scores.push(await this.#score({ query, passage: toEmbeddedText(hit) }))
      }
      return scores
    } finally {
      if (this.#options.idleMs > 0 && !this.#closed.signal.aborted)
        this.#idle = setTimeout(() => this.#child?.kill(), this.#options.idleMs).unref()
    }
  }

  async #score(pair: Pair): Promise<number> {
    const child = this.#startProcess()
    child.setBusy(true)
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#settle = answer =>
          'score' in answer
            ? resolve(answer.score)
            : reject(this.#createFailure(answer.failure.message))
        child.send(pair)
      })
    } finally {
      child.setBusy(false)
    }
  }

  #startProcess(): Child {
    if (this.#child?.isAlive) return this.#child
    const entry = getChildEntry('./cross-encoder-process', import.meta.url)
    const child = new Child(entry, [path.resolve(this.#options.modelPath)])
    child.events.on('message', (answer: PairAnswer) => this.#settle(answer))
    void child.ended.then(() => {
      const message = localizable`its process ended (${child.ending}) ${child.lastWords}`
      if (this.#child === child)
        this.#settle({ failure: withMessage({ code: 'model_unavailable' }, message) })
    })
    this.#child = child
    return child
  }

  #createFailure(what: string): AppError {
    return new AppError(
      'model_unavailable',
      localizable`The reranking model in ${this.#options.modelPath} failed: ${what}`,
    )
  }
}
