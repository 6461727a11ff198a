import type { QueuePart, WantedDocument } from '../store/catalog/documents.ts'

/** Entries looked up at a time: to find the cheapest, all that wait are looked at. */
const LOOK_AHEAD = 512

/** What was looked up is looked up again after so long, as something cheaper may wait by now. */
const FRESH_MS = 500
/** At least so many times as long as a look took passes before the next. */
const LOOK_SHARE = 20

/** How long nothing has to end before the caller is told. */
const QUIET_MS = 250

/** Looks up the cheapest documents of a part of the queue. */
export type LookUp = (
  part: QueuePart,
  except: ReadonlySet<string>,
  limit: number,
) => Promise<readonly WantedDocument[]>

/** Works on a document of that part; never rejects. */
type WorkOn<Result> = (wanted: WantedDocument, part: QueuePart) => Promise<Result>

type Ended<Result> = { readonly lane: Lane<Result>; readonly id: string; readonly result: Result }

/** A part of the queue, and what is being worked on of it. */
class Lane<Result> {
  readonly part: QueuePart
  readonly running = new Map<string, Promise<Ended<Result>>>()
  next: WantedDocument[] = []
  isClosed = false
  /** Documents have come into this part since it was looked up, for all that is known. */
  mayHaveMore = true
  #lookedAt = Number.NEGATIVE_INFINITY
  #tookMs = 0

  constructor(part: QueuePart) {
    this.part = part
  }

  get isIdle(): boolean {
    return this.running.size === 0 && this.next.length === 0
  }

  get isStale(): boolean {
    const least = this.mayHaveMore && this.next.length === 0 ? 0 : FRESH_MS
    return performance.now() - this.#lookedAt >= Math.max(least, LOOK_SHARE * this.#tookMs)
  }

  async look(lookUp: LookUp, held: ReadonlySet<string>): Promise<void> {
    const started = performance.now()
    this.next = this.isClosed ? [] : [...(await lookUp(this.part, held, LOOK_AHEAD))]
    this.#lookedAt = performance.now()
    this.#tookMs = this.#lookedAt - started
    this.mayHaveMore = false
  }
}

/**
 * The documents of a collection that wait, handed out a few at a time; none twice while it is held. Those that cannot be
 * found yet go beside those that can, so that a new document does not wait for the vectors of others.
 */
export class WorkQueue<Result> {
  readonly #lookUp: LookUp
  readonly #concurrency: number
  readonly #held = new Set<string>()
  readonly #unfound = new Lane<Result>('unfound')
  readonly #found = new Lane<Result>('found')
  readonly #lanes = [this.#unfound, this.#found]

  /** `concurrency` documents of each part. */
  constructor(lookUp: LookUp, concurrency: number) {
    this.#lookUp = lookUp
    this.#concurrency = concurrency
  }

  /** As far as is known, nothing is being worked on and nothing waits. */
  get isIdle(): boolean {
    return this.#lanes.every(lane => lane.isIdle)
  }

  /** The same of documents that cannot be found yet. */
  get isAllFound(): boolean {
    return this.#unfound.isIdle
  }

  /**
   * Results as they come, and undefined whenever none has come for a while; leaving the loop waits for what is running.
   */
  async *run(work: WorkOn<Result>): AsyncGenerator<Result | undefined> {
    try {
      for (;;) {
        for (const lane of this.#lanes) await this.#fill(lane, work)
        if (this.isIdle && !(await this.#isAnyLeft(work))) return
        const ended = await firstOrQuiet(this.#running())
        if (ended) ended.lane.running.delete(ended.id)
        yield ended?.result
      }
    } finally {
      await Promise.allSettled(this.#running())
    }
  }

  /** The document is published or failed: if it is still in the queue, something else is wanted of it by now. */
  release(documentId: string): void {
    this.#held.delete(documentId)
    for (const lane of this.#lanes) lane.mayHaveMore = true
  }

  /** Nothing more of that part is handed out. */
  close(part: QueuePart): void {
    const lane = this.#lanes.find(lane => lane.part === part)! // one for each
    lane.isClosed = true
    lane.next = []
  }

  /** Before the end nothing is taken for known. */
  async #isAnyLeft(work: WorkOn<Result>): Promise<boolean> {
    for (const lane of this.#lanes) {
      await lane.look(this.#lookUp, this.#held)
      await this.#fill(lane, work)
    }
    return !this.isIdle
  }

  async #fill(lane: Lane<Result>, work: WorkOn<Result>): Promise<void> {
    while (lane.running.size < this.#concurrency) {
      if (lane.isStale) await lane.look(this.#lookUp, this.#held)
      const wanted = lane.next.shift()
      if (!wanted) return
      this.#held.add(wanted.id)
      const ended = work(wanted, lane.part).then(result => ({ lane, id: wanted.id, result }))
      lane.running.set(wanted.id, ended)
    }
  }

  #running(): readonly Promise<Ended<Result>>[] {
    return this.#lanes.flatMap(({ running }) => [...running.values()])
  }
}

/** The first that ends; undefined when none has for a while. */
async function firstOrQuiet<Result>(
  running: readonly Promise<Result>[],
): Promise<Result | undefined> {
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
