import type { Table } from '@lancedb/lancedb'

/** Replaced files of a table stay this long for searches that are under way; one that finds its files gone begins again. */
const KEEP_VERSIONS_MS = 60 * 1000

/** Merge small files, bring the indexes up to date, drop old versions. */
export async function optimizeTable(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) })
}

/** There are versions that the next `optimizeTable` drops: after an upkeep the table lies on disk twice until then. */
export async function keepsOldVersions(table: Table): Promise<boolean> {
  const versions = await table.listVersions()
  const oldest = Math.min(...versions.map(({ timestamp }) => timestamp.getTime()))
  return versions.length > 1 && oldest < Date.now() - KEEP_VERSIONS_MS
}
