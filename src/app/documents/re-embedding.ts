import {
  type Collection,
  type Collections,
  type IndexEngine,
  parseEngine,
} from '../../ingest/store/catalog/collections.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import type { Job, Jobs } from '../../ingest/store/catalog/jobs.ts'
import type { ReEmbeddings } from '../../ingest/store/catalog/re-embeddings.ts'
import type { DrainOptions, Ingest } from '../../ingest/work/ingest.ts'
import type { ReEmbedResultJson } from '../../wire/job.ts'
import { writeTimes } from '../../wire/schema.ts'
import type { Embedders } from '../embedders.ts'
import { requireEngine } from './collection-admin.ts'

type ReEmbedDeps = {
  readonly embedders: Embedders
  readonly ingest: Ingest
  readonly collections: Collections
  readonly documents: Documents
  readonly jobs: Jobs
  readonly reEmbeddings: ReEmbeddings
  readonly engines: readonly IndexEngine[]
}

export class ReEmbed {
  readonly #deps: ReEmbedDeps

  constructor(deps: ReEmbedDeps) {
    this.#deps = deps
  }

  /** Starts or resumes the job and waits for it. Removes leftovers of a killed run. */
  async run(
    collection: Collection,
    embedder: string,
    options: DrainOptions,
  ): Promise<ReEmbedResultJson> {
    const reEmbeddingId = await this.requestEmbedder(collection, embedder, options.signal)
    return await this.#finish(collection, reEmbeddingId, options)
  }

  async move(
    collection: Collection,
    engine: IndexEngine,
    options: DrainOptions,
  ): Promise<ReEmbedResultJson> {
    return await this.#finish(collection, await this.requestEngine(collection, engine), options)
  }

  async #finish(
    collection: Collection,
    reEmbeddingId: string | undefined,
    options: DrainOptions,
  ): Promise<ReEmbedResultJson> {
    const started = performance.now()
    const { ingest, jobs, reEmbeddings } = this.#deps
    if (!reEmbeddingId) {
      if (await reEmbeddings.hasLeftOver(collection.id)) await ingest.cleanUp(collection)
      return await this.#toResult(collection, started)
    }
    await ingest.drain(collection, {
      ...options,
      isPointless: async () => !(await reEmbeddings.isOpen(reEmbeddingId)),
    })
    return await this.#toResult(collection, started, await jobs.find(reEmbeddingId))
  }

  /** Returns the job id; undefined if the model is in use, which cancels other wishes. */
  async requestEmbedder(
    collection: Collection,
    embedder: string,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const { embedders, reEmbeddings } = this.#deps
    const model = await embedders.openByName(embedder, signal)
    return (await reEmbeddings.request(collection.id, model))?.id
  }

  /** Returns the job id; undefined if it is there. Drops a wanted model. */
  async requestEngine(collection: Collection, engine: IndexEngine): Promise<string | undefined> {
    const { reEmbeddings, engines } = this.#deps
    requireEngine(engine, engines)
    const model = (await reEmbeddings.findOpen(collection.id)) ?? collection
    return (await reEmbeddings.request(collection.id, model, engine))?.id
  }

  async #toResult(before: Collection, started: number, job?: Job): Promise<ReEmbedResultJson> {
    const { name, id, embedderId, tableId } = await this.#readCurrent(before)
    const { documents, chunks } = await this.#deps.documents.countTotals(id)
    const seconds = (performance.now() - started) / 1000
    const now = { embedder: embedderId, before: before.embedderId, engine: parseEngine(tableId) }
    return {
      collection: name,
      id,
      ...now,
      ...(job && { job: writeTimes(job) }),
      documents: documents.completed,
      chunks,
      seconds,
    }
  }

  async #readCurrent(collection: Collection): Promise<Collection> {
    return (await this.#deps.collections.findById(collection.id)) ?? collection
  }
}
