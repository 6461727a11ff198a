import { statSync } from 'node:fs'
import { type Collection, type Collections, NO_EMBEDDER } from '../catalog/collections.ts'
import type { Version, Versions } from '../catalog/versions.ts'
import type { ContentStore } from './content.ts'
import { DerivedPaths } from './stages.ts'

/** Documents whose vectors are looked at: one would do, were the vectors of every older one there. */
const MAX_LOOKED_AT = 100

type StoredDimensionsParts = {
  readonly collections: Collections
  readonly versions: Versions
  readonly content: ContentStore
}

/**
 * The collection with the length of its vectors, which older programs did not write down: taken from vectors that are
 * stored, whether or not their model is set up here. As it is where none are.
 */
export async function withStoredDimensions(
  collection: Collection,
  parts: StoredDimensionsParts,
): Promise<Collection> {
  const { id, embedderId, dimensions } = collection
  if (dimensions > 0 || embedderId === NO_EMBEDDER) return collection
  const own = (await parts.versions.inState(id, 'published')).filter(
    version => version.embedderId === embedderId,
  )
  const lengths = own.slice(0, MAX_LOOKED_AT).flatMap(version => lengthIn(version, parts.content))
  if (lengths.length === 0) return collection
  const length = Math.min(...lengths) // where some chunks have several vectors it only seems to be more
  await parts.collections.noteDimensions({ embedderId, dimensions: length })
  return { ...collection, dimensions: length }
}

/** Four bytes a number, a vector a chunk. */
function lengthIn(
  { sha256, parserId, chunkerId, embedderId, report }: Version,
  content: ContentStore,
): number[] {
  const file = new DerivedPaths(content, sha256).vectors(parserId, chunkerId, embedderId)
  const length = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 4 / report.chunks
  return Number.isInteger(length) && length > 0 ? [length] : []
}
