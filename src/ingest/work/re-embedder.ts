import { AppError, toAppError, toFailure } from '../../errors.ts'
import type { EmbedderOf, PassageEmbedder } from '../embed/embedder.ts'
import {
  type Collection,
  type Collections,
  engineOf,
  NO_EMBEDDER,
} from '../store/catalog/collections.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type { ReEmbedding, ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { DerivedPaths } from '../store/contents/stages.ts'
import { StoredVectors } from '../store/contents/vectors.ts'
import { embedChunks } from './chunk-vectors.ts'
import { IndexRewrite } from './index-rewrite.ts'
import { ReEmbeddingWatch, type WatchOptions } from './re-embedding-watch.ts'
import { ENDS_RUN } from './run-failures.ts'

type ReEmbedderParts = {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly reEmbeddings: ReEmbeddings
  readonly index: ChunkIndex
  readonly embedderOf: EmbedderOf<PassageEmbedder>
  /** Documents embedded at the same time. */
  readonly concurrency: number
}

type Task = {
  readonly collection: Collection
  readonly wanted: ReEmbedding
  readonly watch: ReEmbeddingWatch
}

/**
 * Gives a collection the vectors of another model, or another engine: from the stored chunks, into a table of its own, beside the
 * one that readers see; then one transaction changes tables, models and what versions say they are made of. Used by the holder of
 * the writer lease only.
 */
export class ReEmbedder {
  readonly #parts: ReEmbedderParts

  constructor(parts: ReEmbedderParts) {
    this.#parts = parts
  }

  /** False when documents wait: they go first, and what is embedded by then stays. Returns too when it was cancelled. */
  async run(collection: Collection, wanted: ReEmbedding, options: WatchOptions): Promise<boolean> {
    const watch = new ReEmbeddingWatch(this.#parts, wanted, options)
    try {
      const task = { collection, wanted, watch }
      await this.#embed(task)
      await watch.goesOn()
      await this.#write(task)
      watch.signal.throwIfAborted()
      await this.#parts.reEmbeddings.publish(wanted)
      return true
    } catch (error) {
      if (watch.isInterrupted) return false
      if (!(await this.#parts.reEmbeddings.isOpen(wanted.id))) return true // its table may be gone by then
      throw await this.#failed(wanted, collection, toAppError(error))
    } finally {
      await watch.close()
    }
  }

  /** What may pass leaves it open. */
  async #failed(
    wanted: ReEmbedding,
    { name, embedderId }: Collection,
    error: AppError,
  ): Promise<AppError> {
    const { id } = wanted
    const { code, message, subject } = error
    if (code === 'cancelled') return error
    const mayPass = ENDS_RUN.has(code)
    if (!mayPass) await this.#parts.reEmbeddings.fail(id, toFailure(error))
    const isMove = wanted.embedderId === embedderId
    const what = isMove
      ? `moved to ${engineOf(wanted.tableId)}`
      : `embedded with ${wanted.embedderId}`
    const where = mayPass
      ? `The collection ${name} is still to be ${what}: passim collections ${isMove ? 'move' : 're-embed'} goes on, passim jobs cancel ${id} gives it up.`
      : `The collection ${name} stays ${isMove ? 'where' : 'embedded as'} it was: passim jobs retry ${id} tries again.`
    return new AppError(code, `${message} ${where}`, { cause: error, ...(subject && { subject }) })
  }

  /** The vectors of every content that has none yet, several at a time. */
  async #embed({ collection, wanted, watch }: Task): Promise<void> {
    const { versions, documents, embedderOf, concurrency } = this.#parts
    const embedder = await embedderOf(
      { name: collection.name, embedderId: wanted.embedderId },
      watch.signal,
    )
    if (!embedder) return
    const without = await documents.withoutVectors(collection.id)
    const embedded = (await versions.inState(collection.id, 'published')).filter(
      ({ documentId }) => !without.has(documentId),
    )
    const contents = new Map(embedded.map(version => [contentOf(version), version]))
    await watch.begin('embed', chunksOf(contents.values()))
    const rest = contents.values()
    const worker = async () => {
      for (const version of rest) {
        watch.signal.throwIfAborted()
        let counted = 0
        const onDone = (done: number) => {
          watch.advance(done - counted)
          counted = done
        }
        const { signal } = watch
        await this.#embedContent(version, wanted, chunks =>
          embedChunks(chunks, embedder, { signal, onDone }),
        )
        onDone(version.report.chunks)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, () => worker().catch(watch.fail)))
    watch.signal.throwIfAborted()
  }

  /** What is damaged is derived again afterwards; what was removed meanwhile is not missed. */
  async #embedContent(
    version: Version,
    { embedderId, dimensions }: ReEmbedding,
    embed: (chunks: Parameters<typeof embedChunks>[0]) => Promise<void>,
  ): Promise<void> {
    const { sha256, parserId, chunkerId, documentId } = version
    const { content } = this.#parts
    await content.bring(sha256, 'all')
    const paths = new DerivedPaths(content, sha256)
    const vectors = new StoredVectors(
      paths.vectors(parserId, chunkerId, embedderId),
      dimensions,
      documentId,
    )
    const { parsed, chunked } = paths.document(version)
    try {
      const totals = await chunked.totals()
      if (totals && (await parsed.isIntact())) await embed({ chunked, parsed, vectors, totals })
      await content.save(sha256)
    } catch (error) {
      if ((await this.#parts.versions.publishedNumber(documentId)) === version.version) throw error
    }
  }

  /** Everything is in the new table and in order before anybody reads it. */
  async #write({ collection, wanted, watch }: Task): Promise<void> {
    const { versions, documents, index } = this.#parts
    const without = await documents.withoutVectors(collection.id)
    const embedderId = idOf(wanted)
    const table = { id: wanted.tableId, dimensions: wanted.dimensions }
    await watch.begin('write', chunksOf(await versions.inState(collection.id, 'published')))
    const rewrite = new IndexRewrite(this.#parts, {
      collectionId: collection.id,
      table,
      embedderIdOf: ({ documentId }) => (without.has(documentId) ? '' : embedderId),
    })
    await rewrite.run(watch.signal, chunks => watch.advance(chunks))
    await index.upkeep(table, watch.signal)
  }
}

/** As versions have it. */
function idOf({ embedderId }: ReEmbedding): string {
  return embedderId === NO_EMBEDDER ? '' : embedderId
}

/** Documents with the same bytes and stages have the same vectors. */
function contentOf({ sha256, parserId, chunkerId }: Version): string {
  return `${sha256} ${parserId} ${chunkerId}`
}

function chunksOf(versions: Iterable<Version>): number {
  return [...versions].reduce((sum, { report }) => sum + report.chunks, 0)
}
