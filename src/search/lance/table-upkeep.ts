import type { Table } from '@lancedb/lancedb'

/** Time that replaced files stay, so that running searches finish. */
const KEEP_VERSIONS_MS = 60 * 1000

export async function compactTable(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) })
}

/** Returns whether the next `optimizeTable` drops versions, which double the table. */
export async function hasOldVersions(table: Table): Promise<boolean> {
  const versions = await table.listVersions()
  const oldest = Math.min(...versions.map(({ timestamp }) => timestamp.getTime()))
  return versions.length > 1 && oldest < Date.now() - KEEP_VERSIONS_MS
}
