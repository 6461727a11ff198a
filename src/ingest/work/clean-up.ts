import path from 'node:path'
import { removeAbandoned } from '../../system/disk.ts'
import { type Collection, NO_EMBEDDER, toIndexTable } from '../store/catalog/collections.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type { Jobs } from '../store/catalog/jobs.ts'
import type { Lease } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Version, Versions } from '../store/catalog/versions.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { DerivedPaths } from '../store/contents/derived.ts'
import type { Files } from '../store/contents/files.ts'
import type { Removal } from './removal.ts'

export type CleanUpDeps = {
  readonly content: ContentStore
  readonly files: Files
  readonly documents: Documents
  readonly versions: Versions
  readonly reEmbeddings: ReEmbeddings
  readonly jobs: Jobs
  readonly index: ChunkIndex
  readonly removal: Removal
  readonly onRemoved: () => Promise<void>
}

export async function cleanUpVersions(
  collection: Collection,
  deps: CleanUpDeps,
  signal: AbortSignal,
): Promise<void> {
  const { versions, index, files, jobs, removal, onRemoved } = deps
  await jobs.prune()
  await removal.forgetDeleted()
  const table = toIndexTable(collection)
  const retired = await versions.listInState(collection.id, 'retired')
  const numbers = retired.map(version => version.version)
  if (numbers.length > 0) await index.remove(table, numbers)
  await files.collectGarbage([
    ...new Set([...retired.map(version => version.sha256), ...(await files.listUnusedContents())]),
  ])
  if (await isAnyGone(retired, versions)) await onRemoved()
  await index.runUpkeep(table, signal)
  if (numbers.length > 0) await versions.forget(numbers) // last, so that the next clean-up repeats what a kill interrupted
}

/** Returns false if a version with words only got its vectors. */
async function isAnyGone(retired: readonly Version[], versions: Versions): Promise<boolean> {
  for (const { documentId, sha256 } of retired) {
    if ((await versions.findPublished(documentId))?.sha256 !== sha256) return true
  }
  return false
}

export async function cleanUpStrays(
  collection: Collection,
  deps: CleanUpDeps,
  signal: AbortSignal,
): Promise<void> {
  await deps.removal.dropStrayTables(collection.id)
  await removeLeftOverVectors(collection, deps)
  await deps.files.shareAll(signal)
}

/** Call it first, so that repeated kills do not accumulate files. */
export async function cleanUpAfterKill(
  { content, files }: CleanUpDeps,
  { isInherited }: Lease,
): Promise<void> {
  await removeAbandoned(content.home)
  const abandoned = await content.sweepIncoming()
  if (isInherited || abandoned > 0) await files.collectGarbage(await files.listStrayContents())
  const unnamed = await content.listAbandoned()
  if (unnamed.length > 0) await files.collectGarbage(unnamed)
}

/** Keeps vectors of contents in other collections, which may be about to use them. */
async function removeLeftOverVectors(collection: Collection, deps: CleanUpDeps): Promise<void> {
  const { content, documents, versions, reEmbeddings } = deps
  for (const { id, embedderId } of await reEmbeddings.listLeftOver(collection.id)) {
    if ((await reEmbeddings.findOpen(collection.id))?.embedderId === embedderId) continue
    if (embedderId !== collection.embedderId && embedderId !== NO_EMBEDDER) {
      const shared = await documents.listSharedContents(collection.id)
      for (const version of await versions.listInState(collection.id, 'published')) {
        if (!shared.has(version.sha256)) await removeVectors(version, embedderId, content)
      }
    }
    await reEmbeddings.markSwept(id)
  }
}

/** Also removes partial files of a stopped run, whose names begin alike. */
async function removeVectors(
  { sha256, parserId, chunkerId }: Version,
  embedderId: string,
  content: ContentStore,
) {
  const prefix = path.basename(
    new DerivedPaths(content, sha256).getVectorsPath(parserId, chunkerId, embedderId),
  )
  await content.removeDerived(sha256, name => name.startsWith(prefix))
}
