import { renameSync, rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WatchOptions, WatchResult } from '../../src/app/indexing/watching.ts'
import type { Passim } from '../../src/app/passim.ts'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { Sandbox } from '../fakes/store.ts'

/** Nothing but a change that was seen wakes it within these tests. */
const NEVER_MS = 2 ** 30

let sandbox: Sandbox
let passim: Passim
let folder: string
let results: AsyncGenerator<WatchResult>
let stop: AbortController
let tests = 0

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
})
beforeEach(async () => {
  await sandbox.write({
    [`${++tests}/fox.txt`]: 'The quick brown fox.',
    [`${tests}/dog.txt`]: 'The lazy dog.',
  })
  folder = sandbox.path(String(tests))
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await results.return(undefined)
})
afterAll(() => sandbox.remove())

function watch(paths: readonly string[] = [folder], options: WatchOptions = {}): void {
  const rest = {
    collection: `watched ${tests}`,
    withoutVectors: true,
    settleMs: 20,
    compareMs: NEVER_MS,
  }
  results = passim.watch(paths, { ...rest, signal: stop.signal, ...options })
}

const statuses = ({ documents }: IndexResult) =>
  Object.fromEntries(documents.map(({ source, status }) => [path.relative(folder, source), status]))

async function next(): Promise<ReturnType<typeof statuses>> {
  const { value } = await results.next()
  if (!value || 'error' in value) throw new Error(`no result: ${JSON.stringify(value)}`)
  return statuses(value)
}

/** Runs go on until all of this has been told; a slow disk may tell it in several. */
async function until(expected: Readonly<Record<string, string>>): Promise<void> {
  const seen: Record<string, string> = {}
  while (Object.entries(expected).some(([source, status]) => seen[source] !== status)) {
    Object.assign(seen, await next())
  }
}

/** A file that is there at once, as a whole. */
async function put(file: string, text: string): Promise<void> {
  const whole = path.join(sandbox.folder, 'whole')
  await writeFile(whole, text)
  await rename(whole, file)
}

test('what is there is indexed at once, and what changes when it changes; nothing else is looked at', async () => {
  watch()
  expect(await next()).toEqual({ 'dog.txt': 'indexed', 'fox.txt': 'indexed' })
  await put(path.join(folder, 'fox.txt'), 'A red squirrel.')
  expect(await next()).toEqual({ 'fox.txt': 'replaced' })
  await rm(path.join(folder, 'dog.txt'))
  await until({ 'dog.txt': 'removed' })
})
test('folders that come, move and go are followed', async () => {
  watch()
  await next()
  await mkdir(path.join(folder, 'new/deep'), { recursive: true })
  await put(path.join(folder, 'new/deep/owl.txt'), 'An owl.')
  await until({ 'new/deep/owl.txt': 'indexed' })
  await rename(path.join(folder, 'new'), path.join(folder, 'old'))
  await until({ 'old/deep/owl.txt': 'moved' })
  await rm(path.join(folder, 'old'), { recursive: true })
  await until({ 'old/deep/owl.txt': 'removed' })
})
test('several paths are watched, and a file by itself', async () => {
  const other = path.dirname(await sandbox.write({ [`other ${tests}/a.txt`]: 'A.' }))
  const file = path.join(other, 'docs', `other ${tests}`, 'a.txt')
  watch([path.join(folder, 'fox.txt'), file])
  await next()
  await put(path.join(folder, 'dog.txt'), 'Not watched.')
  await put(file, 'B.')
  await until({ [path.relative(folder, file)]: 'replaced' })
})
test('a file that cannot be read is a failure, and the watch goes on', async () => {
  watch()
  await next()
  await put(path.join(folder, 'fox.txt'), '')
  await until({ 'fox.txt': 'failed' })
  await put(path.join(folder, 'fox.txt'), 'A fox again.')
  await until({ 'fox.txt': 'indexed' })
})
test('a folder that goes away loses nothing, and is watched again when it is back', async () => {
  watch()
  await next()
  await rename(folder, `${folder} away`)
  await until({ '': 'failed' })
  await rename(`${folder} away`, folder)
  await put(path.join(folder, 'owl.txt'), 'An owl.')
  await until({ 'dog.txt': 'unchanged', 'fox.txt': 'unchanged', 'owl.txt': 'indexed' })
})
test('a folder that is replaced by another of its name is followed too', async () => {
  const inner = path.join(folder, 'inner')
  await sandbox.write({ [`${tests}/inner/deep/a.txt`]: 'An owl.' })
  watch()
  await next()
  await sandbox.write({ [`other ${tests}/deep/b.txt`]: 'A heron.' })
  rmSync(inner, { recursive: true })
  renameSync(sandbox.path(`other ${tests}`), inner)
  await until({ 'inner/deep/b.txt': 'indexed', 'inner/deep/a.txt': 'removed' })
  await put(path.join(inner, 'deep/c.txt'), 'A crane.')
  await until({ 'inner/deep/c.txt': 'indexed' })
})
test('everything is compared from time to time, whatever was seen', async () => {
  watch([folder], { compareMs: 20 })
  await next()
  expect(await next()).toEqual({ 'dog.txt': 'unchanged', 'fox.txt': 'unchanged' })
})
test('an abort ends it', async () => {
  watch()
  await next()
  const ended = results.next()
  stop.abort()
  expect(await ended).toMatchObject({ done: true })
})
