import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../config.ts'
import { localizable, withMessage } from '../../errors/localizable.ts'
import { AppError, type Failure, toFailure } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import { getSourceLease, isLeased, type Lease } from '../../ingest/store/catalog/lease.ts'
import type { Move } from '../../ingest/store/catalog/moved-documents.ts'
import {
  SOURCE_JOB,
  type SourceOutcome,
  type SourceRun,
} from '../../ingest/store/catalog/source-runs.ts'
import type { IndexResult } from '../../wire/indexing.ts'
import type { CollectionAdmin, Retention } from '../documents/collection-admin.ts'
import type { IndexDocuments, IndexOptions } from '../indexing/index-documents.ts'
import { createFetcher, type openIngesting } from '../indexing/ingesting.ts'
import type { Store } from '../stores/store.ts'
import { moveSourceDocuments, removeSourceDocuments } from './source-documents.ts'
import { listRoots, SourceRunner, type SourceSettings } from './source-runner.ts'

export type SourceStatus = Pick<SourceSettings, 'type' | 'collection' | 'everyMinutes'> &
  Omit<Partial<SourceRun>, 'state' | 'collectionId'> & {
    readonly id: string
    readonly name: string
    readonly state: SourceRun['state'] | 'new'
    readonly done: number
    readonly nextAt?: number
    readonly failures: SourceRun['failures']
  }

type RunOptions = Pick<IndexOptions, 'signal' | 'onEvent' | 'onWait' | 'noWait' | 'prune' | 'force'>

type SourcesDeps = {
  readonly sources: Settings['sources']
  readonly store: Store
  readonly indexing: Indexing
  readonly runner: SourceRunner
  readonly isWorker: boolean
  readonly onError: (message: string, error: unknown) => void
}

/** Short, so that a requested run starts soon. */
const LOOK_MS = 2_000

/** Runs at once, so that a slow source does not stop the others. */
const MAX_RUNS = 4

/** Between runs that changes start, so that a busy source leaves time for the others. */
const CHANGE_PAUSE_MS = 5_000

/** Wait after a failure, so that a full disk or a server has time to recover. */
const RETRY_MS = 60_000

/** Short, so that progress and cancelling are seen within a second. */
const PROGRESS_MS = 1_000

type Opened = Pick<SourcesDeps, 'onError'> & {
  readonly settings: Settings
  readonly opened: { readonly store: Store }
}
type Indexing = {
  readonly collections: CollectionAdmin
  readonly indexDocuments: IndexDocuments
  readonly retention: Retention
  readonly ingesting: Pick<ReturnType<typeof openIngesting>, 'openRoot' | 'removal' | 'ingest'>
}

export function openSources({ settings, opened, onError }: Opened, indexing: Indexing): Sources {
  return new Sources({
    sources: settings.sources,
    store: opened.store,
    indexing,
    runner: new SourceRunner({
      indexDocuments: indexing.indexDocuments,
      openRoot: indexing.ingesting.openRoot,
      retention: indexing.retention({}),
      cache: path.join(settings.home, 'cache', 'sources'),
      maxBytes: settings.fetching.maxBytes,
      createFetcher: createFetcher(settings),
    }),
    isWorker: settings.server.ingest,
    onError,
  })
}

/** Keeps sources in step: one process at a time runs a source, and another one resumes it. */
export class Sources {
  readonly #deps: SourcesDeps
  readonly #runs = new Map<string, Promise<void>>()
  readonly #retryAt = new Map<string, number>()
  readonly #changed = new Set<string>()
  #watches: readonly Promise<void>[] = []
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(deps: SourcesDeps) {
    this.#deps = deps
  }

  async list(): Promise<readonly SourceStatus[]> {
    const rows = await this.#readRuns()
    return await Promise.all(
      Object.entries(this.#deps.sources).map(async ([name, settings]) => {
        const run = rows.get(name)
        const isAbandoned = run?.state === 'running' && !(await this.#isRunning(name))
        return toStatus(name, settings, isAbandoned ? { ...run, state: 'queued' } : run)
      }),
    )
  }

  /** Waits for another run of the source. Throws why nothing could be compared. */
  async run(name: string, options: RunOptions = {}): Promise<IndexResult> {
    const settings = this.#require(name)
    const { signal, onWait, noWait } = options
    const label = `source ${name}`
    const lease = await this.#deps.store.leases.acquire(getSourceLease(name), {
      signal,
      onWait,
      noWait,
      label,
    })
    if (!lease) throw new AppError('cancelled', 'The operation was cancelled.')
    return await this.#runAsHolder(name, settings, lease, options)
  }

  async request(name: string): Promise<SourceStatus> {
    const settings = this.#require(name)
    await this.#deps.store.sourceRuns.request(name)
    return toStatus(name, settings, await this.#deps.store.sourceRuns.find(name))
  }

  /**
   * Deletes the documents of a source, which the settings may lack by now. Throws
   * `invalid_input` for folders and sites, whose documents others may have indexed.
   */
  async remove(name: string, signal?: AbortSignal): Promise<number> {
    const { sources, store, indexing } = this.#deps
    const type = sources[name]?.type
    if (type === 'folder' || type === 'site')
      throw new AppError(
        'invalid_input',
        localizable`The documents of ${name} are those of a folder or site. Delete them by name.`,
      )
    const lease = await store.leases.acquire(getSourceLease(name), { signal })
    try {
      const run = await store.sourceRuns.find(name)
      const removed = run
        ? await removeSourceDocuments({ store, sources, ...indexing }, run, { signal })
        : 0
      await store.sourceSkips.forget(name)
      await store.sourceRuns.forget(name)
      return removed
    } finally {
      await lease?.release()
    }
  }

  start(): void {
    if (!this.isScheduled || this.#timer) return
    this.#timer = setInterval(() => void this.#startDue(), LOOK_MS).unref()
    this.#watches = Object.entries(this.#deps.sources)
      .filter(([, { everyMinutes }]) => everyMinutes > 0)
      .map(async ([name, settings]) => await this.#watch(name, settings))
  }

  get isScheduled(): boolean {
    return this.#deps.isWorker && Object.keys(this.#deps.sources).length > 0
  }

  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await Promise.all([...this.#runs.values(), ...this.#watches])
  }

  async #watch(name: string, settings: SourceSettings): Promise<void> {
    const { signal } = this.#stopped
    for (;;) {
      try {
        for await (const _ of this.#deps.runner.watch(name, settings, signal))
          this.#changed.add(name)
        return
      } catch {
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {}) // it is stopped
        if (signal.aborted) return
      }
    }
  }

  async #startDue(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const rows = await this.#readRuns()
      for (const [name, settings] of Object.entries(this.#deps.sources)) {
        if (this.#stopped.signal.aborted || this.#runs.size >= MAX_RUNS) break
        const isWaiting = this.#runs.has(name) || (this.#retryAt.get(name) ?? 0) > Date.now()
        const run = rows.get(name)
        const isChanged = this.#changed.has(name) && hasPaused(run)
        if (!isWaiting && (isChanged || isDue(settings, run))) this.#start(name, settings)
      }
    } catch (error) {
      this.#report('Cannot look for sources that are due.', error)
    } finally {
      this.#isLooking = false
    }
  }

  #start(name: string, settings: SourceSettings): void {
    const ended = this.#runIfDue(name, settings)
      .catch(async error => {
        this.#report(`The source ${name} could not be compared.`, error)
        const run = await this.#deps.store.sourceRuns.find(name).catch(() => undefined)
        if (isDue(settings, run)) this.#retryAt.set(name, Date.now() + RETRY_MS)
      })
      .finally(() => this.#runs.delete(name))
    this.#runs.set(name, ended)
  }

  async #runIfDue(name: string, settings: SourceSettings): Promise<void> {
    const { leases, sourceRuns } = this.#deps.store
    const lease = await leases.tryAcquire(getSourceLease(name))
    if (!lease) return
    const isChanged = this.#changed.delete(name)
    if (isChanged || isDue(settings, await sourceRuns.find(name)))
      await this.#runAsHolder(name, settings, lease, {})
    else await lease.release()
  }

  /** An interruption leaves the run open, for the next process. */
  async #runAsHolder(
    name: string,
    settings: SourceSettings,
    lease: Lease,
    options: RunOptions,
  ): Promise<IndexResult> {
    const { store, indexing } = this.#deps
    const { signal: outer } = options
    const cancelled = new AbortController()
    const interrupted = AbortSignal.any([
      this.#stopped.signal,
      lease.lost,
      ...(outer ? [outer] : []),
    ])
    try {
      await store.sourceRuns.start(name)
      const collection = await indexing.collections.findOrCreate(settings.collection)
      await store.sourceRuns.setCollection(name, collection.id)
      const signal = AbortSignal.any([interrupted, cancelled.signal])
      const work = { name, settings, collection, cancelled }
      return await this.#compare(work, { ...options, signal })
    } catch (error) {
      interrupted.throwIfAborted()
      if (!cancelled.signal.aborted)
        await store.sourceRuns.end(name, { failures: [], error: toFailure(error) })
      throw error
    } finally {
      await lease.release()
    }
  }

  async #compare(
    { name, settings, collection, cancelled }: Work,
    options: RunOptions,
  ): Promise<IndexResult> {
    const { store, runner, indexing, sources } = this.#deps
    let done = 0
    const onEvent: IndexOptions['onEvent'] = event => {
      if (event.type === 'found') done++
      options.onEvent?.(event)
    }
    const record = async () => {
      if (!(await store.sourceRuns.recordProgress(name, done)))
        cancelled.abort(createCancelled(name))
    }
    const timer = setInterval(() => void record().catch(() => {}), PROGRESS_MS).unref() // the next one may succeed
    try {
      const move = await this.#findMove(name, collection)
      const result = await runner.run({ name, settings, collection, move }, { ...options, onEvent })
      clearInterval(timer)
      await record()
      cancelled.signal.throwIfAborted()
      const outcome = readOutcome(result, listRoots(name, settings))
      const { isListed, hasUnread } = outcome
      if (isListed && move) {
        const deps = { store, sources, ...indexing }
        const { signal } = options
        await moveSourceDocuments(deps, name, { to: collection, move, hasUnread, signal })
      }
      const place = isListed ? { collectionId: collection.id } : {}
      await store.sourceRuns.end(name, { ...outcome, ...place })
      return result
    } finally {
      clearInterval(timer)
    }
  }

  async #findMove(name: string, { id }: Collection): Promise<Move | undefined> {
    const run = await this.#deps.store.sourceRuns.find(name)
    if (!run || run.collectionId === id) return undefined
    return { fromId: run.collectionId, copiedAttributes: new Map() }
  }

  #require(name: string): SourceSettings {
    const settings = this.#deps.sources[name]
    if (settings) return settings
    throw new AppError('not_found', localizable`There is no source ${name} in the settings.`, {
      about: name,
      advice: 'See passim sync.',
    })
  }

  async #readRuns(): Promise<ReadonlyMap<string, SourceRun>> {
    return new Map((await this.#deps.store.sourceRuns.list()).map(run => [run.name, run]))
  }

  async #isRunning(name: string): Promise<boolean> {
    return await isLeased(this.#deps.store.catalog, getSourceLease(name))
  }

  #report(message: string, error: unknown): void {
    if (!this.#stopped.signal.aborted) this.#deps.onError(message, error)
  }
}

type Work = {
  readonly name: string
  readonly settings: SourceSettings
  readonly collection: Collection
  readonly cancelled: AbortController
}

function isDue(settings: SourceSettings, run: SourceRun | undefined): boolean {
  if (run?.state === 'queued' || run?.state === 'running') return true
  const nextAt = findNextTime(settings, run)
  return nextAt !== undefined && nextAt <= Date.now()
}

function hasPaused(run: SourceRun | undefined): boolean {
  return (run?.finishedAt ?? 0) + CHANGE_PAUSE_MS <= Date.now()
}

function findNextTime({ everyMinutes }: SourceSettings, run: SourceRun | undefined) {
  if (everyMinutes === 0) return undefined
  return run ? (run.finishedAt ?? run.startedAt) + everyMinutes * 60_000 : 0
}

function toStatus(
  name: string,
  settings: SourceSettings,
  run: SourceRun | undefined,
): SourceStatus {
  const { type, collection, everyMinutes } = settings
  const source = { id: SOURCE_JOB + name, name, type, collection, everyMinutes }
  if (!run) return { ...source, state: 'new', done: 0, failures: [] }
  const { collectionId: _, ...rest } = run
  const isOpen = run.state === 'queued' || run.state === 'running'
  const nextAt = isOpen ? undefined : findNextTime(settings, run)
  return { ...source, ...rest, ...(nextAt !== undefined && { nextAt }) }
}

/** `isListed`: the list was not empty, and did not break off. */
type Outcome = SourceOutcome & { readonly isListed: boolean; readonly hasUnread: boolean }

/** Failed documents that are stored have jobs of their own. */
function readOutcome({ documents, totals }: IndexResult, roots: readonly string[]): Outcome {
  const failed = documents.flatMap(({ id, source, status, error }) =>
    status === 'failed' && error ? [{ id, source, error }] : [],
  )
  const failures = failed.map(({ source, error }) => ({ source, error }))
  const error = failed.find(({ source }) => roots.includes(source))?.error
  const unread = failed.filter(({ id }) => id === undefined)
  const reason = error ?? summarize(unread.map(document => document.error))
  const isListed = documents.length > 0 && error === undefined
  return { totals, failures, error: reason, isListed, hasUnread: unread.length > 0 }
}

function summarize(errors: readonly Failure[]): Failure | undefined {
  const [first] = errors
  if (!first) return undefined
  const message = localizable`${errors.length} documents could not be read. ${first.message}`
  return withMessage({ code: first.code }, message)
}

function createCancelled(name: string): AppError {
  return new AppError('cancelled', localizable`The run of the source ${name} was cancelled.`)
}
