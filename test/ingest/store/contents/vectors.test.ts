import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoredVectors } from '../../../../src/ingest/store/contents/vectors.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-stored-'))
})
afterEach(() => rm(folder, { recursive: true }))

const vectors = () => new StoredVectors(path.join(folder, 'v.f32'), 2, 'doc_1')
const vector = (number: number) => Float32Array.from([number, -number])

async function read(total: number): Promise<readonly (readonly number[])[]> {
  const chunks: number[][] = []
  for await (const own of vectors().readVectors(total)) chunks.push(own.map(([first]) => first!))
  return chunks
}

test('one vector a chunk is told from those of windows, and another number of chunks from both', async () => {
  const stored = vectors()
  await stored.append(0, [[vector(1)], [vector(2)]])
  await stored.finish(2, false)
  expect([
    stored.hasVectors(2),
    stored.hasVectors(2, false),
    stored.hasVectors(2, true),
    stored.hasVectors(1),
  ]).toEqual([true, true, false, false])
  expect(await read(2)).toEqual([[1], [2]])
  await stored.append(0, [[vector(1)], [vector(2)]])
  await stored.finish(2, true)
  expect([
    stored.hasVectors(2),
    stored.hasVectors(2, false),
    stored.hasVectors(2, true),
    stored.hasVectors(1),
  ]).toEqual([true, true, true, false])
  expect(await read(2)).toEqual([[1], [2]])
})
test('windows go on where a run was stopped, with what it had begun written once', async () => {
  await vectors().append(0, [[vector(1), vector(2)], [vector(3)]])
  await vectors().append(2, [[vector(4), vector(5), vector(6)]])
  const again = vectors()
  expect(await again.count()).toBe(3)
  await again.append(2, [[vector(4), vector(5), vector(6)]]) // as if its vectors had come and their number had not
  await again.append(3, [[vector(7)], [vector(8), vector(9)]])
  await again.finish(5, true)
  expect(again.hasVectors(5, true)).toBe(true)
  expect(await read(5)).toEqual([[1, 2], [3], [4, 5, 6], [7], [8, 9]])
  expect(await readdir(folder)).toEqual(['v.f32'])
})
test('windows of chunks that were taken for short ones are kept', async () => {
  const stored = vectors()
  await stored.append(0, [[vector(1)], [vector(2), vector(3)]])
  await stored.finish(2, false)
  expect(stored.hasVectors(2, false)).toBe(true)
  expect(await read(2)).toEqual([[1], [2, 3]])
})
test('a run that was stopped while windows were put together does so again', async () => {
  await vectors().append(0, [[vector(1), vector(2)]])
  await vectors().append(1, [[vector(3), vector(4)]])
  const again = vectors()
  await again.finish(2, true)
  expect(await read(2)).toEqual([
    [1, 2],
    [3, 4],
  ])
})
