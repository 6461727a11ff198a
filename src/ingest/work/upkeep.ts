import path from 'node:path'
import { removeAbandoned } from '../../system/disk.ts'
import { type Collection, NO_EMBEDDER, tableOf } from '../store/catalog/collections.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type { Jobs } from '../store/catalog/jobs.ts'
import type { Lease } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { Files } from '../store/contents/files.ts'
import { DerivedPaths } from '../store/contents/stages.ts'
import type { Removal } from './removal.ts'

export type UpkeepParts = {
  readonly content: ContentStore
  readonly files: Files
  readonly documents: Documents
  readonly versions: Versions
  readonly reEmbeddings: ReEmbeddings
  readonly jobs: Jobs
  readonly index: ChunkIndex
  readonly removal: Removal
  /** Told when replaced or failed documents are gone, as Removal does. */
  readonly onRemoved: () => Promise<void>
}

/** Remove the rows that no reader may see any more, then bring the table in order. For the holder of the writer lease. */
export async function upkeep(
  collection: Collection,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  const { versions, index, files, jobs, removal, onRemoved } = parts
  await jobs.prune()
  await removal.forgetDeleted()
  const table = tableOf(collection)
  const retired = await versions.inState(collection.id, 'retired')
  const numbers = retired.map(version => version.version)
  if (numbers.length > 0) await index.remove(table, numbers)
  await files.collectGarbage([
    ...new Set([...retired.map(version => version.sha256), ...(await files.unusedContents())]),
  ])
  if (await isAnyGone(retired, versions)) await onRemoved()
  await index.upkeep(table, signal)
  if (numbers.length > 0) await versions.forget(numbers) // last, so that after a kill the next upkeep knows that there is something to do
}

/** Readers see nothing any more of what one was made of; of a version with words that gave way to one with vectors they do. */
async function isAnyGone(retired: readonly Version[], versions: Versions): Promise<boolean> {
  for (const { documentId, sha256 } of retired) {
    if ((await versions.published(documentId))?.sha256 !== sha256) return true
  }
  return false
}

/** Remove what belongs to a table or a model that the collection has no more. */
export async function sweep(
  collection: Collection,
  parts: UpkeepParts,
  signal: AbortSignal,
): Promise<void> {
  await parts.removal.dropStrayTables(collection.id)
  await removeLeftOverVectors(collection, parts)
  await parts.files.shareAll(signal)
}

/**
 * Remove what a process left on the disk that was killed: while writing, taking bytes in, or throwing them away. Before anything else is
 * done: who is killed in turn must not leave more and more.
 */
export async function sweepLeftBehind(
  { content, files }: UpkeepParts,
  { isInherited }: Lease,
): Promise<void> {
  await removeAbandoned(content.home)
  const abandoned = await content.sweepIncoming()
  if (isInherited || abandoned > 0) await files.collectGarbage(await files.strayContents())
  const unnamed = await content.abandoned()
  if (unnamed.length > 0) await files.collectGarbage(unnamed)
}

/**
 * Remove the stored vectors of models that the collection was embedded with before, or was to be. Those of contents that
 * other collections have too are left: somebody may be about to use them, and they go with their content.
 */
async function removeLeftOverVectors(collection: Collection, parts: UpkeepParts): Promise<void> {
  const { content, documents, versions, reEmbeddings } = parts
  for (const { id, embedderId } of await reEmbeddings.leftOver(collection.id)) {
    if ((await reEmbeddings.openOf(collection.id))?.embedderId === embedderId) continue
    if (embedderId !== collection.embedderId && embedderId !== NO_EMBEDDER) {
      const shared = await documents.contentsShared(collection.id)
      for (const version of await versions.inState(collection.id, 'published')) {
        if (!shared.has(version.sha256)) await removeVectors(version, embedderId, content)
      }
    }
    await reEmbeddings.markSwept(id)
  }
}

/** Those of a run that was stopped have further names. */
async function removeVectors(
  { sha256, parserId, chunkerId }: Version,
  embedderId: string,
  content: ContentStore,
) {
  const beginning = path.basename(
    new DerivedPaths(content, sha256).vectors(parserId, chunkerId, embedderId),
  )
  await content.removeDerived(sha256, name => name.startsWith(beginning))
}
