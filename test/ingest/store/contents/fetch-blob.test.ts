import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Blobs, GetOptions } from '../../../../src/ingest/store/blobs.ts'
import { fetchBlob } from '../../../../src/ingest/store/contents/fetch-blob.ts'

const BYTES = Buffer.from('0123456789')
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-fetch-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A place whose connections break after so many bytes each; tells from where it was asked. */
function breaking(...lengths: readonly number[]) {
  const asked: number[] = []
  const get = async (_: string, { range: { start } = { start: 0 } }: GetOptions = {}) => {
    const length = lengths[asked.length] ?? 0
    asked.push(start)
    return Readable.from(
      (async function* () {
        if (length > 0) yield BYTES.subarray(start, start + length)
        if (start + length < BYTES.length)
          throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
      })(),
    )
  }
  const blobs: Pick<Blobs, 'name' | 'get'> = { name: 'The store', get }
  return { blobs: blobs as Blobs, asked } // no more of it is used
}

test('a connection that breaks is taken up where it broke', async () => {
  const { blobs, asked } = breaking(4, 0, 3, 3)
  await fetchBlob(blobs, { key: 'a', sizeBytes: 10 }, path.join(folder, 'a'))
  expect(await readFile(path.join(folder, 'a'), 'utf8')).toBe('0123456789')
  expect(asked).toEqual([0, 4, 4, 7])
})

test('one that brings nothing again and again is given up, with its reason', async () => {
  const { blobs, asked } = breaking(4)
  await expect(
    fetchBlob(blobs, { key: 'a', sizeBytes: 10 }, path.join(folder, 'a')),
  ).rejects.toThrow('aborted')
  expect(asked).toEqual([0, 4, 4, 4, 4])
})
