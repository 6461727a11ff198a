import { createHash } from 'node:crypto'
import { openStore, type Store } from '../../src/app/stores/store.ts'

/** A schema of its own for each folder. */
export function schemaOf(folder: string): string {
  return `t_${createHash('sha256').update(folder).digest('hex').slice(0, 13)}`
}

/** Variables that put the catalog of a home into a schema of its own, where PASSIM_TEST_STORES is `postgres`; else none. */
export function environmentOf(home: string): Readonly<Record<string, string>> {
  const { PASSIM_TEST_STORES, PASSIM_TEST_POSTGRES } = process.env
  if (PASSIM_TEST_STORES !== 'postgres') return {}
  if (!PASSIM_TEST_POSTGRES)
    throw new Error('PASSIM_TEST_STORES is postgres: set PASSIM_TEST_POSTGRES to its URL.')
  return { PASSIM_CATALOG_URL: PASSIM_TEST_POSTGRES, PASSIM_CATALOG_SCHEMA: schemaOf(home) }
}

/** The store of a home, with its catalog where that is. */
export async function storeIn(home: string): Promise<Store> {
  const { PASSIM_CATALOG_URL: url, PASSIM_CATALOG_SCHEMA: schema } = environmentOf(home)
  return await openStore(home, { ...(url && schema && { catalog: { url, schema } }) })
}
