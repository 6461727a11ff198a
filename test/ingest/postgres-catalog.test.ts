import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { Conversations } from '../../src/conversations/conversations.ts'
import type { Formats } from '../../src/ingest/store/catalog.ts'
import { PostgresCatalog } from '../../src/ingest/store/catalogs/postgres.ts'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'

const url = process.env.PASSIM_TEST_POSTGRES ?? ''

describe.skipIf(url === '')('a catalog in PostgreSQL (needs PASSIM_TEST_POSTGRES)', () => {
  let folder: string
  let schema: string
  let catalog: PostgresCatalog
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'passim-pg-'))
    const id = path.basename(folder).slice(-6)
    schema = `p_${Buffer.from(id).toString('hex')}`
    catalog = await PostgresCatalog.open({ url, schema }, FORMATS)
  })
  afterEach(async () => {
    await catalog.close()
    await rm(folder, { recursive: true })
  })

  const away = (message: string) =>
    expect.objectContaining({
      code: 'store_unavailable',
      message: expect.stringContaining(message),
    })
  const as = (user: string) => {
    const there = new URL(url)
    there.username = user
    return there.href
  }

  test('needs a schema, or the right to make one, and says so', async () => {
    const user = `${schema}_weak`
    await catalog.all(`CREATE ROLE ${user} LOGIN`)
    try {
      const open = async () =>
        await PostgresCatalog.open({ url: as(user), schema: `${schema}_w` }, FORMATS)
      await expect(open()).rejects.toThrow(away('GRANT CREATE ON DATABASE'))
      await catalog.all(`CREATE SCHEMA ${schema}_w AUTHORIZATION ${user}`)
      await (await open()).close()
    } finally {
      await catalog.all(`DROP OWNED BY ${user} CASCADE`)
      await catalog.all(`DROP ROLE ${user}`)
    }
  })

  test.each(['SQL_ASCII', 'LATIN1'])('needs a database in UTF8, not in %s', async encoding => {
    const name = `${schema}_${encoding.toLowerCase()}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(
        `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
      )
      const place = { url: new URL(name, url).href, schema }
      await expect(PostgresCatalog.open(place, FORMATS)).rejects.toMatchObject({
        code: 'store_mismatch',
        message: expect.stringContaining(`stores texts as ${encoding}; it must be UTF8`),
        advice: expect.stringContaining("ENCODING 'UTF8'"),
      })
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name}`)
      await client.end()
    }
  })

  test('is told one thing at a time in a transaction, however many are asked at once', async () => {
    let [underWay, most] = [0, 0]
    const query = pg.Client.prototype.query as (...asked: readonly unknown[]) => Promise<unknown> // that without a callback
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...asked
    ) {
      most = Math.max(most, ++underWay)
      return await query.apply(this, asked).finally(() => underWay--)
    })
    try {
      const all = catalog.transaction(async inside => {
        const ask = async (n: number) =>
          (await inside.get<{ n: number }>('SELECT CAST(? AS BIGINT) AS n', n))?.n
        return await Promise.all([1, 2, 3].map(ask))
      })
      expect([await all, most]).toEqual([[1, 2, 3], 1])
    } finally {
      spy.mockRestore()
    }
  })

  test('writes nothing of what a failed transaction still asks for', async () => {
    await catalog.run('CREATE TABLE written (n BIGINT)')
    let rest: Promise<unknown> | undefined
    const failing = catalog.transaction(async inside => {
      const write = async (n: number) => await inside.run('INSERT INTO written VALUES (?)', n)
      rest = Promise.allSettled([1, 2, 3].map(write))
      throw new Error('one of several failed')
    })
    await expect(failing).rejects.toThrow('one of several failed')
    await rest
    expect(await catalog.all('SELECT n FROM written')).toEqual([])
  })

  test('is unavailable where a connection is cut off, and goes on with another', async () => {
    const failing = catalog.transaction(async inside => {
      const row = await inside.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      await catalog.all('SELECT pg_terminate_backend(?)', row?.pid)
      const isThere = async () =>
        (await catalog.all('SELECT 1 FROM pg_stat_activity WHERE pid = ?', row?.pid)).length
      await expect.poll(isThere).toBe(0)
      await inside.run('DELETE FROM leases')
    })
    await expect(failing).rejects.toThrow(away('Check that it runs'))
    expect(await catalog.run('DELETE FROM leases')).toBe(0)
  })

  test('says that a name is too long for its indexes', async () => {
    const long = Array.from({ length: 20_000 }, (_, i) =>
      String.fromCharCode(0x4e00 + ((i * i * 31) % 20_000)),
    ).join('')
    const failing = catalog.run(`INSERT INTO leases VALUES (?, '', '', '', 1, '', 1)`, long)
    await expect(failing).rejects.toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  test('gives no number of a version again that was forgotten, wherever the store goes', async () => {
    const sql = `INSERT INTO versions (document_id, collection_id, state, sha256, parser_id, chunker_id, embedder_id, report)
      VALUES ('doc_1', 'vs_1', 'retired', '', '', '', '', '{}')`
    const [first, back] = ['own.db', 'back.db'].map(name => path.join(folder, name))
    const own = SqliteCatalog.open(first!, FORMATS)
    for (let i = 0; i < 3; i++) await own.run(sql)
    await own.run('DELETE FROM versions WHERE version > 1')
    await catalog.takeAll(own)
    await own.close()
    expect(await catalog.get(`${sql} RETURNING version`)).toEqual({ version: 4 })
    await catalog.run('DELETE FROM versions')
    await catalog.copyTo(back!)
    const copy = SqliteCatalog.open(back!, FORMATS)
    expect(await copy.get(`${sql} RETURNING version`)).toMatchObject({ version: 5 })
    await copy.close()
  })

  /** As a later program declares them. */
  const LATER: Formats = [...FORMATS, [['ALTER TABLE leases ADD COLUMN later TEXT']]]
  const tooNew = (format: number) =>
    expect.objectContaining({
      code: 'store_mismatch',
      message: expect.stringMatching(`has format ${format};.*Upgrade`),
    })

  test('writes nothing and finds nothing once a later program has brought it forward', async () => {
    const later = await PostgresCatalog.open({ url, schema }, LATER)
    try {
      const conversations = new Conversations(catalog)
      await expect(conversations.create({ id: 'conv_1' })).rejects.toThrow(tooNew(LATER.length))
      await expect(catalog.state()).rejects.toThrow(tooNew(LATER.length))
      expect(await later.all('SELECT * FROM conversations')).toEqual([])
      const opening = PostgresCatalog.open({ url, schema }, FORMATS)
      await expect(opening).rejects.toThrow(tooNew(LATER.length))
    } finally {
      await later.close()
    }
  })

  test('is brought forward after what an earlier program was writing', async () => {
    const isWaiting = async () => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE store_state SET format%'`
      return (await catalog.all(sql)).length
    }
    let opening: Promise<PostgresCatalog> | undefined
    await catalog.transaction(async inside => {
      opening = PostgresCatalog.open({ url, schema }, LATER)
      await expect.poll(isWaiting).toBe(1)
      await inside.run(`INSERT INTO leases VALUES ('one', '', '', '', 1, '', 1)`)
    })
    const later = (await opening)!
    expect(await later.all('SELECT name, later FROM leases')).toEqual([
      { name: 'one', later: null },
    ])
    await later.close()
  })

  test('keeps conversations, each begun once', async () => {
    const conversations = new Conversations(catalog)
    await conversations.create({ id: 'conv_1', title: 'first' })
    await conversations.create({ id: 'conv_1', title: 'second' })
    expect(await conversations.get('conv_1')).toMatchObject({ title: 'first' })
  })
})
