import type { ParserWorker } from './parser-worker.ts'

/**
 * Interval between two looks at the memory of all processes, so that they do not take the
 * machine's memory between them.
 */
const POLL_MS = 50

/** Memory of a process that has just started, so that it is counted before it is measured. */
const START_BYTES = 128 * 2 ** 20

/**
 * One budget of memory for all parser processes. When it is spent, those that rest are ended; then those that began last at
 * a file, which is read again later. One file at a time that was read in vain keeps its process: so each is read in the end.
 */
export class SharedMemory {
  readonly #workers: ReadonlySet<ParserWorker>
  readonly #totalBytes: number
  /** Evictable workers, in the order in which they started. */
  readonly #evictable = new Set<ParserWorker>()
  #poll: NodeJS.Timeout | undefined
  /** Settles when the last file that waits for its turn to keep its process has been read. */
  #reserved: Promise<void> = Promise.resolve()

  constructor(workers: ReadonlySet<ParserWorker>, totalBytes: number) {
    this.#workers = workers
    this.#totalBytes = totalBytes
  }

  /** Another process may be started. */
  get hasRoom(): boolean {
    return this.#usedBytes + START_BYTES <= this.#totalBytes
  }

  /** To be called with every process that starts; ends with the last one. */
  watch(): void {
    this.#poll ??= setInterval(() => this.#checkMemory(), POLL_MS).unref()
  }

  allowEviction(worker: ParserWorker): void {
    this.#evictable.add(worker)
  }

  /** It is done with its file. */
  keep(worker: ParserWorker): void {
    this.#evictable.delete(worker)
  }

  /** Items that are made while no other file has its process reserved. */
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
