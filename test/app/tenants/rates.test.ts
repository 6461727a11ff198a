import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SharedRates } from '../../../src/app/tenants/rates.ts'
import type { Catalog, Statements } from '../../../src/ingest/store/catalog.ts'
import { combineFormats } from '../../../src/ingest/store/catalog.ts'
import { PostgresCatalog } from '../../../src/ingest/store/catalogs/postgres.ts'
import { SqliteCatalog } from '../../../src/ingest/store/catalogs/sqlite.ts'
import { schemaOf } from '../../fakes/catalog-environment.ts'
import { chooseAdapters } from '../../suites.ts'

const server = process.env.PASSIM_TEST_POSTGRES
const ENGINES = {
  SQLite: async (folder: string) =>
    SqliteCatalog.open(path.join(folder, 'keys.db'), combineFormats([SharedRates.tables])),
  'PostgreSQL (needs PASSIM_TEST_POSTGRES)': async (folder: string) =>
    await PostgresCatalog.open(
      { url: server!, schema: schemaOf(folder) },
      combineFormats([SharedRates.tables]),
    ),
}

/** Statements by a clock that the test sets, and how many transactions there were. */
class Clocked {
  now = Date.now()
  transactions = 0
  readonly statements: Statements

  constructor(catalog: Catalog) {
    const transaction = async <Result>(work: (inside: Statements) => Promise<Result>) => {
      this.transactions++
      return await catalog.transaction(
        async inside => await work({ ...inside, get: this.#clocked(inside) }),
      )
    }
    this.statements = { get: catalog.get, all: catalog.all, run: catalog.run, transaction }
  }

  #clocked(inside: Statements): Statements['get'] {
    return async (sql, ...values) =>
      ({ ...(await inside.get<object>(sql, ...values)), now: this.now }) as never // the row, by another clock
  }
}

function isInstalled([name]: readonly [string, ...unknown[]]): boolean {
  return name === 'SQLite' || server !== undefined
}

describe.for(chooseAdapters(Object.entries(ENGINES), isInstalled))(
  'requests of a key at several nodes, counted in %s',
  ([name, openIn]) => {
    const isThere = isInstalled([name])
    const there = test.skipIf(!isThere)
    let folder: string
    let catalogs: readonly Catalog[]
    let clocks: readonly Clocked[]
    beforeEach(async () => {
      if (!isThere) return
      folder = await mkdtemp(path.join(tmpdir(), 'passim-rates-'))
      catalogs = [await openIn(folder), await openIn(folder)]
      clocks = catalogs.map(catalog => new Clocked(catalog))
      for (const clock of clocks) clock.now = clocks[0]!.now
      vi.useFakeTimers({ toFake: ['performance'] })
    })
    afterEach(async () => {
      vi.useRealTimers()
      if (!isThere) return
      for (const catalog of catalogs) await catalog.close()
      await rm(folder, { recursive: true })
    })
    const nodes = (perMinute: number) =>
      clocks.map(({ statements }) => new SharedRates(statements, perMinute))
    const pass = (ms: number) => {
      vi.advanceTimersByTime(ms)
      for (const clock of clocks) clock.now += ms
    }
    /** How many of so many that come at once are let through. */
    const granted = async (rates: SharedRates, count: number) => {
      const taken = await Promise.all(Array.from({ length: count }, () => rates.take('key')))
      return taken.filter(({ isGranted }) => isGranted).length
    }
    const grantedByAll = async (all: readonly SharedRates[], each: number) =>
      (await Promise.all(all.map(rates => granted(rates, each)))).reduce(
        (sum, count) => sum + count,
        0,
      )

    there('are as many as it has, and come back evenly', async () => {
      const all = nodes(60)
      expect(await grantedByAll(all, 60)).toBe(60)
      expect(await grantedByAll(all, 5)).toBe(0)
      pass(3_000)
      expect(await grantedByAll(all, 5)).toBe(3)
      pass(3_600_000)
      expect(await grantedByAll(all, 100)).toBe(60)
    })

    there('never are more, though a node uses some later than it took them', async () => {
      const perMinute = 6_000
      const all = nodes(perMinute)
      for (const each of [1, 2, 3]) await grantedByAll(all, each) // now each holds one more
      pass(900) // and the bucket is full
      const count = await grantedByAll(all, perMinute)
      expect(count).toBeLessThanOrEqual(perMinute)
      expect(count).toBeGreaterThan(perMinute * 0.98)
    })

    there('cost a transaction for many of them', async () => {
      const [rates] = nodes(6_000)
      for (let i = 0; i < 1_000; i++) await rates!.take('key')
      expect(clocks[0]!.transactions).toBeLessThan(25)
    })

    there('are put back by a node that did not use them', async () => {
      const [one, other] = nodes(6_000)
      expect(await granted(one!, 32)).toBe(32) // it holds 31 more
      vi.advanceTimersByTime(2_000) // by its own clock: what it holds is not to be used any more
      await one!.take('key')
      expect((await other!.take('key')).remaining).toBe(5_900 - 34)
    })

    there('are refused without asking again before there is one', async () => {
      const [rates] = nodes(60)
      await granted(rates!, 61)
      const before = clocks[0]!.transactions
      expect(await rates!.take('key')).toEqual({
        isGranted: false,
        remaining: 0,
        fullInMs: 60_000,
        nextInMs: 1_000,
      })
      expect(clocks[0]!.transactions).toBe(before)
      pass(1_000)
      expect(await rates!.take('key')).toMatchObject({ isGranted: true, remaining: 0 })
    })

    there('of one key are not those of another', async () => {
      const [rates] = nodes(1)
      expect(await granted(rates!, 2)).toBe(1)
      expect(await rates!.take('other')).toMatchObject({ isGranted: true })
    })
  },
)
