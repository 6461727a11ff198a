import type { Table } from '@lancedb/lancedb'

/** Old versions of table files stay this long, for readers of other processes that are in the middle of a query. */
const KEEP_VERSIONS_MS = 10 * 60 * 1000

/** Merge small files, bring the indexes up to date, drop old versions. */
export async function optimizeTable(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) })
}
