import type { Documents, WantedDocument } from '../catalog/documents.ts'

/** Entries looked up at a time: to find the smallest, all that wait are looked at. */
const LOOK_AHEAD = 512

/** How long nothing has to end before the caller is told. */
const QUIET_MS = 1_000

/** The documents of a collection that wait, handed out a few at a time; none twice while it is held. */
export class WorkQueue {
  readonly #documents: Documents
  readonly #collectionId: string
  readonly #concurrency: number
  readonly #held = new Set<string>()
  #next: WantedDocument[] = []
  #running = 0

  constructor(documents: Documents, collectionId: string, concurrency: number) {
    this.#documents = documents
    this.#collectionId = collectionId
    this.#concurrency = concurrency
  }

  /** Nothing is being worked on and nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#peek() === undefined
  }

  /**
   * Results as they come, and undefined whenever none has come for a while. `work` must not reject; leaving the loop
   * waits for what is running.
   */
  async *run<Result>(work: (wanted: WantedDocument) => Promise<Result>): AsyncGenerator<Result | undefined> {
    const running = new Map<string, Promise<{ id: string; result: Result }>>()
    try {
      for (;;) {
        for (let wanted = this.#peek(); wanted && running.size < this.#concurrency; wanted = this.#peek()) {
          const { id } = this.#take(wanted)
          running.set(
            id,
            work(wanted).then(result => ({ id, result })),
          )
        }
        if (running.size === 0) return
        const ended = await firstOrQuiet(running.values())
        if (ended) running.delete(ended.id)
        this.#running = running.size
        yield ended?.result
      }
    } finally {
      await Promise.allSettled(running.values())
    }
  }

  /** The document is published or failed: if it is still in the queue, something else is wanted of it by now. */
  release(documentId: string): void {
    this.#held.delete(documentId)
  }

  #take(wanted: WantedDocument): WantedDocument {
    this.#next.shift()
    this.#held.add(wanted.id)
    this.#running++
    return wanted
  }

  #peek(): WantedDocument | undefined {
    if (this.#next.length === 0) this.#next = [...this.#documents.queued(this.#collectionId, this.#held, LOOK_AHEAD)]
    return this.#next[0]
  }
}

/** The first that ends; undefined when none has for a while. */
async function firstOrQuiet<Result>(running: Iterable<Promise<Result>>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const quiet = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), QUIET_MS)
  })
  try {
    return await Promise.race([...running, quiet])
  } finally {
    clearTimeout(timer)
  }
}
