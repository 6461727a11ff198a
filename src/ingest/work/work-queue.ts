import type { QueuePart, RequestedDocument } from '../store/catalog/documents.ts'

/** Entries per look-up, so that the sort is rarely repeated. */
const LOOK_AHEAD = 512

/** Look-ups are repeated, so that cheaper documents go first. */
const FRESH_MS = 500
/** Pause in durations of the last look-up: at most 5 % of the time. Protects the catalog. */
const LOOK_SHARE = 20

/** Then `run` yields undefined, so that the caller can publish what is due. */
const QUIET_MS = 250

export type ListQueued = (
  part: QueuePart,
  except: ReadonlySet<string>,
  limit: number,
) => Promise<readonly RequestedDocument[]>

type WorkOn<Result> = (requested: RequestedDocument, part: QueuePart) => Promise<Result>

type Ended<Result> = { readonly lane: Lane<Result>; readonly id: string; readonly result: Result }

class Lane<Result> {
  readonly part: QueuePart
  readonly running = new Map<string, Promise<Ended<Result>>>()
  next: RequestedDocument[] = []
  isClosed = false
  /** Whether documents may have arrived since the last look-up. */
  mayHaveMore = true
  #lookedUpAt = Number.NEGATIVE_INFINITY
  #lookUpMs = 0

  constructor(part: QueuePart) {
    this.part = part
  }

  get isIdle(): boolean {
    return this.running.size === 0 && this.next.length === 0
  }

  get isStale(): boolean {
    const minAgeMs = this.mayHaveMore && this.next.length === 0 ? 0 : FRESH_MS
    return performance.now() - this.#lookedUpAt >= Math.max(minAgeMs, LOOK_SHARE * this.#lookUpMs)
  }

  async refill(lookUp: ListQueued, claimedIds: ReadonlySet<string>): Promise<void> {
    const started = performance.now()
    this.next = this.isClosed ? [] : [...(await lookUp(this.part, claimedIds, LOOK_AHEAD))]
    this.#lookedUpAt = performance.now()
    this.#lookUpMs = this.#lookedUpAt - started
    this.mayHaveMore = false
  }
}

export class WorkQueue<Result> {
  readonly #lookUp: ListQueued
  readonly #concurrency: number
  readonly #claimedIds = new Set<string>()
  readonly #unpublished = new Lane<Result>('unpublished')
  readonly #published = new Lane<Result>('published')
  readonly #lanes = [this.#unpublished, this.#published]

  /** `concurrency` counts documents of each part. */
  constructor(lookUp: ListQueued, concurrency: number) {
    this.#lookUp = lookUp
    this.#concurrency = concurrency
  }

  get isIdle(): boolean {
    return this.#lanes.every(lane => lane.isIdle)
  }

  get isAllPublished(): boolean {
    return this.#unpublished.isIdle
  }

  async *run(work: WorkOn<Result>): AsyncGenerator<Result | undefined> {
    try {
      for (;;) {
        for (const lane of this.#lanes) await this.#fill(lane, work)
        if (this.isIdle && !(await this.#isAnyLeft(work))) return
        const ended = await waitForFirst(this.#listRunning())
        if (ended) ended.lane.running.delete(ended.id)
        yield ended?.result
      }
    } finally {
      await Promise.allSettled(this.#listRunning())
    }
  }

  release(documentId: string): void {
    this.#claimedIds.delete(documentId)
    for (const lane of this.#lanes) lane.mayHaveMore = true
  }

  close(part: QueuePart): void {
    const lane = part === 'unpublished' ? this.#unpublished : this.#published
    lane.isClosed = true
    lane.next = []
  }

  async #isAnyLeft(work: WorkOn<Result>): Promise<boolean> {
    for (const lane of this.#lanes) {
      await lane.refill(this.#lookUp, this.#claimedIds)
      await this.#fill(lane, work)
    }
    return !this.isIdle
  }

  async #fill(lane: Lane<Result>, work: WorkOn<Result>): Promise<void> {
    while (lane.running.size < this.#concurrency) {
      if (lane.isStale) await lane.refill(this.#lookUp, this.#claimedIds)
      const requested = lane.next.shift()
      if (!requested) return
      this.#claimedIds.add(requested.id)
      const ended = work(requested, lane.part).then(result => ({ lane, id: requested.id, result }))
      lane.running.set(requested.id, ended)
    }
  }

  #listRunning(): readonly Promise<Ended<Result>>[] {
    return this.#lanes.flatMap(({ running }) => [...running.values()])
  }
}

/** Returns undefined after `QUIET_MS`. */
async function waitForFirst<Result>(
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
