import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FORMATS as STORE_FORMATS } from '../../src/app/stores/store.ts'
import { Collections } from '../../src/ingest/store/catalog/collections.ts'
import type { Catalog, Formats, Statements } from '../../src/ingest/store/catalog.ts'
import { PostgresCatalog } from '../../src/ingest/store/catalogs/postgres.ts'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { chooseAdapters } from '../suites.ts'

const FORMATS: Formats = [
  [
    [
      'CREATE TABLE rooms (id TEXT PRIMARY KEY, guests INTEGER NOT NULL, price REAL, note TEXT) WITHOUT ROWID',
    ],
  ],
]

const server = process.env.PASSIM_TEST_POSTGRES
const ENGINES = {
  SQLite: async (folder: string) => SqliteCatalog.open(path.join(folder, 'catalog.db'), FORMATS),
  'PostgreSQL (needs PASSIM_TEST_POSTGRES)': async (folder: string) =>
    await PostgresCatalog.open({ url: server!, schema: schemaOf(folder) }, FORMATS),
}

/** The same engines with the tables of a store. */
const STORES = {
  SQLite: async (folder: string) =>
    SqliteCatalog.open(path.join(folder, 'catalog.db'), STORE_FORMATS),
  'PostgreSQL (needs PASSIM_TEST_POSTGRES)': async (folder: string) =>
    await PostgresCatalog.open({ url: server!, schema: schemaOf(folder) }, STORE_FORMATS),
}

function isInstalled([name]: readonly [string, ...unknown[]]): boolean {
  return name === 'SQLite' || server !== undefined
}

describe.for(chooseAdapters(Object.entries(ENGINES), isInstalled))(
  'the truth kept by %s',
  ([name, openIn]) => {
    const isThere = isInstalled([name])
    const there = test.skipIf(!isThere)
    let folder: string
    let catalog: Catalog
    let other: Catalog
    beforeEach(async () => {
      if (!isThere) return
      folder = await mkdtemp(path.join(tmpdir(), 'passim-truth-'))
      catalog = await openIn(folder)
      other = await openIn(folder)
      await catalog.run('INSERT INTO rooms VALUES (?, ?, ?, ?)', 'a', 0, null, null)
    })
    afterEach(async () => {
      if (!isThere) return
      await catalog.close()
      await other.close()
      await rm(folder, { recursive: true })
    })

    const guests = async (statements: Statements) =>
      (await statements.get<{ guests: number }>('SELECT guests FROM rooms WHERE id = ?', 'a'))
        ?.guests
    there('one statement reads a row and rows, in any order', async () => {
      await catalog.run('INSERT INTO rooms VALUES (?, ?, ?, ?)', 'b', 3, null, null)
      const sql = 'SELECT guests FROM rooms WHERE id = ?'
      expect([
        await catalog.all(sql, 'a'),
        await catalog.get(sql, 'b'),
        await catalog.all(sql, 'b'),
        await catalog.get(sql, 'a'),
      ]).toMatchObject([[{ guests: 0 }], { guests: 3 }, [{ guests: 3 }], { guests: 0 }])
    })

    /** Reads, lets others go on, and writes what follows from what it read. */
    const arrive = async (inside: Statements) => {
      const before = (await guests(inside)) ?? 0
      await new Promise(resolve => setImmediate(resolve))
      await inside.run('UPDATE rooms SET guests = ? WHERE id = ?', before + 1, 'a')
    }

    there('gives back values as they were written', async () => {
      const row = { id: '客房', guests: 2 ** 52, price: 12.5, note: '' }
      expect(
        await catalog.run('INSERT INTO rooms VALUES (?, ?, ?, ?)', ...Object.values(row)),
      ).toBe(1)
      expect(await other.get('SELECT * FROM rooms WHERE id = ?', '客房')).toMatchObject(row)
      expect(await other.get('SELECT * FROM rooms WHERE id = ?', 'b')).toBeUndefined()
      expect(await other.all('SELECT id, price, note FROM rooms ORDER BY id')).toEqual([
        { id: 'a', price: null, note: null },
        { id: '客房', price: 12.5, note: '' },
      ])
      expect(await catalog.run('DELETE FROM rooms WHERE guests > ?', 10 ** 17)).toBe(0)
    })

    there('does all of a transaction or nothing', async () => {
      const failing = catalog.transaction(async inside => {
        await arrive(inside)
        expect(await guests(inside)).toBe(1)
        throw new Error('No more rooms.')
      })
      await expect(failing).rejects.toThrow('No more rooms.')
      expect([await guests(catalog), await guests(other)]).toEqual([0, 0])
      expect(
        await catalog.transaction(async inside => {
          await arrive(inside)
          return 'in'
        }),
      ).toBe('in')
      expect([await guests(catalog), await guests(other)]).toEqual([1, 1])
    })

    there('shows nobody what is not decided yet', async () => {
      await catalog.transaction(async inside => {
        await arrive(inside)
        expect(await guests(other)).toBe(0)
      })
      expect(await guests(other)).toBe(1)
    })

    there('keeps what a transaction read true, whoever else writes', async () => {
      const both = [catalog, other].flatMap(each =>
        Array.from({ length: 10 }, () => each.transaction(arrive)),
      )
      const alone = Array.from({ length: 10 }, () =>
        catalog.run('UPDATE rooms SET guests = guests + 1'),
      )
      await Promise.all([...both, ...alone])
      expect(await guests(catalog)).toBe(30)
    })

    there('takes turns in the order in which they were asked for', async () => {
      const order: string[] = []
      const note = (name: string) => async () => void order.push(name)
      await Promise.all([
        catalog.transaction(note('first')),
        catalog.transaction(note('second')),
        catalog
          .transaction(async () => {
            await note('third')()
            throw new Error('third')
          })
          .catch(() => {}),
        catalog.transaction(note('fourth')),
      ])
      expect(order).toEqual(['first', 'second', 'third', 'fourth'])
    })

    there(
      'shows who asks between two transactions nothing that the second has not decided',
      async () => {
        let letGo = () => {}
        const gate = new Promise<void>(resolve => {
          letGo = resolve
        })
        const first = catalog.transaction(async inside => {
          await arrive(inside)
          await gate
        })
        const between = guests(catalog)
        const second = catalog.transaction(async inside => {
          await inside.run('UPDATE rooms SET guests = 99')
          await new Promise(resolve => setTimeout(resolve, 20))
          throw new Error('Not after all.')
        })
        letGo()
        await expect(second).rejects.toThrow('Not after all.')
        await first
        expect(await between).toBeLessThan(2)
        expect(await guests(catalog)).toBe(1)
      },
    )

    there('goes on after a statement that met the transaction of another', async () => {
      let letGo = () => {}
      const gate = new Promise<void>(resolve => {
        letGo = resolve
      })
      const first = other.transaction(async inside => {
        await arrive(inside)
        await gate
      })
      await expect.poll(async () => await catalog.get('SELECT 1 AS one')).toMatchObject({ one: 1 })
      const alone = catalog.run('UPDATE rooms SET guests = guests + 1')
      await new Promise(resolve => setTimeout(resolve, 20))
      const after = catalog.transaction(arrive)
      letGo()
      await Promise.all([first, alone, after])
      expect(await guests(other)).toBe(3)
    })

    there('makes one transaction within another part of it', async () => {
      const failing = catalog.transaction(async inside => {
        await inside.transaction(arrive)
        throw new Error('Not after all.')
      })
      await expect(failing).rejects.toThrow('Not after all.')
      expect(await guests(catalog)).toBe(0)
    })

    there('refuses who speaks to a transaction that has ended', async () => {
      let left: Statements | undefined
      await catalog.transaction(async inside => {
        left = inside
      })
      await expect(left?.run('DELETE FROM rooms')).rejects.toThrow('This transaction has ended')
      expect(await guests(catalog)).toBe(0)
    })

    there('tells a statement that is wrong, and goes on', async () => {
      await expect(catalog.all('SELECT * FROM nowhere')).rejects.toThrow(/nowhere/)
      await expect(catalog.transaction(async inside => await inside.run('no SQL'))).rejects.toThrow(
        /syntax error/,
      )
      const late = catalog.transaction(async inside => {
        await arrive(inside)
        await inside.all('SELECT * FROM nowhere').catch(() => {})
        throw new Error('ended')
      })
      await expect(late).rejects.toThrow('ended')
      expect(await guests(catalog)).toBe(0)
    })

    there(
      'acknowledges a transaction that went on after a wrong statement only where it is written',
      async () => {
        const work = async (inside: Statements) => {
          await arrive(inside)
          await inside.all('SELECT * FROM nowhere').catch(() => {})
        }
        const acknowledged = await catalog.transaction(work).then(
          () => 1,
          () => 0,
        )
        expect(await guests(other)).toBe(acknowledged)
      },
    )

    there('passes on what the work of a transaction throws', async () => {
      const missing = Object.assign(new Error('Connection timeout'), { code: 'ENOENT' })
      await expect(catalog.transaction(() => Promise.reject(missing))).rejects.toBe(missing)
    })

    there('looks into JSON that has NUL and halves of pairs', async () => {
      const note = JSON.stringify({ title: '\0\ud800\udc00\udc00 \\u0000', digest: 'd' })
      await catalog.run('INSERT INTO rooms VALUES (?, ?, ?, ?)', 'j', 0, null, note)
      expect(
        await other.get(`SELECT note ->> '$.digest' AS digest FROM rooms WHERE id = 'j'`),
      ).toMatchObject({
        digest: 'd',
      })
      const ids = JSON.stringify(['j', 'j\0', '\ud800', '\\u0000'])
      expect(
        await other.all('SELECT id FROM rooms WHERE id IN (SELECT value FROM json_each(?))', ids),
      ).toEqual([{ id: 'j' }])
      const path = await other.all('SELECT value FROM json_each(?)', JSON.stringify(['C:\\u0000']))
      expect(path).toEqual([{ value: 'C:\\u0000' }])
    })

    there('has another state once anybody wrote', async () => {
      const before = [await catalog.state(), await other.state()]
      expect([await catalog.state(), await other.state()]).toEqual(before)
      await catalog.transaction(arrive)
      expect(await catalog.state()).not.toBe(before[0])
      await expect.poll(() => other.state()).not.toBe(before[1])
    })

    there('has another state as soon as it has read what another wrote', async () => {
      const before = await catalog.state()
      await other.transaction(arrive)
      expect(await guests(catalog)).toBe(1)
      expect(await catalog.state()).not.toBe(before)
    })

    there('is copied to a file while others go on', async () => {
      const file = path.join(folder, 'copy.db')
      await Promise.all([catalog.copyTo(file), other.transaction(arrive)])
      const copy = SqliteCatalog.open(file, FORMATS)
      expect([0, 1]).toContain(await guests(copy))
      expect(await copy.integrityProblems()).toEqual([])
      await copy.close()
      expect(await catalog.integrityProblems()).toEqual([])
    })

    there('says so where it is closed, which may be done twice', async () => {
      await catalog.close()
      await catalog.close()
      const closed = { code: 'invalid_input', message: expect.stringContaining('is closed') }
      await expect(catalog.all('SELECT * FROM rooms')).rejects.toThrow(
        expect.objectContaining(closed),
      )
      await expect(catalog.transaction(arrive)).rejects.toThrow(expect.objectContaining(closed))
      catalog = await openIn(folder)
    })
  },
)

describe.for(chooseAdapters(Object.entries(STORES), isInstalled))(
  'the collections kept by %s',
  ([name, openIn]) => {
    const isThere = isInstalled([name])
    test.skipIf(!isThere)('a list of synonyms is kept as written, and read by others', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'passim-synonyms-'))
      const catalog = await openIn(folder)
      const other = await openIn(folder)
      try {
        const collections = new Collections(catalog)
        const chunking = { tokens: 100, overlap: 0 }
        const settings = { name: 'a', chunking, embedderId: 'none', dimensions: 0 }
        const { id } = await collections.create(settings)
        expect(await collections.readSynonyms(id)).toBe('')
        const list = '# ours\nlaptop, 笔记本\r\n'
        expect(await collections.writeSynonyms(id, list)).toBe(true)
        expect(await new Collections(other).readSynonyms(id)).toBe(list)
        expect(await collections.writeSynonyms(id, '')).toBe(true)
        expect(await new Collections(other).readSynonyms(id)).toBe('')
        expect(await collections.writeSynonyms('vs_gone', list)).toBe(false)
      } finally {
        await catalog.close()
        await other.close()
        await rm(folder, { recursive: true })
      }
    })
  },
)
