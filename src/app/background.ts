import type { Collection, Collections } from '../ingest/store/catalog/collections.ts'
import type { Lease } from '../ingest/store/catalog/lease.ts'
import type { DrainOptions, Ingest } from '../ingest/work/ingest.ts'

/**
 * Wait before a run that ended early is retried, so that a full disk or a stopped server has
 * time to recover.
 */
const RETRY_MS = 30_000

/** Interval of the search for work of dead processes, so that it continues within half a minute. */
export const LEFT_MS = 30_000

/** Works off queues in the background, one run per collection at a time. */
export class BackgroundIngest {
  readonly #ingest: Ingest
  readonly #collections: Collections
  readonly #works: boolean
  readonly #onError: (message: string, error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #runs = new Map<string, Run>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #begunLast: string | undefined
  #helping: Help | undefined
  #helpsFrom = 0
  #attendance: Lease | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(
    parts: { ingest: Ingest; collections: Collections; works?: boolean },
    onError: (message: string, error: unknown) => void,
  ) {
    this.#ingest = parts.ingest
    this.#collections = parts.collections
    this.#works = parts.works ?? true
    this.#onError = onError
  }

  /** Starts work on a queued collection, unless other processes do that. */
  start(collection: Collection): void {
    this.#begin(collection, 'waits')
  }

  #begin(collection: Collection, where: Run['whereHeld']): void {
    if (this.#stopped.signal.aborted || !this.#works) return
    const running = this.#runs.get(collection.id)
    if (running) {
      running.isKicked = true
      return
    }
    this.#forgetRetry(collection.id)
    const run: Run = {
      whereHeld: where,
      stopped: new AbortController(),
      isKicked: false,
      ended: Promise.resolve(),
    }
    this.#runs.set(collection.id, run)
    run.ended = this.#drainQueue(collection, run)
  }

  /** Repeats if something was queued too late for the run. */
  async #drainQueue(collection: Collection, run: Run): Promise<void> {
    const { signal } = run.stopped
    const ended = await this.#run(collection, run, AbortSignal.any([this.#stopped.signal, signal]))
    if (ended === 'done') run.isKicked = false
    const hasWork = ended === 'done' && (await this.#ingest.hasWork(collection))
    this.#runs.delete(collection.id)
    if (ended !== 'failed' && (hasWork || run.isKicked) && !signal.aborted)
      this.#begin(collection, run.isKicked ? 'waits' : run.whereHeld)
  }

  /**
   * Continues work of earlier processes, now and whenever one dies, unless the caller looks
   * for it with `startQueued`; rewrites stores of older programs.
   */
  async resume({ isLookedFor = false } = {}): Promise<void> {
    const isLeftBehind = this.#ingest.isLeftBehind()
    for (const collection of await this.#collections.listAll()) {
      if (isLeftBehind || (!isLookedFor && (await this.#ingest.hasWork(collection))))
        this.start(collection)
      else void this.#startStale(collection)
    }
    if (isLookedFor || !this.#works) return
    await this.#registerWorker()
    this.#looking ??= setInterval(() => void this.#resumeLeftWork(), LEFT_MS).unref()
  }

  async #resumeLeftWork(): Promise<void> {
    try {
      await this.startQueued()
    } catch (error) {
      if (!this.#stopped.signal.aborted)
        this.#onError(
          'Cannot look for waiting documents. The next attempt follows in 30 seconds.',
          error,
        )
    }
  }

  /** Registers this process as a worker. */
  async #registerWorker(): Promise<void> {
    if (!this.#works || (this.#attendance && !this.#attendance.lost.aborted)) return
    this.#attendance = await this.#ingest.attend()
  }

  /**
   * Starts one collection with queued work that nobody holds, in turn, so that processes share
   * the work. Otherwise, with `helps`, prepares documents for a busy one. Returns undefined if
   * nothing was started.
   */
  async startQueued({
    helps = false,
  } = {}): Promise<{ readonly ended: Promise<void> } | undefined> {
    await this.#registerWorker()
    const workedOn: Collection[] = []
    for (const collection of await this.#rotateCollections()) {
      const isOurs = this.#runs.has(collection.id) || this.#retries.has(collection.id)
      if (isOurs || !(await this.#ingest.hasWork(collection))) continue
      if (await this.#ingest.isWorkedOn(collection)) {
        workedOn.push(collection)
        continue
      }
      this.#begunLast = collection.id
      this.#begin(collection, 'leaves')
      return this.#runs.get(collection.id)
    }
    return helps ? await this.#help(workedOn) : undefined
  }

  async #help(workedOn: readonly Collection[]): Promise<Help | undefined> {
    const canHelp = () => !this.#helping && this.#runs.size === 0 && !this.#stopped.signal.aborted
    if (!canHelp() || performance.now() < this.#helpsFrom) return undefined
    for (const collection of workedOn) {
      if (!(await this.#ingest.canHelp(collection))) continue
      if (!canHelp()) return undefined
      this.#begunLast = collection.id
      const help: Help = {
        collectionId: collection.id,
        stopped: new AbortController(),
        ended: Promise.resolve(),
      }
      this.#helping = help
      help.ended = this.#helpWith(collection, help)
      return help
    }
    return undefined
  }

  /** Helps until there is own work. */
  async #helpWith(collection: Collection, { stopped }: Help): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, stopped.signal])
    try {
      await this.#ingest.help(collection, { signal, isEnough: () => this.#runs.size > 0 })
    } catch (error) {
      if (signal.aborted) return
      this.#helpsFrom = performance.now() + RETRY_MS
      this.#onError(createHalt(collection), error)
    } finally {
      this.#helping = undefined
    }
  }

  /** Rotates after the collection that was started last, so that none starves. */
  async #rotateCollections(): Promise<readonly Collection[]> {
    const all = await this.#collections.listAll()
    const next = all.findIndex(({ id }) => id === this.#begunLast) + 1
    return [...all.slice(next), ...all.slice(0, next)]
  }

  /** Works off everything and waits, as after an import. */
  async drainAll(options: DrainOptions): Promise<void> {
    for (const collection of await this.#collections.listAll()) {
      const isDue =
        (await this.#ingest.hasWork(collection)) || (await this.#ingest.isStale(collection))
      if (isDue) await this.#ingest.drain(collection, options)
    }
  }

  async #startStale(collection: Collection): Promise<void> {
    try {
      if (await this.#ingest.isStale(collection)) this.start(collection)
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#onError(createHalt(collection), error)
    }
  }

  get isBusy(): boolean {
    return this.#runs.size > 0 || this.#helping !== undefined
  }

  /** True while a failed queue waits for its retry. */
  get isWaiting(): boolean {
    return this.#retries.size > 0
  }

  /** Stops work on a collection; unpublished documents stay queued. */
  async stop({ id }: Collection): Promise<void> {
    const run = this.#runs.get(id)
    run?.stopped.abort()
    await run?.ended
    await this.#stopHelping(id)
    this.#forgetRetry(id)
  }

  async #stopHelping(collectionId: string): Promise<void> {
    if (this.#helping?.collectionId !== collectionId) return
    this.#helping.stopped.abort()
    await this.#helping.ended
  }

  /** Stops all work; unpublished documents stay queued. */
  async close(): Promise<void> {
    this.#stopped.abort()
    clearInterval(this.#looking)
    await Promise.all([...this.#runs.values()].map(run => run.ended))
    await this.#helping?.ended
    for (const id of this.#retries.keys()) this.#forgetRetry(id)
  }

  /** Drains once: `left` if documents remain. An error schedules a retry and is `failed`; so is an abort, without one. */
  async #run(
    collection: Collection,
    run: Run,
    signal: AbortSignal,
  ): Promise<'done' | 'left' | 'failed'> {
    const isPointless = async () => run.whereHeld === 'leaves' && !run.isKicked
    try {
      return (await this.#ingest.drain(collection, { signal, isPointless })) ? 'done' : 'left'
    } catch (error) {
      if (signal.aborted) return 'failed'
      this.#onError(createHalt(collection), error)
      this.#retryLater(collection, run)
      return 'failed'
    }
  }

  #retryLater(collection: Collection, { whereHeld }: Run): void {
    const retry = async () => {
      this.#retries.delete(collection.id)
      if (await this.#collections.findById(collection.id)) this.#begin(collection, whereHeld)
    }
    const onDue = () => retry().catch(error => this.#onError(createHalt(collection), error))
    this.#retries.set(collection.id, setTimeout(onDue, RETRY_MS).unref())
  }

  #forgetRetry(id: string): void {
    clearTimeout(this.#retries.get(id))
    this.#retries.delete(id)
  }
}

/**
 * If another process holds the lease, a run that queued something waits; a run that looks for
 * work leaves.
 */
type Run = {
  readonly whereHeld: 'waits' | 'leaves'
  readonly stopped: AbortController
  isKicked: boolean
  ended: Promise<void>
}

type Help = {
  readonly collectionId: string
  readonly stopped: AbortController
  ended: Promise<void>
}

function createHalt({ name }: Collection): string {
  return `Indexing of ${name} stopped. It resumes with the next document or start.`
}
