import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
  const passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'fox.txt': 'The quick brown fox.' })])
  await passim.close()
})
afterEach(() => sandbox.remove())

const kinds = async (passim: Passim) =>
  (await passim.verify.run()).problems.map(problem => problem.kind)
const found = async (passim: Passim) =>
  (await passim.search({ query: 'quick', mode: 'keyword' })).map(hit => hit.name)

/** A file of the one stored content, by the beginning of its path. */
async function stored(beginning: string): Promise<string> {
  const content = path.join(sandbox.home, 'content')
  const names = await readdir(content, { recursive: true })
  return path.join(
    content,
    names.find(name => name.split('/').slice(2).join('/').startsWith(beginning)) ?? '',
  )
}

test('a lost index is told, and built again from what is stored', async () => {
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  const passim = await sandbox.open()
  const problem = { kind: 'index', message: 'The index has 0 of 1 chunks of fox.txt.' }
  await expect(found(passim)).rejects.toMatchObject({
    code: 'store_mismatch',
    message: expect.stringMatching(/^The index of default is missing/),
    advice: expect.stringContaining('verify --repair'),
  })
  expect((await passim.verify.run()).problems).toMatchObject([problem])
  expect(await passim.verify.repair()).toMatchObject({ ok: true, repaired: [problem] })
  expect(await found(passim)).toEqual(['fox.txt'])
})
test.each([
  ['its rows cut off', /data.+lance$/, (file: string) => truncate(file, 100)],
  ['its rows gone', /data.+lance$/, (file: string) => rm(file)],
  [
    'its rows overwritten',
    /data.+lance$/,
    async (file: string) => writeFile(file, (await readFile(file)).fill(0xaa)),
  ],
  ['its words gone', /_indices.+lance$/, (file: string) => rm(file)],
  ['no list of its files', /manifest$/, (file: string) => rm(file)],
  [
    'lists of its files that are zeros',
    /manifest$/,
    async (file: string) => writeFile(file, (await readFile(file)).fill(0)),
  ],
])(
  'an index with %s is told, and built again from what is stored',
  async (_name, meant, damage) => {
    const index = path.join(sandbox.home, 'index')
    const names = await readdir(index, { recursive: true })
    for (const name of names.filter(name => meant.test(name))) await damage(path.join(index, name))
    const passim = await sandbox.open()
    const told = {
      code: 'store_mismatch',
      message: expect.stringMatching(/^The index of /),
      advice: expect.stringContaining('verify --repair'),
    }
    for (const mode of ['keyword', 'hybrid'] as const)
      await expect(passim.search({ query: 'quick', mode })).rejects.toMatchObject(told)
    await expect(
      passim.index([await sandbox.write({ 'owl.txt': 'An owl.' })], { keep: true }),
    ).rejects.toMatchObject(told)
    const [problem, ...others] = (await passim.verify.run()).problems
    expect([problem?.kind, others]).toEqual(['index', []])
    expect(problem?.message).toContain('The index of default cannot be read: ')
    expect(await passim.verify.repair()).toMatchObject({ ok: true, repaired: [problem] })
    expect(await found(passim)).toEqual(['fox.txt'])
  },
)
test('a table of a collection that is gone is told, and dropped by repair and by the next run', async () => {
  const passim = await sandbox.open()
  const index = path.join(sandbox.home, 'index')
  const [table] = await readdir(index)
  const leave = () =>
    cp(path.join(index, table!), path.join(index, table!.replace(/^[^.]+/, 'vs_gone')), {
      recursive: true,
    })
  await leave() // as a kill does between the catalog and the index
  expect(await kinds(passim)).toEqual(['index'])
  expect(await passim.verify.repair()).toMatchObject({ ok: true, repaired: [{ kind: 'index' }] })
  await leave()
  await passim.index([await sandbox.write({ 'new.txt': 'An owl.' })])
  expect(await kinds(passim)).toEqual([])
})
test('vectors, and text and chunks, without their end are told, and made again', async () => {
  const passim = await sandbox.open()
  for (const [beginning, message] of [
    ['vectors-', 'The vectors of fox.txt are missing or cut off.'],
    ['parsed-', 'The parsed text of fox.txt is missing or damaged.'],
  ] as const) {
    await truncate(await stored(beginning), 9)
    expect((await passim.verify.run()).problems).toMatchObject([{ kind: 'derived', message }])
    expect(await passim.verify.repair()).toMatchObject({ ok: true })
  }
})
test('vectors whose bytes changed are told, and they alone are made again', async () => {
  const file = await stored('vectors-')
  await writeFile(file, (await readFile(file)).fill(0x41, 40, 48))
  const parsed = await stat(await stored('parsed-'))
  const passim = await sandbox.open()
  const problem = { kind: 'derived', message: 'The vectors of fox.txt are damaged.' }
  expect((await passim.verify.run()).problems).toMatchObject([problem])
  expect(await passim.verify.repair()).toMatchObject({ ok: true, repaired: [problem] })
  expect(await stat(await stored('parsed-'))).toMatchObject({
    ino: parsed.ino,
    mtimeMs: parsed.mtimeMs,
  })
})
test('damaged parsed text is told, and derived again from the bytes', async () => {
  const passim = await sandbox.open()
  const file = await stored('parsed-')
  const bytes = await readFile(file)
  const at = bytes.indexOf(Buffer.from('quick', 'utf16le'))
  expect(at).toBeGreaterThan(0)
  await writeFile(file, bytes.fill(0, at, at + 4))
  expect(await kinds(passim)).toEqual(['derived'])
  expect(await passim.verify.repair()).toMatchObject({ ok: true })
  expect((await passim.search({ query: 'quick', mode: 'keyword' }))[0]?.text).toBe(
    'The quick brown fox.',
  )
})
test.each([
  ['gone', (file: string) => rm(file)],
  ['cut off', (file: string) => truncate(file, 3)],
  ['overwritten', (file: string) => writeFile(file, 'The quick brown fix.')],
])(
  'bytes that are %s are told, and taken by repair from a source that still holds them',
  async (_name, damage) => {
    await damage(await stored('original'))
    await rm(await stored('vectors-')) // seen once the bytes are whole
    const passim = await sandbox.open()
    expect(await kinds(passim)).toEqual(['content'])
    const { ok, repaired } = await passim.verify.repair()
    expect([ok, repaired.map(problem => problem.kind)]).toEqual([true, ['content', 'derived']])
  },
)
test.each([
  ['gone', (file: string) => rm(file), {}],
  ['cut off', (file: string) => truncate(file, 3), {}],
  ['overwritten', (file: string) => writeFile(file, 'The quick brown fix.'), { force: true }],
])('bytes that are %s are taken in again by the next run', async (_name, damage, options) => {
  const passim = await sandbox.open()
  await damage(await stored('original'))
  expect((await passim.index([sandbox.path('')], { ...options, dryRun: true })).totals.failed).toBe(
    0,
  )
  expect(await kinds(passim)).toEqual(['content'])
  await passim.index([sandbox.path('')], options)
  expect(await kinds(passim)).toEqual([])
})
test('damaged bytes that are nowhere else are told, and what was read from them stays searchable', async () => {
  const passim = await sandbox.open()
  await sandbox.write({ 'fox.txt': 'Another fox.' })
  await writeFile(await stored('original'), 'something else')
  expect(await kinds(passim)).toEqual(['content'])
  expect(await passim.verify.repair()).toMatchObject({
    ok: false,
    problems: [{ kind: 'content' }],
    repaired: [],
  })
  expect(await found(passim)).toEqual(['fox.txt'])
})
test('the root hash depends on content and settings, not on when and where', async () => {
  const other = await Sandbox.make()
  const here = await sandbox.open()
  const there = await other.open()
  await there.index([await other.write({ 'fox.txt': 'The quick brown fox.' })])
  expect((await there.verify.run()).rootHash).toBe((await here.verify.run()).rootHash)
  await other.write({ 'fox.txt': 'Another fox.' })
  await there.index([other.path('')])
  expect((await there.verify.run()).rootHash).not.toBe((await here.verify.run()).rootHash)
  await other.remove()
})
