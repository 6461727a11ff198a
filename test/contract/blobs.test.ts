import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Blobs, type ByteRange, requireConditionalPuts } from '../../src/ingest/store/blobs.ts'
import { FolderBlobs } from '../fakes/folder-blobs.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { chooseAdapters } from '../suites.ts'

type Opened = { readonly blobs: Blobs; remove(): Promise<void> }

async function openFolder(): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-blobs-'))
  return { blobs: new FolderBlobs(folder), remove: () => rm(folder, { recursive: true }) }
}

async function openS3(): Promise<Opened> {
  const bucket = new TestBucket(s3Place!)
  await bucket.make()
  return { blobs: bucket.blobs, remove: () => bucket.remove() }
}

const ADAPTERS = [
  ['a folder', openFolder, true],
  [`an S3 bucket (${NEEDS_S3})`, openS3, s3Place !== undefined],
] as const

describe.each(chooseAdapters(ADAPTERS, ([, , isThere]) => isThere))(
  'blobs in %s',
  (_name, open, isThere) => {
    let opened: Opened
    let blobs: Blobs
    const there = test.skipIf(!isThere)
    beforeEach(async () => {
      if (!isThere) return
      opened = await open()
      blobs = opened.blobs
    })
    afterEach(() => opened?.remove())

    const read = async (key: string, range?: ByteRange) => {
      const bytes = await blobs.get(key, { range })
      return bytes && (await buffer(bytes)).toString()
    }
    const keys = async (prefix: string) => {
      const found: string[] = []
      for await (const { key } of blobs.list(prefix)) found.push(key)
      return found
    }

    there('what was put first stays', async () => {
      expect(await blobs.put('a/one', Buffer.from('first'))).toBe(true)
      expect(await blobs.put('a/one', Buffer.from('second'))).toBe(false)
      expect(await read('a/one')).toBe('first')
      await requireConditionalPuts(blobs, 'probe')
      expect(await keys('')).toEqual(['a/one'])
    })
    there('of many that are put at once one is first', async () => {
      const writers = Array.from({ length: 16 }, (_, at) => String(at))
      const done = await Promise.all(writers.map(writer => blobs.put('a', Buffer.from(writer))))
      expect(done.filter(Boolean)).toHaveLength(1)
      expect(await read('a')).toBe(writers[done.indexOf(true)])
    })
    there('a file is put as its bytes are, an empty one too', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'passim-put-'))
      const large = Buffer.alloc(9 * 2 ** 20, 'abcdefg')
      await writeFile(path.join(folder, 'large'), large)
      await writeFile(path.join(folder, 'empty'), '')
      await blobs.put('large', path.join(folder, 'large'))
      await blobs.put('empty', path.join(folder, 'empty'))
      expect((await buffer((await blobs.get('large'))!)).equals(large)).toBe(true)
      expect(await read('empty')).toBe('')
      await expect(blobs.put('none', path.join(folder, 'none'))).rejects.toMatchObject({
        code: 'ENOENT',
      })
      expect(await keys('none')).toEqual([])
      await rm(folder, { recursive: true })
    })
    there('a range is read by itself', async () => {
      await blobs.put('a', Buffer.from('0123456789'))
      expect(await read('a', { start: 2, end: 5 })).toBe('234')
      expect(await read('a', { start: 7 })).toBe('789')
      expect(await read('a', { start: 8, end: 99 })).toBe('89')
      expect([await read('a', { start: 3, end: 3 }), await read('a', { start: 10 })]).toEqual([
        '',
        '',
      ])
    })
    there('what is not there is not found, and is removed without complaint', async () => {
      await blobs.put('a/1', Buffer.from('x'))
      expect([await read('b'), await read('a')]).toEqual([undefined, undefined])
      await blobs.remove(['b', 'a/1', 'a/1'])
      expect([await read('a/1'), await keys('')]).toEqual([undefined, []])
      expect(await blobs.put('a/1', Buffer.from('again'))).toBe(true)
    })
    there('a list has all keys with the prefix, in their order, with their sizes', async () => {
      const names = ['a/0', 'a/ä & 二+ <b>', 'a/b/c', 'b/0']
      for (const name of names) await blobs.put(name, Buffer.from(name))
      expect((await keys('a/')).toSorted()).toEqual(names.slice(0, 3).toSorted())
      for await (const { key, sizeBytes } of blobs.list(''))
        expect(sizeBytes).toBe(Buffer.byteLength(key))
      for (const name of names) expect(await read(name)).toBe(name)
    })
    there('more than one page of keys is listed', async () => {
      const names = Array.from({ length: 1_050 }, (_, at) => `many/${String(at).padStart(4, '0')}`)
      for (let at = 0; at < names.length; at += 50)
        await Promise.all(names.slice(at, at + 50).map(name => blobs.put(name, Buffer.from('x'))))
      expect(await keys('many/')).toEqual(names)
    })
    there('what is given up is not waited for', async () => {
      const signal = AbortSignal.abort(new Error('given up'))
      await blobs.put('a', Buffer.from('x'))
      const reading = async () => await buffer((await blobs.get('a', { signal }))!)
      await expect(reading()).rejects.toThrow(/given up|aborted/)
    })
  },
)

describe('a place that lets the last one win', () => {
  test('is refused by name', async () => {
    const { blobs, remove } = await openFolder()
    const careless: Blobs = {
      name: 'The careless store',
      put: async (key, from) => {
        await blobs.remove([key])
        return await blobs.put(key, from)
      },
      get: (key, options) => blobs.get(key, options),
      list: prefix => blobs.list(prefix),
      remove: some => blobs.remove(some),
    }
    const message = expect.stringMatching(/The careless store .*If-None-Match/)
    await expect(requireConditionalPuts(careless, 'probe')).rejects.toMatchObject({
      code: 'store_mismatch',
      message,
    })
    await remove()
  })
})
