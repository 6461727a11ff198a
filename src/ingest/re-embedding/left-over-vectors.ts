import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Collection } from '../catalog/collections.ts'
import type { Documents } from '../catalog/documents.ts'
import type { Version, Versions } from '../catalog/versions.ts'
import { NO_EMBEDDER } from '../embedder.ts'
import type { ContentStore } from '../stored/content.ts'
import { DerivedPaths } from '../stored/stages.ts'
import type { ReEmbeddings } from './re-embeddings.ts'

export type LeftOverVectorsParts = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly reEmbeddings: ReEmbeddings
}

/**
 * Remove the stored vectors of models that the collection was embedded with before, or was to be. Those of contents that
 * other collections have too are left: somebody may be about to use them, and they go with their content.
 */
export async function removeLeftOverVectors(collection: Collection, parts: LeftOverVectorsParts): Promise<void> {
  const { documents, versions, reEmbeddings } = parts
  for (const { id, embedderId } of reEmbeddings.leftOver(collection.id)) {
    if (reEmbeddings.openOf(collection.id)?.embedderId === embedderId) continue
    if (embedderId !== collection.embedderId && embedderId !== NO_EMBEDDER) {
      const shared = documents.contentsShared(collection.id)
      for (const version of versions.inState(collection.id, 'published')) {
        if (!shared.has(version.sha256)) await removeVectors(version, embedderId, parts.content)
      }
    }
    reEmbeddings.markSwept(id)
  }
}

/** Those of a run that was stopped have further names. */
async function removeVectors({ sha256, parserId, chunkerId }: Version, embedderId: string, content: ContentStore) {
  const file = new DerivedPaths(content, sha256).vectors(parserId, chunkerId, embedderId)
  const folder = path.dirname(file)
  const names = await readdir(folder).catch(() => []) // removed meanwhile
  for (const name of names.filter(name => name.startsWith(path.basename(file))))
    await rm(path.join(folder, name), { force: true })
}
