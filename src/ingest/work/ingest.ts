import { AppError, toAppError } from '../../errors.ts'
import type { PassageEmbedder } from '../embed/embedder.ts'
import {
  type Collection,
  type Collections,
  engineOf,
  NO_EMBEDDER,
  tableOf,
} from '../store/catalog/collections.ts'
import { JobJournal } from '../store/catalog/job-journal.ts'
import {
  attendantLease,
  helperLease,
  isHeld,
  type Lease,
  type Leases,
  type LeaseWait,
  writerLease,
} from '../store/catalog/lease.ts'
import type { ReEmbeddingProgress } from '../store/catalog/re-embeddings.ts'
import { withStoredDimensions } from '../store/contents/stored-dimensions.ts'
import { HelpingRun } from './helping-run.ts'
import { IndexRewrite } from './index-rewrite.ts'
import { IndexingRun, type IndexingRunParts, type IngestEvent } from './indexing-run.ts'
import { ReEmbedder } from './re-embedder.ts'
import { sweep, sweepLeftBehind, type UpkeepParts, upkeep } from './upkeep.ts'

export type DrainOptions = LeaseWait & {
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  /** Opens encrypted files; written down nowhere. */
  readonly password?: string | undefined
  /** Told, instead of the error thrown, when every document is done and only a change of models was stopped. */
  readonly onReEmbedFailure?: ((error: AppError) => void) | undefined
}

export type HelpOptions = {
  readonly signal: AbortSignal
  /** Nothing more is begun once it says so. */
  readonly isEnough: () => boolean
}

/** So many prepare documents for the writer of a collection at a time, or look for what waits in a store. */
const MAX_AT_ONCE = 64

type IngestParts = UpkeepParts &
  IndexingRunParts & { readonly collections: Collections; readonly leases: Leases }

/** Works off the queue of a collection: parse, chunk, embed, write, publish. */
export class Ingest {
  readonly #parts: IngestParts

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  /**
   * Index everything that waits in the collection, as its only writer; returns when the queue is empty. Whoever asks
   * first does the work of all: a second process waits and finds its documents done, which gives false.
   */
  async drain(collection: Collection, options: DrainOptions): Promise<boolean> {
    const label = labelOf(collection.name)
    const lease = await this.#parts.leases.acquire(writerLease(collection.id), {
      ...options,
      label,
    })
    if (!lease) return false
    const signal = AbortSignal.any([lease.lost, ...(options.signal ? [options.signal] : [])])
    const failure = await this.#hold(collection, lease, async () => {
      await sweepLeftBehind(this.#parts, lease)
      await this.#parts.versions.retirePending(collection.id)
      await this.#parts.jobs.releaseAbandoned(collection.id)
      await this.#rewriteStale(
        await this.#withDimensions(await this.#now(collection), signal),
        signal,
      )
      const stopped = await this.#workOff(collection, signal, options)
      await this.#clean(collection, signal)
      return stopped
    })
    await this.#tidyRest(collection)
    if (failure) await this.#tell(failure, collection, options)
    return true
  }

  /** Documents wait that nobody has begun with, and what is made of them here is found by who writes to the collection. */
  async canHelp({ id }: Collection): Promise<boolean> {
    const { content, catalog, documents, reEmbeddings } = this.#parts
    if (!content.isShared || (await reEmbeddings.openOf(id))) return false
    const begun = await new JobJournal(catalog, { collectionId: id, helper: '' }).others()
    return (await documents.countQueued(id)) > begun.size
  }

  /** Prepare documents for the one that writes to the collection; returns when nothing is left to begin with. */
  async help(collection: Collection, { signal, isEnough }: HelpOptions): Promise<void> {
    const taken = await this.#firstFree(number => helperLease(collection.id, number))
    if (!taken) return
    const { name: helper, lease } = taken
    const both = AbortSignal.any([lease.lost, signal])
    try {
      const now = await this.#now(collection)
      await new HelpingRun(this.#parts, now, { signal: both, helper, isEnough }).work()
    } finally {
      await lease.release()
    }
  }

  /** Be known as a process that looks for what waits in the store, until the lease is given back or the store is closed. */
  async attend(): Promise<Lease | undefined> {
    return (await this.#firstFree(attendantLease))?.lease
  }

  async #firstFree(nameOf: (number: number) => string) {
    for (let number = 1; number <= MAX_AT_ONCE; number++) {
      const name = nameOf(number)
      const lease = await this.#parts.leases.tryAcquire(name)
      if (lease) return { name, lease }
    }
    return undefined
  }

  /** Throws `conflict` while another process writes: for who will not wait, before anything is queued that it would index. */
  async requireFree({ id, name }: Collection): Promise<void> {
    await this.#parts.leases.requireFree(writerLease(id), labelOf(name))
  }

  /** Documents wait, or the collection is to be embedded with another model, or what was made with one before is still there. */
  async hasWork({ id }: Collection): Promise<boolean> {
    const { documents, reEmbeddings } = this.#parts
    return (
      (await documents.countQueued(id)) > 0 ||
      (await reEmbeddings.openOf(id)) !== undefined ||
      (await reEmbeddings.hasLeftOver(id))
    )
  }

  /** Some process writes to it. */
  async isWorkedOn({ id }: Collection): Promise<boolean> {
    return await isHeld(this.#parts.catalog, writerLease(id))
  }

  /** A process that was taking bytes in was killed, and what it left is to be removed. */
  isLeftBehind(): boolean {
    return this.#parts.content.isLeftBehind()
  }

  /** Whether there are documents whose rows have to be written again before they can be found. */
  async isStale(collection: Collection): Promise<boolean> {
    const { versions, index } = this.#parts
    return (
      (await versions.hasPublished(collection.id)) &&
      (await index.isStale(tableOf(await this.#now(collection))))
    )
  }

  /** Remove what is not wanted any more, unless somebody is writing: then they do it at their end. */
  async tidy(collection: Collection): Promise<void> {
    const lease = await this.#parts.leases.tryAcquire(writerLease(collection.id))
    if (!lease) return
    await this.#hold(collection, lease, async () => {
      await sweepLeftBehind(this.#parts, lease)
      await this.#clean(collection, lease.lost)
    })
    await this.#tidyRest(collection)
  }

  async #clean(collection: Collection, signal: AbortSignal): Promise<void> {
    await upkeep(await this.#now(collection), this.#parts, signal)
    await sweep(await this.#now(collection), this.#parts, signal)
  }

  /** What was deleted while the lease was held, by somebody who left the rest to its holder. */
  async #tidyRest(collection: Collection): Promise<void> {
    if ((await this.#parts.versions.inState(collection.id, 'retired')).length > 0)
      await this.tidy(collection)
  }

  /** A collection that was deleted meanwhile leaves no table behind. */
  async #hold<Result>(
    collection: Collection,
    lease: Lease,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } finally {
      if (!(await this.#parts.collections.byId(collection.id)))
        await this.#parts.removal.dropStrayTables(collection.id)
      await lease.release()
    }
  }

  /** Opening the model notes them too, where nothing is stored. */
  async #withDimensions(collection: Collection, signal: AbortSignal): Promise<Collection> {
    const known = await withStoredDimensions(collection, this.#parts)
    if (known.dimensions === 0 && known.embedderId !== NO_EMBEDDER)
      await this.#knownEmbedder(known, signal)
    return await this.#now(known)
  }

  /** The index's id changed, or its table is gone: write the rows again from what is stored. */
  async #rewriteStale(collection: Collection, signal: AbortSignal): Promise<void> {
    const table = tableOf(collection)
    if (await this.#isLeaving(collection)) return
    if (!(await this.#parts.index.isStale(table))) return
    const hasRows = await this.#parts.versions.hasPublished(collection.id)
    const embedder = hasRows ? await this.#knownEmbedder(collection, signal) : undefined
    const mayDivide = embedder?.mayDivide.bind(embedder)
    await new IndexRewrite(this.#parts, { collectionId: collection.id, table, mayDivide }).run(
      signal,
    )
  }

  /** All its rows are to be written into another engine; the one where they are may be away for good. */
  async #isLeaving({ id, tableId }: Collection): Promise<boolean> {
    const wanted = await this.#parts.reEmbeddings.openOf(id)
    return wanted !== undefined && engineOf(wanted.tableId) !== engineOf(tableId)
  }

  /** As it is now: another process may have given it another model. */
  async #now(collection: Collection): Promise<Collection> {
    return (await this.#parts.collections.byId(collection.id)) ?? collection
  }

  /**
   * The queue, then a change of models that is wanted, and so on until there is neither. Documents that come while it goes
   * on are embedded with the model so far, unless that is not to be had any more: then they are found by their words alone
   * until the change is done. Gives why the change stopped.
   */
  async #workOff(
    collection: Collection,
    signal: AbortSignal,
    options: DrainOptions,
  ): Promise<AppError | undefined> {
    const { reEmbeddings } = this.#parts
    for (;;) {
      const now = await this.#now(collection)
      const wanted = await reEmbeddings.openOf(now.id)
      const isWaiting =
        wanted && now.embedderId !== NO_EMBEDDER && !(await this.#knownEmbedder(now, signal))
      await new IndexingRun(this.#parts, now, {
        ...options,
        signal,
        withoutVectors: isWaiting,
      }).work()
      if (!wanted) return undefined
      const onProgress = (progress: ReEmbeddingProgress) =>
        options.onEvent?.({ type: 're-embed', embedderId: wanted.embedderId, ...progress })
      try {
        await new ReEmbedder(this.#parts).run(now, wanted, {
          signal,
          onProgress,
          givesWay: !isWaiting,
        })
      } catch (error) {
        if (signal.aborted) throw error
        return toAppError(error)
      }
    }
  }

  /** Whoever is here for documents alone has them, unless some wait for the other model. */
  async #tell(
    failure: AppError,
    { id }: Collection,
    { onReEmbedFailure }: DrainOptions,
  ): Promise<void> {
    if (!onReEmbedFailure || (await this.#parts.documents.countQueued(id)) > 0) throw failure
    onReEmbedFailure(failure)
  }

  async #knownEmbedder(
    collection: Collection,
    signal: AbortSignal,
  ): Promise<PassageEmbedder | undefined> {
    try {
      return await this.#parts.embedderOf(collection, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AppError) return undefined // it is told by what needs it
      throw error
    }
  }
}

function labelOf(collection: string): string {
  return `writer of collection ${collection}`
}
