import { Index, type Table } from '@lancedb/lancedb'
import { FULL_TEXT, VERSION_INDEX } from './lance-tables.ts'
import { indexVectors, listVectorIndexes } from './vector-index.ts'

/** Time that replaced files stay, so that running searches finish. */
const KEEP_VERSIONS_MS = 60 * 1000

export const ERASE = 'erase'

export async function compactTable(table: Table): Promise<void> {
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) })
}

/** Returns whether the next `compactTable` drops versions, which double the table. */
export async function hasOldVersions(table: Table): Promise<boolean> {
  const versions = await table.listVersions()
  const oldest = Math.min(...versions.map(({ timestamp }) => timestamp.getTime()))
  return versions.length > 1 && oldest < Date.now() - KEEP_VERSIONS_MS
}

/** Estimates deleted rows in files. May be negative, because LanceDB rounds. */
export async function countRemovedRows(table: Table): Promise<number> {
  const { numRows, fragmentStats } = await table.stats()
  return Math.round(fragmentStats.numFragments * fragmentStats.lengths.mean) - numRows
}

/**
 * Rewrites files without deleted rows. LanceDB skips a single fragment with less than a tenth
 * deleted, so one row is rewritten to make a second.
 */
export async function rewriteFiles(table: Table, optimize: () => Promise<void>): Promise<void> {
  const [row] = await table.query().select(['version', 'ordinal']).limit(1).toArray()
  if (!row) return
  const where = `version = ${row.version} AND ordinal = ${row.ordinal}`
  await table.update({ where, valuesSql: { ordinal: 'ordinal' } })
  await optimize()
  await optimize()
}

/** Indexes anew: indexes keep words of deleted rows. */
export async function eraseRemovedRows(table: Table): Promise<void> {
  await compactTable(table)
  if ((await countRemovedRows(table)) > 0) await rewriteFiles(table, () => compactTable(table))
  await table.createIndex('terms', { config: Index.fts(FULL_TEXT) })
  if (await table.indexStats(VERSION_INDEX))
    await table.createIndex('version', { config: Index.btree() })
  const [vectors] = await listVectorIndexes(table)
  if (vectors) await indexVectors(table, vectors.partitions)
  await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true })
}
