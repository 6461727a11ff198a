import { PostgresCatalog } from '../../src/ingest/store/catalogs/postgres.ts'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'

/** How often the catalog was asked meanwhile, by whomever. */
export async function questionsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const restored = [SqliteCatalog, PostgresCatalog].flatMap(({ prototype }) =>
    (['get', 'all', 'transaction'] as const).map(name => {
      const real = prototype[name] as (...given: unknown[]) => Promise<unknown>
      const counted = function (this: unknown, ...given: unknown[]) {
        count++
        return real.apply(this, given)
      }
      Object.assign(prototype, { [name]: counted })
      return () => Object.assign(prototype, { [name]: real })
    }),
  )
  await work()
  for (const restore of restored) restore()
  return count
}
