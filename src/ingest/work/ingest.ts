import { AppError, toAppError } from '../../errors.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import {
  type Collection,
  type Collections,
  NO_EMBEDDER,
  parseEngine,
  toIndexTable,
} from '../store/catalog/collections.ts'
import { JobJournal } from '../store/catalog/job-journal.ts'
import {
  countRuns,
  getHelperLease,
  getWorkerLease,
  getWriterLease,
  isLeased,
  type Lease,
  type Leases,
  type LeaseWait,
  runLease,
} from '../store/catalog/lease.ts'
import type { ReEmbeddingProgress } from '../store/catalog/re-embeddings.ts'
import { withStoredDimensions } from '../store/contents/stored-dimensions.ts'
import { type CleanUpDeps, cleanUpAfterKill, cleanUpStrays, cleanUpVersions } from './clean-up.ts'
import { helpWriter } from './helping-run.ts'
import { rewriteIndex } from './index-rewrite.ts'
import { IndexingRun, type IndexingRunDeps, type IngestEvent } from './indexing-run.ts'
import { reEmbed } from './re-embedder.ts'

export type DrainOptions = LeaseWait & {
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  readonly password?: string | undefined
  /** Receives the error instead of a throw if only a change of models failed. */
  readonly onReEmbedFailure?: ((error: AppError) => void) | undefined
}

export type HelpOptions = {
  readonly signal: AbortSignal
  readonly isEnough: () => boolean
}

/** Helpers, workers and runs, so that dead ones leave few leases behind. */
const MAX_LEASES = 64

type IngestDeps = CleanUpDeps &
  IndexingRunDeps & { readonly collections: Collections; readonly leases: Leases }

export class Ingest {
  readonly #deps: IngestDeps

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  /**
   * Indexes everything, as the only writer. A second process waits; false if its documents are
   * done by then.
   */
  async drain(collection: Collection, options: DrainOptions): Promise<boolean> {
    const label = formatWriterLabel(collection.name)
    const lease = await this.#deps.leases.acquire(getWriterLease(collection.id), {
      ...options,
      label,
    })
    if (!lease) return false
    const signal = AbortSignal.any([lease.lost, ...(options.signal ? [options.signal] : [])])
    const failure = await this.#runAndRelease(collection, lease, async () => {
      await cleanUpAfterKill(this.#deps, lease)
      await this.#deps.versions.retirePending(collection.id)
      await this.#deps.jobs.releaseAbandoned(collection.id)
      await this.#rewriteStale(
        await this.#withDimensions(await this.#reload(collection), signal),
        signal,
      )
      const stopped = await this.#drainQueue(collection, signal, options)
      await this.#cleanUpLocked(collection, signal)
      return stopped
    })
    await this.#cleanUpLateDeletions(collection)
    if (failure) await this.#reportReEmbedFailure(failure, collection, options)
    return true
  }

  async canHelp({ id }: Collection): Promise<boolean> {
    const { content, catalog, documents, reEmbeddings } = this.#deps
    if (!content.hasBucket || (await reEmbeddings.findOpen(id))) return false
    const claimed = await new JobJournal(catalog, {
      collectionId: id,
      helper: '',
    }).refreshClaims()
    return (await documents.countQueued(id)) > claimed.size
  }

  /** Returns when nothing is left to start. */
  async help(collection: Collection, { signal, isEnough }: HelpOptions): Promise<void> {
    const acquired = await this.#acquireFirst(number => getHelperLease(collection.id, number))
    if (!acquired) return
    const { name: helper, lease } = acquired
    const signals = AbortSignal.any([lease.lost, signal])
    try {
      const now = await this.#reload(collection)
      await helpWriter(this.#deps, now, { signal: signals, helper, isEnough })
    } finally {
      await lease.release()
    }
  }

  /** The registration ends when the lease is released or the store closed. */
  async registerWorker(): Promise<Lease | undefined> {
    return (await this.#acquireFirst(getWorkerLease))?.lease
  }

  async registerRun({ id }: Collection): Promise<Lease | undefined> {
    return (await this.#acquireFirst(number => runLease(id, number)))?.lease
  }

  async hasOtherRuns({ id }: Collection): Promise<boolean> {
    return (await countRuns(this.#deps.catalog, id)) > 1
  }

  async #acquireFirst(toName: (number: number) => string) {
    for (let number = 1; number <= MAX_LEASES; number++) {
      const name = toName(number)
      const lease = await this.#deps.leases.tryAcquire(name)
      if (lease) return { name, lease }
    }
    return undefined
  }

  async requireFree({ id, name }: Collection): Promise<void> {
    await this.#deps.leases.requireFree(getWriterLease(id), formatWriterLabel(name))
  }

  async hasWork({ id }: Collection): Promise<boolean> {
    const { documents, reEmbeddings } = this.#deps
    return (
      (await documents.countQueued(id)) > 0 ||
      (await reEmbeddings.findOpen(id)) !== undefined ||
      (await reEmbeddings.hasLeftOver(id))
    )
  }

  async isBusy({ id }: Collection): Promise<boolean> {
    return await isLeased(this.#deps.catalog, getWriterLease(id))
  }

  hasAbandonedFiles(): boolean {
    return this.#deps.content.hasAbandonedFiles()
  }

  async isStale(collection: Collection): Promise<boolean> {
    const { versions, index } = this.#deps
    return (
      (await versions.hasPublished(collection.id)) &&
      (await index.isStale(toIndexTable(await this.#reload(collection))))
    )
  }

  /** Does nothing while another process writes: that one cleans up when it ends. */
  async cleanUp(collection: Collection): Promise<void> {
    const lease = await this.#deps.leases.tryAcquire(getWriterLease(collection.id))
    if (!lease) return
    await this.#runAndRelease(collection, lease, async () => {
      await cleanUpAfterKill(this.#deps, lease)
      await this.#cleanUpLocked(collection, lease.lost)
    })
    await this.#cleanUpLateDeletions(collection)
  }

  async erase(collection: Collection, signal?: AbortSignal): Promise<void> {
    const label = formatWriterLabel(collection.name)
    const lease = await this.#deps.leases.acquire(getWriterLease(collection.id), { signal, label })
    if (!lease) return
    const both = AbortSignal.any([lease.lost, ...(signal ? [signal] : [])])
    await this.#runAndRelease(collection, lease, async () => {
      await cleanUpAfterKill(this.#deps, lease)
      const now = await this.#deps.collections.findById(collection.id)
      if (!now) return
      await this.#cleanUpLocked(now, both)
      await this.#deps.index.erase(toIndexTable(await this.#reload(now)), both)
    })
  }

  async #cleanUpLocked(collection: Collection, signal: AbortSignal): Promise<void> {
    await cleanUpVersions(await this.#reload(collection), this.#deps, signal)
    await cleanUpStrays(await this.#reload(collection), this.#deps, signal)
  }

  async #cleanUpLateDeletions(collection: Collection): Promise<void> {
    if ((await this.#deps.versions.listInState(collection.id, 'retired')).length > 0)
      await this.cleanUp(collection)
  }

  async #runAndRelease<Result>(
    collection: Collection,
    lease: Lease,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } finally {
      if (!(await this.#deps.collections.findById(collection.id)))
        await this.#deps.removal.dropStrayTables(collection.id)
      await lease.release()
    }
  }

  async #withDimensions(collection: Collection, signal: AbortSignal): Promise<Collection> {
    const sized = await withStoredDimensions(collection, this.#deps)
    if (sized.dimensions === 0 && sized.embedderId !== NO_EMBEDDER)
      await this.#findEmbedder(sized, signal)
    return await this.#reload(sized)
  }

  async #rewriteStale(collection: Collection, signal: AbortSignal): Promise<void> {
    const table = toIndexTable(collection)
    if (await this.#isEngineChanged(collection)) return
    if (!(await this.#deps.index.isStale(table))) return
    const hasRows = await this.#deps.versions.hasPublished(collection.id)
    const embedder = hasRows ? await this.#findEmbedder(collection, signal) : undefined
    const mayDivide = embedder?.canDivide.bind(embedder)
    await rewriteIndex(this.#deps, { collectionId: collection.id, table, mayDivide }, { signal })
  }

  /** The present engine may be gone. */
  async #isEngineChanged({ id, tableId }: Collection): Promise<boolean> {
    const requested = await this.#deps.reEmbeddings.findOpen(id)
    return requested !== undefined && parseEngine(requested.tableId) !== parseEngine(tableId)
  }

  /** Another process may have changed the model. */
  async #reload(collection: Collection): Promise<Collection> {
    return (await this.#deps.collections.findById(collection.id)) ?? collection
  }

  /**
   * Processes the queue and a requested change of models until there is neither. Returns why the
   * change failed.
   */
  async #drainQueue(
    collection: Collection,
    signal: AbortSignal,
    options: DrainOptions,
  ): Promise<AppError | undefined> {
    const { reEmbeddings } = this.#deps
    for (;;) {
      const now = await this.#reload(collection)
      const requested = await reEmbeddings.findOpen(now.id)
      const isWaiting =
        requested && now.embedderId !== NO_EMBEDDER && !(await this.#findEmbedder(now, signal))
      await new IndexingRun(this.#deps, now, {
        ...options,
        signal,
        withoutVectors: isWaiting,
      }).run()
      if (!requested) return undefined
      const onProgress = (progress: ReEmbeddingProgress) =>
        options.onEvent?.({ type: 're-embed', embedderId: requested.embedderId, ...progress })
      try {
        await reEmbed(this.#deps, now, requested, { signal, onProgress, givesWay: !isWaiting })
      } catch (error) {
        if (signal.aborted) throw error
        return toAppError(error)
      }
    }
  }

  /** Throws the error, or only reports it if no document waits for the other model. */
  async #reportReEmbedFailure(
    failure: AppError,
    { id }: Collection,
    { onReEmbedFailure }: DrainOptions,
  ): Promise<void> {
    if (!onReEmbedFailure || (await this.#deps.documents.countQueued(id)) > 0) throw failure
    onReEmbedFailure(failure)
  }

  async #findEmbedder(
    collection: Collection,
    signal: AbortSignal,
  ): Promise<PassageEmbedder | undefined> {
    try {
      return await this.#deps.openEmbedder(collection, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AppError) return undefined
      throw error
    }
  }
}

function formatWriterLabel(collection: string): string {
  return `writer of collection ${collection}`
}
