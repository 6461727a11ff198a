import type { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { childEntry, startThread } from '../../ingest/isolation/child.ts'
import type { EncodingRequest } from './encoding.ts'
import type { VocabularyName } from './openai-vocabulary.ts'

export type ToEncodingWorker =
  | { readonly type: 'ask'; readonly id: number; readonly request: EncodingRequest }
  | { readonly type: 'cancel'; readonly id: number }

type FromEncodingWorker = { readonly id: number } & ({ readonly answer: number | string } | { readonly error: unknown })

type CutOptions = { readonly kind: 'head' | 'tail'; readonly text: string; readonly maxTokens: number }

type Waiting = { readonly resolve: (answer: number | string) => void; readonly reject: (reason: unknown) => void }

/** OpenAI's vocabularies on a thread of their own, started when first asked: to load one takes 0.2 s, a long text two. */
export class EncodingThread {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0

  /** Tokens of a text. Like every other method it throws the reason of the signal, and `internal` where the thread ended. */
  async count(vocabulary: VocabularyName, text: string, signal?: AbortSignal): Promise<number> {
    return (await this.#ask({ kind: 'count', vocabulary, text }, signal)) as number // what is answered to this
  }

  /** The longest beginning or end of at most so many tokens. */
  async cut(vocabulary: VocabularyName, options: CutOptions, signal?: AbortSignal): Promise<string> {
    return (await this.#ask({ vocabulary, ...options }, signal)) as string // same
  }

  /** What tokens stand for. */
  async text(vocabulary: VocabularyName, ids: readonly number[], signal?: AbortSignal): Promise<string> {
    return (await this.#ask({ kind: 'text', vocabulary, ids }, signal)) as string // same
  }

  async #ask(request: EncodingRequest, signal?: AbortSignal): Promise<number | string> {
    signal?.throwIfAborted()
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#lastId
    const cancel = () => {
      worker.postMessage({ type: 'cancel', id } satisfies ToEncodingWorker)
      this.#waiting.get(id)?.reject(signal?.reason)
    }
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        worker.ref()
        signal?.addEventListener('abort', cancel, { once: true })
        worker.postMessage({ type: 'ask', id, request } satisfies ToEncodingWorker)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref() // a thread at rest keeps no program alive
    }
  }

  #start(): Worker {
    const worker = startThread(childEntry('./encoding-worker', import.meta.url))
    worker.on('message', (message: FromEncodingWorker) => {
      const waiting = this.#waiting.get(message.id)
      if ('error' in message) waiting?.reject(message.error)
      else waiting?.resolve(message.answer)
    })
    const end = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of this.#waiting.values())
        reject(new AppError('internal', 'The thread that counts tokens ended.', { cause }))
    }
    worker.on('error', end).on('exit', end)
    return worker
  }
}

/** One for all that counts tokens in this process. */
export const encodingThread = new EncodingThread()
