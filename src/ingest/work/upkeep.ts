import { type Collection, tableOf } from '../catalog/collections.ts'
import type { Files } from '../catalog/files.ts'
import type { Jobs } from '../catalog/jobs.ts'
import type { Versions } from '../catalog/versions.ts'
import type { ChunkIndex } from '../chunk-index.ts'
import { type LeftOverVectorsParts, removeLeftOverVectors } from '../re-embedding/left-over-vectors.ts'
import type { ContentStore } from '../stored/content.ts'
import type { Lease } from './lease.ts'
import type { Removal } from './removal.ts'

export type UpkeepParts = LeftOverVectorsParts & {
  readonly content: ContentStore
  readonly files: Files
  readonly versions: Versions
  readonly jobs: Jobs
  readonly index: ChunkIndex
  readonly removal: Removal
  /** Told when replaced or failed documents are gone, as Removal does. */
  readonly onRemoved: () => Promise<void>
}

/** Remove the rows that no reader may see any more, then bring the table in order. For the holder of the writer lease. */
export async function upkeep(collection: Collection, parts: UpkeepParts, signal: AbortSignal): Promise<void> {
  const { versions, index, files, jobs, onRemoved } = parts
  jobs.prune()
  const table = tableOf(collection)
  const retired = versions.inState(collection.id, 'retired')
  const numbers = retired.map(version => version.version)
  if (numbers.length > 0) await index.remove(table, numbers)
  await files.collectGarbage([...new Set([...retired.map(version => version.sha256), ...files.unusedContents()])])
  if (numbers.length > 0) await onRemoved()
  await index.upkeep(table, signal)
  if (numbers.length > 0) versions.forget(numbers) // last, so that after a kill the next upkeep knows that there is something to do
}

/** Remove what a process left on the disk that was killed: while writing, taking bytes in, or throwing them away. */
export async function sweep(collection: Collection, parts: UpkeepParts, { isInherited }: Lease): Promise<void> {
  const { content, files, removal } = parts
  await removal.dropStrayTables(collection.id)
  await removeLeftOverVectors(collection, parts)
  const abandoned = await content.sweepIncoming()
  if (isInherited || abandoned > 0) await files.collectGarbage(await files.strayContents())
}
