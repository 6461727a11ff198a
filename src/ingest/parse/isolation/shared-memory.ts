import type { ParserWorker } from './parser-worker.ts'

/** Short, so that processes do not take the machine's memory in between. */
const POLL_MS = 50

/** Assumed until it is measured, so that a new process counts. */
const START_BYTES = 128 * 2 ** 20

/**
 * One budget of memory for all parser processes. If it is spent, resting processes end first, then
 * the latest, whose file is parsed again.
 */
export class SharedMemory {
  readonly #workers: ReadonlySet<ParserWorker>
  readonly #totalBytes: number
  readonly #evictable = new Set<ParserWorker>()
  #poll: NodeJS.Timeout | undefined
  #reserved: Promise<void> = Promise.resolve()

  constructor(workers: ReadonlySet<ParserWorker>, totalBytes: number) {
    this.#workers = workers
    this.#totalBytes = totalBytes
  }

  get hasRoom(): boolean {
    return this.#usedBytes + START_BYTES <= this.#totalBytes
  }

  watch(): void {
    this.#poll ??= setInterval(() => this.#checkMemory(), POLL_MS).unref()
  }

  allowEviction(worker: ParserWorker): void {
    this.#evictable.add(worker)
  }

  /** Call it when the process is done with its file. */
  keep(worker: ParserWorker): void {
    this.#evictable.delete(worker)
  }

  async *reserve<Item>(signal: AbortSignal, make: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    const before = this.#reserved
    let release = () => {}
    const own = new Promise<void>(resolve => (release = resolve))
    this.#reserved = before.then(() => own)
    try {
      await before
      signal.throwIfAborted()
      yield* make()
    } finally {
      release()
    }
  }

  get #usedBytes(): number {
    return [...this.#workers].reduce((sum, worker) => sum + worker.memoryBytes, 0)
  }

  #checkMemory(): void {
    if (this.#workers.size === 0) {
      clearInterval(this.#poll)
      this.#poll = undefined
      return
    }
    if (this.#workers.size < 2 || this.#usedBytes <= this.#totalBytes) return
    const resting = [...this.#workers].filter(worker => worker.isAlive && worker.isResting)
    const last = [...this.#evictable].at(-1)
    if (resting.length > 0) for (const worker of resting) void worker.kill()
    else last?.evict()
  }
}
