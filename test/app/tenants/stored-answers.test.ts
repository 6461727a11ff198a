import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MAX_ALL_CHARS, StoredAnswers } from '../../../src/app/tenants/stored-answers.ts'
import { AppError } from '../../../src/errors.ts'
import type { Catalog } from '../../../src/ingest/store/catalog.ts'
import { combineFormats } from '../../../src/ingest/store/catalog.ts'
import { PostgresCatalog } from '../../../src/ingest/store/catalogs/postgres.ts'
import { SqliteCatalog } from '../../../src/ingest/store/catalogs/sqlite.ts'
import { schemaOf } from '../../fakes/catalog-environment.ts'
import { chooseAdapters } from '../../suites.ts'

const server = process.env.PASSIM_TEST_POSTGRES
const ENGINES = {
  SQLite: async (folder: string) =>
    SqliteCatalog.open(path.join(folder, 'keys.db'), combineFormats([StoredAnswers.tables])),
  'PostgreSQL (needs PASSIM_TEST_POSTGRES)': async (folder: string) =>
    await PostgresCatalog.open(
      { url: server!, schema: schemaOf(folder) },
      combineFormats([StoredAnswers.tables]),
    ),
}

function isInstalled([name]: readonly [string, ...unknown[]]): boolean {
  return name === 'SQLite' || server !== undefined
}

describe.for(chooseAdapters(Object.entries(ENGINES), isInstalled))(
  'answers that several processes keep in %s',
  ([name, openIn]) => {
    const isThere = isInstalled([name])
    const there = test.skipIf(!isThere)
    let folder: string
    let catalogs: readonly Catalog[]
    let nodes: readonly StoredAnswers[]
    let done: string[]
    beforeEach(async () => {
      if (!isThere) return
      folder = await mkdtemp(path.join(tmpdir(), 'passim-answers-'))
      catalogs = [await openIn(folder), await openIn(folder)]
      nodes = catalogs.map(catalog => new StoredAnswers(catalog))
      done = []
    })
    afterEach(async () => {
      if (!isThere) return
      for (const catalog of catalogs) await catalog.close()
      await rm(folder, { recursive: true })
    })
    const keyOf = (key: string, owner = 'acme') => ({ owner, key })
    const options = () => ({ signal: new AbortController().signal, onUnkept: vi.fn() })
    /** Work that is noted, and answers with this. */
    const answering = (text: string) => async () => {
      await new Promise(resolve => setTimeout(resolve, 20))
      done.push(text)
      return { request: 'r', status: 200, text }
    }
    const ask = async (at: number, key: string, text: string, owner?: string) =>
      (await nodes[at]!.runOnce(keyOf(key, owner), options(), answering(text)))?.text ?? 'done now'

    there('are given by whichever is asked, and nothing is done twice', async () => {
      const texts = await Promise.all(
        [0, 1, 0, 1].map(async (at, i) => await ask(at, 'k', `answer ${i}`)),
      )
      expect(done).toHaveLength(1)
      expect(texts.toSorted()).toEqual([done[0], done[0], done[0], 'done now'])
      expect(await ask(1, 'k', 'again')).toBe(done[0])
    })

    there('of another key, or another tenant, are others', async () => {
      await ask(0, 'k', 'one')
      expect(await ask(1, 'l', 'two')).toBe('done now')
      expect(await ask(1, 'k', 'three', 'other')).toBe('done now')
    })

    there('are none of what failed', async () => {
      const fail = async () => {
        throw new AppError('conflict', 'It failed.')
      }
      await expect(nodes[0]!.runOnce(keyOf('k'), options(), fail)).rejects.toThrow('It failed.')
      expect(await nodes[0]!.runOnce(keyOf('k'), options(), async () => undefined)).toBeUndefined()
      expect(await ask(1, 'k', 'one')).toBe('done now')
    })

    there('are waited for no longer than the one who waits has time', async () => {
      const leave = new AbortController()
      const endless = nodes[0]!.runOnce(
        keyOf('k'),
        { ...options(), signal: leave.signal },
        async () => {
          const waiting = nodes[1]!.runOnce(
            keyOf('k'),
            { ...options(), signal: leave.signal },
            answering('two'),
          )
          leave.abort(new Error('The client left.'))
          await expect(waiting).rejects.toThrow()
          return undefined
        },
      )
      await endless
      expect(done).toEqual([])
    })

    there('are made anew where the node that worked on them died', async () => {
      const dying = nodes[0]!.runOnce(keyOf('k'), options(), async () => {
        await catalogs[0]!.run('UPDATE kept_answers SET until = until - 30000') // it has said nothing for so long
        expect(await ask(1, 'k', 'two')).toBe('done now')
        return { request: 'r', status: 200, text: 'late' }
      })
      await dying
      expect(await ask(0, 'k', 'three')).toBe('two')
    })

    there('are told as done where they cannot be kept', async () => {
      const { signal, onUnkept } = options()
      const broken = new StoredAnswers(
        Object.assign(Object.create(catalogs[0]!), {
          get: async () => undefined,
          run: async () => 1,
          transaction: async () => {
            throw new AppError('store_unavailable', 'It is away.')
          },
        }) as Catalog, // all that it asks of one
      )
      expect(
        await broken.runOnce(keyOf('k'), { signal, onUnkept }, answering('one')),
      ).toBeUndefined()
      expect(onUnkept).toHaveBeenCalledWith(expect.objectContaining({ message: 'It is away.' }))
    })

    there(
      'are forgotten when they are too many, the oldest of the tenant first, and after their time',
      async () => {
        const large = 'x'.repeat(MAX_ALL_CHARS / 2 - 1_000)
        await ask(0, 'a', 'small', 'other')
        for (const key of ['a', 'b', 'c']) await ask(0, key, large)
        expect(await ask(1, 'a', 'anew')).toBe('done now')
        expect(await ask(1, 'c', 'anew')).toBe(large)
        expect(await ask(1, 'a', 'anew', 'other')).toBe('small')
        await catalogs[0]!.run('UPDATE kept_answers SET until = until - ?', 24 * 3_600_000)
        expect(await ask(1, 'c', 'anew')).toBe('done now')
      },
    )
  },
)
