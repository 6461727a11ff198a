import { totalmem } from 'node:os'
import type { Settings } from '../../config.ts'
import { IndexCache } from '../../search/lance/index-cache.ts'

/** Of the memory that this process may take. */
const CACHE_SHARE = 1 / 4

/** As large as the settings say. An index that does not fit is read again by every question. */
export function openIndexCache({ searching }: Pick<Settings, 'searching'>): IndexCache {
  return new IndexCache(searching.cacheBytes ?? computeCacheBytes())
}

export function computeCacheBytes(): number {
  return Math.floor(measureMachineBytes() * CACHE_SHARE)
}

/** Upkeep of a large table runs beside what indexes and what serves. */
const UPKEEP_SHARE = 1 / 8

export function computeUpkeepBytes({ upkeep }: Pick<Settings, 'upkeep'>): number {
  return upkeep.memoryBytes ?? Math.floor(measureMachineBytes() * UPKEEP_SHARE)
}

/** Of a container's limit where there is one. */
function measureMachineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
