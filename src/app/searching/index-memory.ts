import { totalmem } from 'node:os'
import type { Settings } from '../../config.ts'
import { IndexCache } from '../../search/lance/index-cache.ts'

/** Share of the machine's memory, so that the rest serves requests. */
const CACHE_SHARE = 1 / 4

/** Without room an index is read again by each query. */
export function openIndexCache({ searching }: Pick<Settings, 'searching'>): IndexCache {
  return new IndexCache(searching.cacheBytes ?? computeCacheBytes())
}

export function computeCacheBytes(): number {
  return Math.floor(measureMachineBytes() * CACHE_SHARE)
}

/** Share for upkeep, so that it runs beside indexing and serving. */
const UPKEEP_SHARE = 1 / 8

export function computeUpkeepBytes({ upkeep }: Pick<Settings, 'upkeep'>): number {
  return upkeep.memoryBytes ?? Math.floor(measureMachineBytes() * UPKEEP_SHARE)
}

/** Uses a container's limit if there is one. */
function measureMachineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
