import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Copies } from '../../../../src/ingest/store/contents/copies.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-copies-'))
  await mkdir(path.join(folder, 'trash'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Contents of 100 bytes each, the first used longest ago. */
async function make(...names: readonly string[]) {
  for (const [age, name] of names.entries()) {
    const copy = path.join(folder, 'content', name)
    await mkdir(copy, { recursive: true })
    await writeFile(path.join(copy, 'original'), Buffer.alloc(100))
    const used = new Date(Date.now() - (names.length - age) * 60 * 60_000)
    for (const one of [path.join(copy, 'original'), copy]) await utimes(one, used, used)
  }
}

const left = async () => (await readdir(path.join(folder, 'content'))).toSorted()

function copies(maxBytes: number, isElsewhere = async (_: string) => true) {
  let count = 0
  const list = async () =>
    (await left()).map(sha256 => ({ sha256, folder: path.join(folder, 'content', sha256) }))
  return new Copies({
    maxBytes,
    list,
    isElsewhere,
    trash: () => path.join(folder, 'trash', String(count++)),
  })
}

test('those that were used longest ago make room, down to nine tenths of the bound', async () => {
  await make('a', 'b', 'c', 'd', 'e')
  await copies(350).grow(1)
  expect(await left()).toEqual(['c', 'd', 'e'])
  expect(await readdir(path.join(folder, 'trash'))).toEqual([])
})

test('what lies nowhere else stays, and so does what was used just now', async () => {
  await make('a', 'b', 'c')
  await copies(100, async sha256 => sha256 !== 'a').grow(1)
  expect(await left()).toEqual(['a'])
  await writeFile(path.join(folder, 'content', 'a', 'vectors'), 'x')
  await copies(10).grow(1)
  expect(await left()).toEqual(['a'])
})

test('it is looked at when a twentieth of the bound has come, and with the first', async () => {
  const kept = copies(200)
  await make('a', 'b')
  await kept.grow(0)
  expect(await left()).toEqual(['a', 'b'])
  await make('a', 'b', 'c')
  await kept.grow(9)
  expect(await left()).toEqual(['a', 'b', 'c'])
  await kept.grow(1)
  expect(await left()).toEqual(['c'])
})
