import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { importStore } from '../../src/app/stores/import-store.ts'
import { AppError } from '../../src/errors.ts'
import type { SearchMode } from '../../src/search/searcher.ts'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { GatedEmbedder } from '../fakes/gated-embedder.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let embedder: GatedEmbedder
/** Runs that wait for their vectors. */
let runs: Promise<unknown>[]
beforeEach(async () => {
  sandbox = await Sandbox.make()
  embedder = new GatedEmbedder()
  passim = await sandbox.open({ embedder })
  runs = []
})
afterEach(async () => {
  embedder.open()
  await Promise.allSettled(runs)
  await sandbox.remove()
})

const index = (...names: readonly string[]): Promise<IndexResult> => {
  const run = passim.index(
    names.length > 0 ? names.map(name => sandbox.path(name)) : [sandbox.path('')],
  )
  runs.push(run)
  return run
}
const documents = async () => await passim.list('default')
const states = async () =>
  (await documents()).map(({ name, status, searchable }) => [name, status, searchable])
const found = async (query: string, mode: SearchMode = 'keyword') => {
  const hits = await passim.search({ query, mode })
  return hits.map(({ name }) => name)
}
const untilWords = (name: string) =>
  expect
    .poll(async () => (await documents()).find(one => one.name === name), { timeout: 20_000 })
    .toMatchObject({ searchable: 'words', status: 'in_progress' })
const pending = async () => await passim.scope.countPending(await passim.scope.findCollections())

describe('a document whose vectors take long', () => {
  beforeEach(async () => {
    await sandbox.write({ 'heron.txt': 'A heron stands in the reeds.' })
    embedder.shut()
  })

  test('is found by its words at once, and by its meaning in the end', async () => {
    const run = index()
    await untilWords('heron.txt')
    expect([
      await found('heron'),
      await found('heron', 'hybrid'),
      await found('heron', 'vector'),
    ]).toEqual([['heron.txt'], ['heron.txt'], []])
    expect(await pending()).toEqual({ unfound: 0, byWords: 1 })
    expect(await passim.searchWarnings({})).toMatchObject([{ code: 'words_only' }])
    embedder.open()
    expect((await run).totals).toMatchObject({ indexed: 1, replaced: 0, failed: 0 })
    expect(await states()).toEqual([['heron.txt', 'completed', 'all']])
    for (const mode of ['keyword', 'hybrid', 'vector'] as const)
      expect(await found('heron', mode)).toEqual(['heron.txt'])
    expect(await passim.searchWarnings({})).toEqual([])
  })

  test('is told of without advice to start another run, while one works on it', async () => {
    const run = index()
    await untilWords('heron.txt')
    expect(await passim.searchWarnings({})).toMatchObject([
      { code: 'words_only', advice: 'passim jobs shows the progress.' },
    ])
    embedder.open()
    await run
  })

  test('has the same root hash before and after, and is sound at either time', async () => {
    const run = index()
    await untilWords('heron.txt')
    const before = await passim.verify.run()
    embedder.open()
    await run
    const after = await passim.verify.run()
    expect([before.problems, after.problems]).toEqual([[], []])
    expect(after.rootHash).toBe(before.rootHash)
  })

  test('is taken up again where its run stopped, and read no second time', async () => {
    const stopped = new AbortController()
    const run = passim.index([sandbox.path('')], { signal: stopped.signal })
    runs.push(run)
    await untilWords('heron.txt')
    stopped.abort()
    await expect(run).rejects.toThrow()
    expect(await found('heron')).toEqual(['heron.txt'])
    await sandbox.close()
    passim = await sandbox.open()
    expect(await found('heron')).toEqual(['heron.txt'])
    const stages = new Set<string>()
    await passim.index([sandbox.path('')], {
      onEvent: event => event.type === 'progress' && stages.add(event.stage),
    })
    expect(stages).toEqual(new Set(['embed']))
    expect(await states()).toEqual([['heron.txt', 'completed', 'all']])
    expect(await found('heron', 'vector')).toEqual(['heron.txt'])
  })

  test('is gone when it is deleted in between, and stays so', async () => {
    const run = index()
    await untilWords('heron.txt')
    await expect.poll(() => embedder.waiting).toBe(1)
    await passim.delete('heron.txt', { now: true })
    expect(await found('heron')).toEqual([])
    embedder.open()
    await run
    expect([await documents(), await found('heron'), await found('heron', 'vector')]).toEqual([
      [],
      [],
      [],
    ])
    expect(await passim.verify.run()).toMatchObject({ ok: true })
  })

  test('stays as it is found when its job is cancelled', async () => {
    const run = index()
    await untilWords('heron.txt')
    const [job] = await passim.jobs.list(undefined, 1)
    await passim.jobs.cancel(job!.id)
    embedder.open()
    expect((await run).totals).toMatchObject({ failed: 1 })
    expect(await states()).toEqual([['heron.txt', 'cancelled', 'words']])
    expect(await found('heron')).toEqual(['heron.txt'])
  })

  test('goes into a backup as it is found, and on from there', async () => {
    const run = index()
    await untilWords('heron.txt')
    const backup = path.join(sandbox.folder, 'backup')
    await passim.export(backup)
    embedder.open()
    await run
    const home = path.join(sandbox.folder, 'other')
    await importStore(home, backup)
    const other = await sandbox.open({ home })
    expect(await other.list('default')).toMatchObject([
      { status: 'in_progress', searchable: 'words' },
    ])
    await other.background.drainAll({})
    expect(await other.list('default')).toMatchObject([{ status: 'completed', searchable: 'all' }])
    expect((await other.verify.run()).rootHash).toBe((await passim.verify.run()).rootHash)
  })
})

describe('a document that changed', () => {
  beforeEach(async () => {
    await sandbox.write({ 'bird.txt': 'A heron stands in the reeds.' })
    await index()
    embedder.shut()
  })

  test('is found by its new words in place of the old vectors, never by both', async () => {
    await sandbox.write({ 'bird.txt': 'A bustard walks on the steppe.' })
    const run = index()
    await untilWords('bird.txt')
    expect([await found('heron'), await found('bustard'), await found('heron', 'vector')]).toEqual([
      [],
      ['bird.txt'],
      [],
    ])
    embedder.open()
    expect((await run).totals).toMatchObject({ replaced: 1 })
    expect([await found('heron'), await found('bustard', 'vector')]).toEqual([[], ['bird.txt']])
    expect(await passim.verify.run()).toMatchObject({ ok: true })
  })

  test('and changes again in between is found by its latest words', async () => {
    await sandbox.write({ 'bird.txt': 'A bustard walks on the steppe.' })
    const first = index()
    await untilWords('bird.txt')
    await sandbox.write({ 'bird.txt': 'A kingfisher dives.' })
    const second = index()
    await expect.poll(() => found('kingfisher'), { timeout: 20_000 }).toEqual(['bird.txt'])
    expect(await found('bustard')).toEqual([])
    embedder.open()
    await Promise.all([first, second])
    expect(await states()).toEqual([['bird.txt', 'completed', 'all']])
    expect([await found('bustard'), await found('kingfisher', 'vector')]).toEqual([
      [],
      ['bird.txt'],
    ])
  })

  test('keeps its vectors while the same bytes are cut otherwise', async () => {
    const collection = await passim.scope.findCollection('default')
    const { fileId } = (await documents())[0]!
    const again = passim.collections.addFile(collection, fileId, {
      chunking: { tokens: 200, overlap: 0 },
    })
    await again
    passim.background.start(collection)
    await expect.poll(() => embedder.waiting).toBe(1)
    expect(await found('heron', 'vector')).toEqual(['bird.txt'])
    embedder.open()
    await expect.poll(states).toContainEqual(['bird.txt', 'completed', 'all'])
  })
})

describe('behind documents whose vectors take long', () => {
  test('the same bytes in another collection are found by their words', async () => {
    await sandbox.write({ 'heron.txt': 'A heron stands in the reeds. '.repeat(2_000) })
    embedder.shut()
    const run = index()
    await untilWords('heron.txt')
    await expect.poll(() => embedder.waiting).toBeGreaterThan(0)
    const other = passim.index([sandbox.path('heron.txt')], { collection: 'birds' })
    runs.push(other)
    const search = () => passim.search({ query: 'heron', mode: 'keyword', collections: ['birds'] })
    await expect
      .poll(async () => (await search().catch(() => [])).length, { timeout: 20_000 })
      .toBeGreaterThan(0)
    embedder.open()
    await Promise.all([run, other])
    const [heron] = await passim.list('birds')
    expect(heron).toMatchObject({ status: 'completed', searchable: 'all' })
  })

  test('a new one is found by its words', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `${at}.txt`)
    await sandbox.write(
      Object.fromEntries(names.map((name, at) => [name, `Report ${at}. ${'word '.repeat(300)}`])),
    )
    embedder.shut()
    const run = index()
    await expect.poll(pending, { timeout: 30_000 }).toEqual({ unfound: 0, byWords: names.length })
    await sandbox.write({ 'new.txt': 'A heron stands in the reeds.' })
    const second = index('new.txt')
    await expect.poll(() => found('heron'), { timeout: 20_000 }).toEqual(['new.txt'])
    embedder.open()
    await Promise.all([run, second])
    expect(
      (await documents()).every(
        ({ searchable, status }) => searchable === 'all' && status === 'completed',
      ),
    ).toBe(true)
  })
})

class Broken extends HashingEmbedder {
  isBroken = true
  override async embed(...asked: Parameters<HashingEmbedder['embed']>) {
    if (this.isBroken) throw new AppError('model_unavailable', 'The server is down.')
    return await super.embed(...asked)
  }
}

describe('where the model embeds at once', () => {
  /** Whether a document, the next of some, was found by its words before it was done. */
  const wasSearchableFirst = async (name: string) => {
    await sandbox.write({ [name]: `Report ${name} is about ${'a heron '.repeat(3_000)}.` })
    const events = new Set<string>()
    await passim.index([sandbox.path(name)], { onEvent: ({ type }) => events.add(type) })
    return events.has('searchable')
  }
  /** How fast it is shows with the first. On a machine under load another may be late. */
  const untilOnce = async () => {
    for (let at = 1; at < 30; at++) if (!(await wasSearchableFirst(`${at}.txt`))) return
    throw new Error('Each was published twice.')
  }

  test('a document is published once, with its vectors', async () => {
    expect(await wasSearchableFirst('0.txt')).toBe(true)
    await untilOnce()
    expect(
      (await states()).every(
        ([, status, searchable]) => status === 'completed' && searchable === 'all',
      ),
    ).toBe(true)
    expect(await passim.verify.run()).toMatchObject({ ok: true })
  })

  test('and then no more, the next is found by its words', async () => {
    await untilOnce()
    await sandbox.write({ 'new.txt': 'A kingfisher dives.' })
    embedder.shut()
    const run = index('new.txt')
    await untilWords('new.txt')
    expect(await found('kingfisher')).toEqual(['new.txt'])
    embedder.open()
    await run
    expect(await found('kingfisher', 'vector')).toContain('new.txt')
  })

  test('and then fails, the next is found by its words, and the failure is told', async () => {
    await sandbox.close()
    const broken = Object.assign(new Broken(), { isBroken: false })
    passim = await sandbox.open({ embedder: broken })
    await untilOnce()
    broken.isBroken = true
    await sandbox.write({ 'new.txt': 'A kingfisher dives.' })
    await expect(index('new.txt')).rejects.toMatchObject({ code: 'model_unavailable' })
    expect((await states()).at(-1)).toEqual(['new.txt', 'in_progress', 'words'])
  })
})

describe('where the model cannot be had', () => {
  test('every document is found by its words, the failure is told, and the vectors come later', async () => {
    await sandbox.close()
    const broken = new Broken()
    passim = await sandbox.open({ embedder: broken })
    const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
    await sandbox.write(
      Object.fromEntries(names.map((name, at) => [name, `Report ${at} of a heron.`])),
    )
    await expect(passim.index([sandbox.path('')])).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    expect(await states()).toEqual(
      (await documents()).map(({ name }) => [name, 'in_progress', 'words']),
    )
    expect(
      (await passim.search({ query: 'heron', mode: 'keyword', limit: 50 }, 'every')).length,
    ).toBe(12)
    broken.isBroken = false
    expect((await passim.index([sandbox.path('')])).totals).toMatchObject({ failed: 0, chunks: 12 })
    expect((await documents()).every(({ searchable }) => searchable === 'all')).toBe(true)
  })
})

test('vectors that are stored already are published with the words', async () => {
  await sandbox.write({ 'a/heron.txt': 'A heron stands in the reeds.' })
  await index()
  embedder.shut()
  await sandbox.write({ 'b/heron.txt': 'A heron stands in the reeds.' })
  expect((await index()).totals).toMatchObject({ indexed: 1 })
  expect((await documents()).map(({ searchable }) => searchable)).toEqual(['all', 'all'])
})

test("an answer in a file's own words waits for no vectors of it", async () => {
  const text = Array.from(
    { length: 40 },
    (_, at) => `Paragraph ${at} is about ${'other things '.repeat(20)}.`,
  ).join('\n\n')
  await sandbox.write({ 'heron.txt': `The heron is called Maren.\n\n${text}` })
  const { text: answer } = await passim.ask({
    question: 'What is the heron called?',
    files: [sandbox.path('heron.txt')],
  }).result
  expect(answer).toContain('The heron is called Maren.')
  await sandbox.close()
  const { catalog } = await storeIn(sandbox.home)
  expect(await catalog.all('SELECT embedder_id, state FROM versions')).toEqual([
    { embedder_id: '', state: 'published' },
  ])
  expect(await catalog.all('SELECT status FROM documents')).toEqual([{ status: 'completed' }])
  await catalog.close()
})

test('documents that are indexed without vectors are whole', async () => {
  await sandbox.write({ 'heron.txt': 'A heron stands in the reeds.' })
  await passim.index([sandbox.path('')], { withoutVectors: true })
  expect(await states()).toEqual([['heron.txt', 'completed', 'words']])
  expect(await passim.searchWarnings({})).toEqual([])
})

test('what is attached to a mail is found before the vectors of the mail are there', async () => {
  const head =
    'Subject: Lunch\nFrom: Ann <ann@example.com>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n'
  const attached =
    'Content-Type: text/plain\nContent-Disposition: attachment; filename="menu.txt"\n\nA heron pie.'
  await sandbox.write({
    'mail.eml': `${head}--x\nContent-Type: text/plain\n\nSee below.\n--x\n${attached}\n--x--\n`,
  })
  embedder.shut()
  const run = index()
  await untilWords('menu.txt')
  expect(await found('pie')).toEqual(['menu.txt'])
  const jobs = async () => (await passim.jobs.list(undefined, 10)).map(({ id }) => id)
  const before = (await jobs()).toSorted()
  embedder.open()
  await run
  expect(await states()).toEqual([
    ['mail.eml', 'completed', 'all'],
    ['menu.txt', 'completed', 'all'],
  ])
  expect((await jobs()).toSorted()).toEqual(before) // nothing was wanted anew
})

test('a store whose index is gone is rebuilt as it was found', async () => {
  await sandbox.write({ 'heron.txt': 'A heron stands in the reeds.' })
  embedder.shut()
  const stopped = new AbortController()
  const run = passim.index([sandbox.path('')], { signal: stopped.signal })
  runs.push(run)
  await untilWords('heron.txt')
  stopped.abort()
  await Promise.allSettled([run])
  await sandbox.close()
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  passim = await sandbox.open()
  await passim.background.drainAll({})
  expect(await states()).toEqual([['heron.txt', 'completed', 'all']])
  expect([await found('heron'), await found('heron', 'vector')]).toEqual([
    ['heron.txt'],
    ['heron.txt'],
  ])
})
