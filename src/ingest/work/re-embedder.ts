import { getMessages, localizable } from '../../errors/localizable.ts'
import { AppError, toAppError, toFailure } from '../../errors.ts'
import type { OpenEmbedder, PassageEmbedder } from '../embed/embedder.ts'
import { type Collection, NO_EMBEDDER, parseEngine } from '../store/catalog/collections.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type { ReEmbedding, ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { DerivedPaths } from '../store/contents/derived.ts'
import { StoredVectors } from '../store/contents/vectors.ts'
import { type ChunkVectors, embedChunks } from './chunk-vectors.ts'
import { rewriteIndex } from './index-rewrite.ts'
import { ReEmbeddingWatch, type WatchOptions } from './re-embedding-watch.ts'
import { endsRun } from './run-failures.ts'

type ReEmbedDeps = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly reEmbeddings: ReEmbeddings
  readonly index: ChunkIndex
  readonly openEmbedder: OpenEmbedder<PassageEmbedder>
  readonly concurrency: number
}

type Task = {
  readonly collection: Collection
  readonly requested: ReEmbedding
  readonly watch: ReEmbeddingWatch
}

/**
 * Writes a new table; then one transaction changes table, model and versions. Returns early if
 * documents wait or it was cancelled. Requires the writer lease.
 */
export async function reEmbed(
  deps: ReEmbedDeps,
  collection: Collection,
  requested: ReEmbedding,
  options: WatchOptions,
): Promise<void> {
  const watch = new ReEmbeddingWatch(deps, requested, options)
  try {
    const task = { collection, requested, watch }
    await embedContents(deps, task)
    await watch.ignoreQueue()
    await writeTable(deps, task)
    watch.signal.throwIfAborted()
    await deps.reEmbeddings.publish(requested)
  } catch (error) {
    if (watch.isInterrupted) return
    if (!(await deps.reEmbeddings.isOpen(requested.id))) return // cancelled: its table may be gone
    throw await recordFailure(deps.reEmbeddings, requested, collection, toAppError(error))
  } finally {
    await watch.close()
  }
}

async function recordFailure(
  reEmbeddings: ReEmbeddings,
  requested: ReEmbedding,
  { name, embedderId }: Collection,
  error: AppError,
): Promise<AppError> {
  const { id } = requested
  const { code, subject } = error
  if (code === 'cancelled') return error
  const mayPass = endsRun(error)
  if (!mayPass) await reEmbeddings.fail(id, toFailure(error))
  const isMove = requested.embedderId === embedderId
  const pending = isMove
    ? localizable`The collection ${name} is not moved to ${parseEngine(requested.tableId)} yet.`
    : localizable`The collection ${name} is not embedded with ${requested.embedderId} yet.`
  const unchanged = isMove
    ? localizable`The collection ${name} stays where it was.`
    : localizable`The collection ${name} stays embedded as it was.`
  const advice = mayPass
    ? `To continue, run passim collections ${isMove ? 'move' : 're-embed'} again; to give up, passim jobs cancel ${id}.`
    : `To try again, run passim jobs retry ${id}.`
  return new AppError(
    code,
    localizable`${getMessages(error).message} ${mayPass ? pending : unchanged}`,
    {
      cause: error,
      advice: [error.advice, advice].filter(Boolean).join(' '),
      ...(subject && { subject }),
    },
  )
}

async function embedContents(deps: ReEmbedDeps, task: Task): Promise<void> {
  const { versions, documents, openEmbedder, concurrency } = deps
  const { collection, requested, watch } = task
  const embedder = await openEmbedder(
    { name: collection.name, embedderId: requested.embedderId },
    watch.signal,
  )
  if (!embedder) return
  const without = await documents.listWithoutVectors(collection.id)
  const embedded = (await versions.listInState(collection.id, 'published')).filter(
    ({ documentId }) => !without.has(documentId),
  )
  const contents = new Map(
    embedded.map(version => [
      `${version.sha256} ${version.parserId} ${version.chunkerId}`,
      version,
    ]),
  )
  await watch.startStage('embed', countChunks(contents.values()))
  const remaining = contents.values()
  const work = async () => {
    for (const version of remaining) {
      watch.signal.throwIfAborted()
      await embedContent(deps, task, version, embedder)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, () => work().catch(watch.fail)))
  watch.signal.throwIfAborted()
}

/** Skips damaged output, and errors of a version that was replaced meanwhile. */
async function embedContent(
  { content, versions }: ReEmbedDeps,
  { requested: { embedderId, dimensions }, watch }: Task,
  version: Version,
  embedder: PassageEmbedder,
): Promise<void> {
  const { sha256, parserId, chunkerId, documentId } = version
  let counted = 0
  const onDone = (done: number) => {
    watch.advance(done - counted)
    counted = done
  }
  await content.download(sha256, 'all')
  const paths = new DerivedPaths(content, sha256)
  const file = paths.getVectorsPath(parserId, chunkerId, embedderId)
  const { parsed, chunked } = paths.openDocument(version)
  try {
    const totals = await chunked.readTotals()
    if (totals && (await parsed.isIntact())) {
      const vectors = new StoredVectors(file, dimensions, documentId)
      const chunks: ChunkVectors = { chunked, parsed, vectors, totals }
      await embedChunks(chunks, embedder, { signal: watch.signal, onDone })
    }
    await content.uploadDerived(sha256)
  } catch (error) {
    if ((await versions.findPublishedNumber(documentId)) === version.version) throw error
  }
  onDone(version.report.chunks)
}

async function writeTable(
  deps: ReEmbedDeps,
  { collection, requested, watch }: Task,
): Promise<void> {
  const { versions, documents, index } = deps
  const without = await documents.listWithoutVectors(collection.id)
  const embedderId = requested.embedderId === NO_EMBEDDER ? '' : requested.embedderId
  const table = { id: requested.tableId, dimensions: requested.dimensions }
  await watch.startStage(
    'write',
    countChunks(await versions.listInState(collection.id, 'published')),
  )
  await rewriteIndex(
    deps,
    {
      collectionId: collection.id,
      table,
      chooseEmbedder: ({ documentId }) => (without.has(documentId) ? '' : embedderId),
    },
    { signal: watch.signal, onWritten: chunks => watch.advance(chunks) },
  )
  await index.runUpkeep(table, watch.signal)
}

function countChunks(versions: Iterable<Version>): number {
  return [...versions].reduce((sum, { report }) => sum + report.chunks, 0)
}
