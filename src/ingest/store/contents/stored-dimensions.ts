import { statSync } from 'node:fs'
import { type Collection, type Collections, NO_EMBEDDER } from '../catalog/collections.ts'
import type { Version, Versions } from '../catalog/versions.ts'
import type { ContentStore } from './content.ts'
import { DerivedPaths } from './derived.ts'

/** Measured documents, so that it is quick; several, as some lack vectors. */
const MAX_DOCUMENTS = 100

type StoredDimensionsDeps = {
  readonly collections: Collections
  readonly versions: Versions
  readonly content: ContentStore
}

/**
 * Measures a length that older programs did not record: the model is not needed. Returns the
 * collection unchanged if there are no vectors.
 */
export async function withStoredDimensions(
  collection: Collection,
  deps: StoredDimensionsDeps,
): Promise<Collection> {
  const { id, embedderId, dimensions } = collection
  if (dimensions > 0 || embedderId === NO_EMBEDDER) return collection
  const own = (await deps.versions.listInState(id, 'published')).filter(
    version => version.embedderId === embedderId,
  )
  const lengths = own
    .slice(0, MAX_DOCUMENTS)
    .flatMap(version => measureLength(version, deps.content))
  if (lengths.length === 0) return collection
  const length = Math.min(...lengths) // chunks with several vectors seem longer
  await deps.collections.recordDimensions({ embedderId, dimensions: length })
  return { ...collection, dimensions: length }
}

/** Assumes one vector per chunk. Returns undefined if the file does not fit. */
function measureLength(
  { sha256, parserId, chunkerId, embedderId, report }: Version,
  content: ContentStore,
): number[] {
  const file = new DerivedPaths(content, sha256).getVectorsPath(parserId, chunkerId, embedderId)
  const length = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 4 / report.chunks
  return Number.isInteger(length) && length > 0 ? [length] : []
}
