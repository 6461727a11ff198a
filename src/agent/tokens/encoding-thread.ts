import type { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { getChildEntry, startThread } from '../../system/child.ts'
import type { EncodingRequest, ToEncodingWorker, VocabularyName } from './encoding.ts'
import { MAX_PIECE_CHARS } from './text-pieces.ts'

type FromEncodingWorker = { readonly id: number } & (
  | { readonly answer: number | string }
  | { readonly error: unknown }
)

type CutOptions = {
  readonly kind: 'head' | 'tail'
  readonly text: string
  readonly maxTokens: number
}

type Waiting = {
  readonly resolve: (answer: number | string) => void
  readonly reject: (reason: unknown) => void
}

/** Characters per token for a first cut, so that a second is rare. */
const CHARS_PER_TOKEN = 8

/** Heap for short-lived objects in MiB, so that the thread stays small; 48 were no faster. */
const YOUNG_MIB = 8

/** Idle time, so that 80 to 150 MiB are freed. */
const IDLE_MS = 60_000

/** Loads OpenAI's vocabularies (0.2 s) on a thread that ends when idle. */
export class EncodingThread {
  readonly #waiting = new Map<number, Waiting>()
  readonly #idleMs: number
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  constructor({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}) {
    this.#idleMs = idleMs
  }

  /** Throws the signal's reason, or `internal` if the thread ended. */
  async count(vocabulary: VocabularyName, text: string, signal?: AbortSignal): Promise<number> {
    return (await this.#ask({ kind: 'count', vocabulary, text: text }, signal)) as number
  }

  async cut(
    vocabulary: VocabularyName,
    { kind, text, maxTokens }: CutOptions,
    signal?: AbortSignal,
  ): Promise<string> {
    for (let chars = maxTokens * CHARS_PER_TOKEN + MAX_PIECE_CHARS; ; chars *= 2) {
      const part = kind === 'head' ? text.slice(0, chars) : text.slice(-chars)
      const cut = (await this.#ask({ vocabulary, kind, text: part, maxTokens }, signal)) as string
      if (part.length === text.length || cut.length <= part.length - MAX_PIECE_CHARS) return cut
    }
  }

  async decode(
    vocabulary: VocabularyName,
    ids: readonly number[],
    signal?: AbortSignal,
  ): Promise<string> {
    return (await this.#ask({ kind: 'text', vocabulary, ids }, signal)) as string
  }

  async #ask(request: EncodingRequest, signal?: AbortSignal): Promise<number | string> {
    signal?.throwIfAborted()
    clearTimeout(this.#idle)
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
      if (this.#waiting.size === 0) this.#stopWhenIdle(worker)
    }
  }

  #stopWhenIdle(worker: Worker): void {
    worker.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined
      void worker.terminate()
    }, this.#idleMs).unref()
  }

  #start(): Worker {
    const worker = startThread(getChildEntry('./encoding-worker', import.meta.url), {
      maxYoungGenerationSizeMb: YOUNG_MIB,
    })
    worker.on('message', (message: FromEncodingWorker) => {
      const waiting = this.#waiting.get(message.id)
      if ('error' in message) waiting?.reject(message.error)
      else waiting?.resolve(message.answer)
    })
    const end = (cause: unknown) => {
      if (this.#worker !== worker) return // waiters ask a new one
      this.#worker = undefined
      for (const { reject } of this.#waiting.values())
        reject(new AppError('internal', 'The thread that counts tokens ended.', { cause }))
    }
    worker.on('error', end).on('exit', end)
    return worker
  }
}

export const encodingThread = new EncodingThread()
