import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = {
  'fox.txt': 'The quick brown fox.',
  'boat.txt': 'A red boat on the river.',
  'zh.txt': '敏捷的狐狸。',
}

let sandbox: Sandbox
let server: EmbeddingServer
/** Awaited before passages are answered. */
let held: Promise<void> | undefined

beforeEach(async () => {
  sandbox = await Sandbox.make()
  held = undefined
  server = await startEmbeddingServer(96, texts =>
    texts.includes('dimensions') ? undefined : held,
  )
})
afterEach(async () => {
  await sandbox.remove()
  await server.close()
})

const open = () =>
  sandbox.open({ settings: { embedders: { big: { url: server.url, name: 'hasher' } } } })
const collectionOf = async (passim: Passim, name = 'default') =>
  await passim.scope.findCollection(name)
const reEmbed = async (passim: Passim, embedder: string) =>
  passim.reEmbed.run(await collectionOf(passim), embedder, {})

async function filesIn(folder: string, part: string): Promise<readonly string[]> {
  const names = await readdir(path.join(sandbox.home, folder), { recursive: true })
  return names.filter(name => path.basename(name).includes(part))
}
const tables = () =>
  filesIn('index', '.lance').then(names => names.filter(name => !name.includes('/')))

async function found(passim: Passim, query = 'quick fox', collections?: readonly string[]) {
  const modes = ['keyword', 'vector', 'hybrid'] as const
  const hits = await Promise.all(
    modes.map(mode => passim.search({ query, mode, limit: 1, collections })),
  )
  return hits.map(([hit]) => hit?.name)
}
const EACH = (name: string) => [name, name, name]

async function expectNew(passim: Passim, documents: number): Promise<void> {
  expect(await collectionOf(passim)).toMatchObject({ embedderId: 'hasher@1:96', dimensions: 96 })
  expect(await tables()).toHaveLength(1)
  expect(await filesIn('content', 'vectors-')).toHaveLength(documents)
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
}

/** Passages wait until the returned function is called. */
function hold(): () => void {
  let release = () => {}
  held = new Promise(resolve => (release = resolve))
  return release
}

test('a collection gets the vectors of another model and is otherwise as it was', async () => {
  const passim = await open()
  const docs = await sandbox.write(TEXTS)
  await passim.index([docs])
  await passim.index(
    [await sandbox.write({ '../words/oar.txt': 'An oar.' }).then(() => sandbox.path('../words'))],
    {
      withoutVectors: true,
    },
  )
  const [before] = await passim.search({ query: 'quick fox' })
  const result = await reEmbed(passim, 'big')
  expect(result).toMatchObject({
    embedder: 'hasher@1:96',
    before: 'hashing-64@1',
    job: { state: 'completed' },
    chunks: 4,
  })
  expect(server.requests.flat().filter(text => text !== 'dimensions')).toHaveLength(3)
  expect(await found(passim)).toEqual(EACH('fox.txt'))
  expect((await passim.search({ query: 'quick fox' }))[0]).toMatchObject({
    chunkId: before?.chunkId,
  })
  expect((await passim.search({ query: 'oar', mode: 'keyword' }))[0]?.name).toBe('oar.txt')
  await expectNew(passim, 3)
  const again = await open()
  expect((await again.index([docs])).totals).toMatchObject({
    unchanged: 3,
    indexed: 0,
    replaced: 0,
  })
  expect(await reEmbed(again, 'big')).not.toHaveProperty('job')
  expect(await found(again)).toEqual(EACH('fox.txt'))
})

test('until the new vectors are whole the old ones answer, and what is indexed meanwhile is found and gets the new ones', async () => {
  const passim = await open()
  await passim.index([await sandbox.write(TEXTS)])
  const release = hold()
  const running = reEmbed(passim, 'big')
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBeGreaterThan(1)
  const other = await open()
  expect(
    (await other.index([await sandbox.write({ 'new.txt': 'A heron waits.' })])).totals,
  ).toMatchObject({
    indexed: 1,
  })
  expect(await found(other)).toEqual(EACH('fox.txt'))
  expect(await found(other, 'heron')).toEqual(EACH('new.txt'))
  expect((await collectionOf(other)).embedderId).toBe('hashing-64@1')
  const job = (await other.jobs.list(undefined, 9)).find(
    ({ documentId }) => documentId === undefined,
  )
  expect(job).toMatchObject({ state: 'running', stage: 'embed', done: 0, total: 4 })
  release()
  expect(await running).toMatchObject({ job: { state: 'completed' }, documents: 4 })
  await expectNew(other, 4)
  expect(await found(other, 'heron')).toEqual(EACH('new.txt'))
})

test('a job that is cancelled leaves everything as it was, and can be tried again', async () => {
  const passim = await open()
  await passim.index([await sandbox.write(TEXTS)])
  const before = await tables()
  const release = hold()
  const running = reEmbed(passim, 'big')
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBeGreaterThan(1)
  const [job] = await passim.jobs.list(undefined, 1)
  expect(await passim.jobs.cancel(job!.id)).toMatchObject({ state: 'cancelled' })
  release()
  expect(await running).toMatchObject({ embedder: 'hashing-64@1', job: { state: 'cancelled' } })
  expect([await tables(), await found(passim)]).toEqual([before, EACH('fox.txt')])
  expect(await filesIn('content', 'vectors-')).toHaveLength(3)
  expect(await passim.retryJob(job!.id)).toMatchObject({ state: 'completed' })
  await expectNew(passim, 3)
})

test('a text that the server refuses fails the job, and trying again takes the place of what came between', async () => {
  let isStrict = true
  const strict = await startEmbeddingServer(96, texts =>
    isStrict && texts.some(text => text.includes('boat')) ? 400 : undefined,
  )
  const embedders = {
    big: { url: strict.url, name: 'hasher' },
    other: { url: server.url, name: 'between' },
  }
  const passim = await sandbox.open({ settings: { embedders } })
  await passim.index([await sandbox.write(TEXTS)])
  await expect(reEmbed(passim, 'big')).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/refuses a text.*stays embedded as it was/s),
    advice: expect.stringContaining('passim jobs retry'),
  })
  const [job] = await passim.jobs.list(undefined, 1)
  expect(job).toMatchObject({ state: 'failed' })
  expect(await reEmbed(passim, 'other')).toMatchObject({ embedder: 'between@1:96' })
  isStrict = false
  expect(await passim.retryJob(job!.id)).toMatchObject({ state: 'completed' })
  await expectNew(passim, 3)
  await strict.close()
})

test('collections of several models, one of none, are searched together', async () => {
  const passim = await open()
  await passim.collections.create({ name: 'big', embedder: 'hasher' })
  await passim.collections.create({ name: 'words', embedder: 'none' })
  const warnings = await passim.searchWarnings({ collections: ['words'], mode: 'vector' })
  expect(warnings).toMatchObject([
    { code: 'no_vectors', advice: expect.stringContaining('re-embed words') },
  ])
  expect(await passim.searchWarnings({ collections: ['words'], mode: 'keyword' })).toEqual([])
  for (const [collection, name] of Object.entries({
    default: 'fox.txt',
    big: 'boat.txt',
    words: 'zh.txt',
  })) {
    await sandbox.write({ [name]: TEXTS[name as keyof typeof TEXTS] })
    await passim.index([sandbox.path(name)], { collection })
  }
  const all = ['default', 'big', 'words']
  const before = server.requests.length
  expect(await found(passim, 'quick fox', all)).toEqual(EACH('fox.txt'))
  expect(await found(passim, 'red boat', all)).toEqual(EACH('boat.txt'))
  expect(server.requests.length - before).toBe(2) // each question once
  expect((await passim.search({ query: '敏捷', mode: 'keyword', collections: all }))[0]?.name).toBe(
    'zh.txt',
  )
  expect(
    await passim.search({ query: 'quick fox', mode: 'vector', collections: ['words'] }),
  ).toEqual([])
  expect(await passim.verify.run()).toMatchObject({ ok: true })
  await expect(passim.collections.create({ name: 'x', embedder: 'bigger' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('big, multilingual-e5-small-enzh, none'),
  })
})

test('a model that is not set up any more is told with the way out, which works', async () => {
  const first = await open()
  await first.index([await sandbox.write(TEXTS)])
  await reEmbed(first, 'big')
  await first.close()
  const passim = await sandbox.open()
  const told = {
    code: 'store_mismatch',
    advice: expect.stringContaining('re-embed default --embedder ID'),
  }
  await expect(passim.search({ query: 'fox' })).rejects.toMatchObject(told)
  await expect(passim.index([sandbox.path('')])).rejects.toMatchObject(told)
  expect((await passim.search({ query: 'fox', mode: 'keyword' }))[0]?.name).toBe('fox.txt')
  expect(await reEmbed(passim, 'hashing-64')).toMatchObject({ job: { state: 'completed' } })
  expect(await found(passim)).toEqual(EACH('fox.txt'))
  expect((await passim.index([sandbox.path('')])).totals).toMatchObject({ unchanged: 3 })
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})

test('models whose names have a slash, and the same last part, are told apart', async () => {
  const other = await startEmbeddingServer(48)
  try {
    const embedders = {
      a: { url: server.url, name: 'org/hasher' },
      b: { url: other.url, name: 'lab/hasher' },
    }
    const same = { c: { url: server.url, name: 'twin' }, d: { url: other.url, name: 'twin' } }
    const ids = { a: 'org/hasher@1:96', b: 'lab/hasher@1:48', c: 'twin@1:96', d: 'twin@1:48' }
    const openAgain = () => sandbox.open({ settings: { embedders: { ...embedders, ...same } } })
    const passim = await openAgain()
    const docs = await sandbox.write(TEXTS)
    for (const [name, embedder] of Object.entries({ a: 'a', b: 'lab/hasher', c: 'c', d: ids.d })) {
      expect(await passim.collections.create({ name, embedder })).toMatchObject({
        embedderId: ids[name as 'a'],
      })
    }
    const later = await openAgain()
    for (const collection of Object.keys(ids)) {
      expect((await later.index([docs], { collection })).totals).toMatchObject({
        indexed: 3,
        failed: 0,
      })
      expect(await found(later, 'quick fox', [collection])).toEqual(EACH('fox.txt'))
    }
    expect(await later.reEmbed.run(await collectionOf(later, 'a'), 'b', {})).toMatchObject({
      embedder: ids.b,
      job: { state: 'completed' },
    })
  } finally {
    await other.close()
  }
})

/** As a program before re-embedding left it: the length of vectors not written down, the rows of another form. */
async function makeOlder(): Promise<void> {
  await sandbox.close()
  const { catalog } = await storeIn(sandbox.home)
  await catalog.run('UPDATE collections SET dimensions = NULL')
  await catalog.close()
  for (const name of await tables()) {
    const file = path.join(sandbox.home, 'index', name)
    await rename(file, file.replace(/\.[^.-]+-(?=[^/]*$)/, '.before1-'))
  }
}

test('a store of an older program keeps the vectors of a model that is not the configured one, set up or not', async () => {
  const first = await open()
  await first.collections.create({ name: 'big', embedder: 'big' })
  await first.collections.create({ name: 'empty', embedder: 'big' })
  const docs = await sandbox.write(TEXTS)
  await first.index([docs], { collection: 'big' })
  await makeOlder()
  const service = await sandbox.open()
  expect((await service.verify.run()).problems.map(({ kind }) => kind)).toEqual([
    'index',
    'index',
    'index',
  ])
  await service.resume()
  await expect.poll(async () => (await service.verify.run()).ok, { timeout: 60_000 }).toBe(true)
  const keyword = await service.search({
    query: 'quick fox',
    mode: 'keyword',
    collections: ['big'],
  })
  expect(keyword[0]?.name).toBe('fox.txt')
  await service.close()
  const embedded = server.requests.length
  const passim = await open()
  expect((await passim.index([docs], { collection: 'big' })).totals).toMatchObject({ unchanged: 3 })
  expect(server.requests).toHaveLength(embedded)
  expect(await found(passim, 'quick fox', ['big'])).toEqual(EACH('fox.txt'))
  expect((await passim.index([docs], { collection: 'empty' })).totals).toMatchObject({ indexed: 3 })
  expect(await found(passim, 'quick fox', ['empty'])).toEqual(EACH('fox.txt'))
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})

test('a re-embedding whose model is not to be had is a warning of who indexes, and what was removed goes', async () => {
  const first = await open()
  const docs = await sandbox.write(TEXTS)
  await first.index([docs])
  const abort = new AbortController()
  const release = hold()
  const wanted = first.reEmbed.run(await collectionOf(first), 'big', { signal: abort.signal })
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBeGreaterThan(1)
  abort.abort()
  await expect(wanted).rejects.toThrow()
  release()
  await first.close()
  const passim = await sandbox.open()
  await rm(sandbox.path('boat.txt'))
  const result = await passim.index([docs, await sandbox.write({ 'new.txt': 'A heron waits.' })])
  expect(result).toMatchObject({ totals: { indexed: 1, removed: 1, failed: 0 } })
  expect(result.warnings).toMatchObject([
    { code: 'store_mismatch', advice: expect.stringContaining('passim jobs cancel') },
  ])
  expect(await found(passim, 'heron')).toEqual(EACH('new.txt'))
  expect(
    (await passim.jobs.list(undefined, 9)).find(({ documentId }) => !documentId),
  ).toMatchObject({
    state: 'queued',
  })
  expect(await passim.verify.run()).toMatchObject({ ok: true })
  expect(
    await readdir(path.join(sandbox.home, 'content'), { recursive: true }).then(names =>
      names.filter(name => name.endsWith('original')),
    ),
  ).toHaveLength(3)
})

test('a server that does not answer keeps neither who aborts nor who closes', async () => {
  let asked = () => {}
  const request = new Promise<void>(resolve => (asked = resolve))
  const silent = await startEmbeddingServer(96, () => {
    asked()
    return new Promise(() => {})
  })
  try {
    const passim = await sandbox.open({
      settings: { embedders: { big: { url: silent.url, name: 'hasher' } } },
    })
    await passim.index([await sandbox.write(TEXTS)])
    const abort = new AbortController()
    const aborted = passim.reEmbed.run(await collectionOf(passim), 'big', { signal: abort.signal })
    await request
    abort.abort(new Error('Not wanted any more.'))
    await expect(aborted).rejects.toThrow('Not wanted any more.')
    const waiting = expect(reEmbed(passim, 'big')).rejects.toMatchObject({
      code: expect.any(String),
    })
    await passim.close()
    await waiting
    await expect(passim.search({ query: 'fox' })).rejects.toThrow() // the store is closed too
  } finally {
    await silent.close()
  }
})
