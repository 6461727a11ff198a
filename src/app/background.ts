import type { Collection, Collections } from '../ingest/store/catalog/collections.ts'
import type { Lease } from '../ingest/store/catalog/lease.ts'
import type { DrainOptions, Ingest } from '../ingest/work/ingest.ts'

/** Wait before a retry, so that a full disk or a stopped server has time to recover. */
const RETRY_MS = 30_000

/** Interval of the search for work of dead processes, so that it continues within half a minute. */
export const RESUME_INTERVAL_MS = 30_000

/** Runs one queue per collection at a time. */
export class BackgroundIngest {
  readonly #ingest: Ingest
  readonly #collections: Collections
  readonly #isWorker: boolean
  readonly #onError: (message: string, error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #runs = new Map<string, Run>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #lastStartedId: string | undefined
  #currentHelp: Help | undefined
  #nextHelpAt = 0
  #workerLease: Lease | undefined
  #resumeTimer: NodeJS.Timeout | undefined

  constructor(
    parts: { ingest: Ingest; collections: Collections; isWorker?: boolean },
    onError: (message: string, error: unknown) => void,
  ) {
    this.#ingest = parts.ingest
    this.#collections = parts.collections
    this.#isWorker = parts.isWorker ?? true
    this.#onError = onError
  }

  /** Waits for another writer. Does nothing in a process that does not index (`server.ingest`). */
  start(collection: Collection): void {
    this.#startRun(collection, 'wait')
  }

  #startRun(collection: Collection, ifLocked: Run['ifLocked']): void {
    if (this.#stopped.signal.aborted || !this.#isWorker) return
    const running = this.#runs.get(collection.id)
    if (running) {
      running.isRequestedAgain = true
      return
    }
    this.#cancelRetry(collection.id)
    const run: Run = {
      ifLocked,
      stopped: new AbortController(),
      isRequestedAgain: false,
      ended: Promise.resolve(),
    }
    this.#runs.set(collection.id, run)
    run.ended = this.#drainQueue(collection, run)
  }

  async #drainQueue(collection: Collection, run: Run): Promise<void> {
    const { signal } = run.stopped
    const ended = await this.#drainOnce(
      collection,
      run,
      AbortSignal.any([this.#stopped.signal, signal]),
    )
    if (ended === 'done') run.isRequestedAgain = false
    const hasWork = ended === 'done' && (await this.#ingest.hasWork(collection))
    this.#runs.delete(collection.id)
    if (ended !== 'failed' && (hasWork || run.isRequestedAgain) && !signal.aborted)
      this.#startRun(collection, run.isRequestedAgain ? 'wait' : run.ifLocked)
  }

  /** Continues work of dead processes, now and later, unless the caller does by `startQueued`. */
  async resume({ isLookedFor = false } = {}): Promise<void> {
    const hasAbandonedFiles = this.#ingest.hasAbandonedFiles()
    for (const collection of await this.#collections.listAll()) {
      if (hasAbandonedFiles || (!isLookedFor && (await this.#ingest.hasWork(collection))))
        this.start(collection)
      else void this.#startStale(collection)
    }
    if (isLookedFor || !this.#isWorker) return
    await this.#ensureRegistered()
    this.#resumeTimer ??= setInterval(
      () => void this.#resumeAbandonedWork(),
      RESUME_INTERVAL_MS,
    ).unref()
  }

  async #resumeAbandonedWork(): Promise<void> {
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

  async #ensureRegistered(): Promise<void> {
    if (!this.#isWorker || (this.#workerLease && !this.#workerLease.lost.aborted)) return
    this.#workerLease = await this.#ingest.registerWorker()
  }

  /**
   * Starts one unlocked collection, in turn, or if `helpsOthers`, prepares documents for a locked
   * one. Undefined if nothing was started.
   */
  async startQueued({
    helpsOthers = false,
  } = {}): Promise<{ readonly ended: Promise<void> } | undefined> {
    await this.#ensureRegistered()
    const busyCollections: Collection[] = []
    for (const collection of await this.#rotateCollections()) {
      const isHandledHere = this.#runs.has(collection.id) || this.#retries.has(collection.id)
      if (isHandledHere || !(await this.#ingest.hasWork(collection))) continue
      if (await this.#ingest.isBusy(collection)) {
        busyCollections.push(collection)
        continue
      }
      this.#lastStartedId = collection.id
      this.#startRun(collection, 'skip')
      return this.#runs.get(collection.id)
    }
    return helpsOthers ? await this.#startHelping(busyCollections) : undefined
  }

  async #startHelping(workedOn: readonly Collection[]): Promise<Help | undefined> {
    const canHelp = () =>
      !this.#currentHelp && this.#runs.size === 0 && !this.#stopped.signal.aborted
    if (!canHelp() || performance.now() < this.#nextHelpAt) return undefined
    for (const collection of workedOn) {
      if (!(await this.#ingest.canHelp(collection))) continue
      if (!canHelp()) return undefined
      this.#lastStartedId = collection.id
      const help: Help = {
        collectionId: collection.id,
        stopped: new AbortController(),
        ended: Promise.resolve(),
      }
      this.#currentHelp = help
      help.ended = this.#helpUntilBusy(collection, help)
      return help
    }
    return undefined
  }

  async #helpUntilBusy(collection: Collection, { stopped }: Help): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, stopped.signal])
    try {
      await this.#ingest.help(collection, { signal, isEnough: () => this.#runs.size > 0 })
    } catch (error) {
      if (signal.aborted) return
      this.#nextHelpAt = performance.now() + RETRY_MS
      this.#onError(describeHalt(collection), error)
    } finally {
      this.#currentHelp = undefined
    }
  }

  async #rotateCollections(): Promise<readonly Collection[]> {
    const all = await this.#collections.listAll()
    const next = all.findIndex(({ id }) => id === this.#lastStartedId) + 1
    return [...all.slice(next), ...all.slice(0, next)]
  }

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
      if (!this.#stopped.signal.aborted) this.#onError(describeHalt(collection), error)
    }
  }

  get isBusy(): boolean {
    return this.#runs.size > 0 || this.#currentHelp !== undefined
  }

  get isWaiting(): boolean {
    return this.#retries.size > 0
  }

  async stop({ id }: Collection): Promise<void> {
    const run = this.#runs.get(id)
    run?.stopped.abort()
    await run?.ended
    await this.#stopHelping(id)
    this.#cancelRetry(id)
  }

  async #stopHelping(collectionId: string): Promise<void> {
    if (this.#currentHelp?.collectionId !== collectionId) return
    this.#currentHelp.stopped.abort()
    await this.#currentHelp.ended
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    clearInterval(this.#resumeTimer)
    await Promise.all([...this.#runs.values()].map(run => run.ended))
    await this.#currentHelp?.ended
    for (const id of this.#retries.keys()) this.#cancelRetry(id)
  }

  /**
   * Returns `left` if documents remain, `failed` after an abort or an error, which schedules a
   * retry.
   */
  async #drainOnce(
    collection: Collection,
    run: Run,
    signal: AbortSignal,
  ): Promise<'done' | 'left' | 'failed'> {
    const isPointless = async () => run.ifLocked === 'skip' && !run.isRequestedAgain
    try {
      return (await this.#ingest.drain(collection, { signal, isPointless })) ? 'done' : 'left'
    } catch (error) {
      if (signal.aborted) return 'failed'
      this.#onError(describeHalt(collection), error)
      this.#scheduleRetry(collection, run)
      return 'failed'
    }
  }

  #scheduleRetry(collection: Collection, { ifLocked }: Run): void {
    const retry = async () => {
      this.#retries.delete(collection.id)
      if (await this.#collections.findById(collection.id)) this.#startRun(collection, ifLocked)
    }
    const onDue = () => retry().catch(error => this.#onError(describeHalt(collection), error))
    this.#retries.set(collection.id, setTimeout(onDue, RETRY_MS).unref())
  }

  #cancelRetry(id: string): void {
    clearTimeout(this.#retries.get(id))
    this.#retries.delete(id)
  }
}

type Run = {
  /** Waits for a locked collection only if this process queued something. */
  readonly ifLocked: 'wait' | 'skip'
  readonly stopped: AbortController
  isRequestedAgain: boolean
  ended: Promise<void>
}

type Help = {
  readonly collectionId: string
  readonly stopped: AbortController
  ended: Promise<void>
}

function describeHalt({ name }: Collection): string {
  return `Indexing of ${name} stopped. It resumes with the next document or start.`
}
