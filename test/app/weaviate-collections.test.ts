import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { type Collection, parseEngine } from '../../src/ingest/store/catalog/collections.ts'
import { Sandbox } from '../fakes/store.ts'
import { NEEDS_WEAVIATE, tenantsOf, weaviateUrl } from '../fakes/weaviate.ts'

const TEXTS = {
  'fox.txt': 'The quick brown fox.',
  'boat.txt': 'A red boat on the river.',
  'zh.txt': '敏捷的狐狸。',
}

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => await sandbox.remove())

const open = (urls: readonly string[] = [weaviateUrl!]) =>
  sandbox.open({ settings: { weaviate: { urls: [...urls] } } })
const engine = async (passim: Passim, name = 'papers') =>
  parseEngine((await passim.scope.findCollection(name)).tableId)
const move = async (passim: Passim, to: 'lance' | 'weaviate') =>
  passim.reEmbed.move(await passim.scope.findCollection('papers'), to, {})

async function found(passim: Passim, query = 'quick fox') {
  const modes = ['keyword', 'vector', 'hybrid'] as const
  const hits = await Promise.all(
    modes.map(mode => passim.search({ query, mode, limit: 2, collections: ['papers'] })),
  )
  return hits.map(([hit]) => ({ name: hit?.name, score: hit?.score.toFixed(4) }))
}

async function tables(passim: Passim, of?: Pick<Collection, 'id'>): Promise<number> {
  return await tenantsOf((of ?? (await passim.scope.findCollection('papers'))).id)
}

test('a collection in an engine that is not set up is refused, with the way out', async () => {
  const passim = await sandbox.open()
  await expect(
    passim.collections.create({ name: 'papers', engine: 'weaviate' }),
  ).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('weaviate.urls'),
  })
  await passim.index([await sandbox.write(TEXTS)], { collection: 'papers' })
  await expect(move(passim, 'weaviate')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('collections in LanceDB go on while a Weaviate does not answer', async () => {
  const passim = await open(['http://127.0.0.1:9'])
  const { totals } = await passim.index([await sandbox.write(TEXTS)], { collection: 'papers' })
  expect(totals).toMatchObject({ indexed: 3 })
  expect((await found(passim)).map(({ name }) => name)).toEqual(['fox.txt', 'fox.txt', 'fox.txt'])
})

describe.skipIf(weaviateUrl === undefined)(`collections in Weaviate (${NEEDS_WEAVIATE})`, () => {
  test('one is made there, searched, changed and checked as any other', async () => {
    const passim = await open()
    await passim.collections.create({ name: 'papers', engine: 'weaviate' })
    const docs = await sandbox.write(TEXTS)
    await passim.index([docs], { collection: 'papers' })
    expect(await engine(passim)).toBe('weaviate')
    const first = await found(passim)
    expect(first.map(({ name }) => name)).toEqual(['fox.txt', 'fox.txt', 'fox.txt'])
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
    await sandbox.write({ 'fox.txt': 'A slow cat.' })
    await passim.index([docs], { collection: 'papers' })
    expect(
      (await passim.search({ query: 'brown', mode: 'keyword', collections: ['papers'] })).length,
    ).toBe(0)
    expect(
      (await passim.search({ query: 'cat', mode: 'keyword', collections: ['papers'] }))[0]?.name,
    ).toBe('fox.txt')
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
    expect(await tables(passim)).toBe(1)
  })
  test('it moves there and back with everything, and leaves nothing behind', async () => {
    const passim = await open()
    const docs = await sandbox.write(TEXTS)
    await passim.index([docs], { collection: 'papers' })
    const before = await found(passim)
    expect(await move(passim, 'weaviate')).toMatchObject({
      engine: 'weaviate',
      job: { state: 'completed' },
      chunks: 3,
    })
    expect([await engine(passim), await found(passim), await tables(passim)]).toEqual([
      'weaviate',
      before,
      1,
    ])
    expect(await move(passim, 'weaviate')).not.toHaveProperty('job')
    const later = await open()
    expect((await later.index([docs], { collection: 'papers' })).totals).toMatchObject({
      unchanged: 3,
    })
    expect(await later.verify.run()).toMatchObject({ ok: true, problems: [] })
    expect(await move(later, 'lance')).toMatchObject({
      engine: 'lance',
      job: { state: 'completed' },
    })
    expect([await engine(later), await found(later), await tables(later)]).toEqual([
      'lance',
      before,
      0,
    ])
  })
  test('another model leaves it where it is, and a deleted one leaves no table', async () => {
    const passim = await open()
    await passim.collections.create({ name: 'papers', engine: 'weaviate' })
    await passim.index([await sandbox.write(TEXTS)], { collection: 'papers' })
    await passim.reEmbed.run(await passim.scope.findCollection('papers'), 'none', {})
    expect([await engine(passim), (await found(passim))[0]?.name, await tables(passim)]).toEqual([
      'weaviate',
      'fox.txt',
      1,
    ])
    const papers = await passim.scope.findCollection('papers')
    await passim.collections.delete(papers, { now: true })
    expect(await tables(passim, papers)).toBe(0)
  })
  test('without the setting, its collections say what is missing, the others go on, and they may come back to LanceDB', async () => {
    const passim = await open()
    await passim.collections.create({ name: 'papers', engine: 'weaviate' })
    const docs = await sandbox.write(TEXTS)
    await passim.index([docs], { collection: 'papers' })
    const without = await sandbox.open()
    await without.index([docs], { collection: 'others' })
    expect((await without.search({ query: 'fox', collections: ['others'] }))[0]?.name).toBe(
      'fox.txt',
    )
    await expect(without.search({ query: 'fox', collections: ['papers'] })).rejects.toMatchObject({
      code: 'store_mismatch',
      advice: expect.stringContaining('weaviate.urls'),
    })
    expect(await move(without, 'lance')).toMatchObject({
      engine: 'lance',
      job: { state: 'completed' },
    })
    expect((await without.search({ query: 'fox', collections: ['papers'] }))[0]?.name).toBe(
      'fox.txt',
    )
  })
})
