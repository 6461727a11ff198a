import { describe, expect, test } from 'vitest'
import { ZipArchive } from '../../../../src/ingest/parse/detection/zip.ts'
import { withFile } from '../../../fixtures/parsed.ts'
import { zip } from '../../../fixtures/zip.ts'

const MEGABYTE = 1024 * 1024

function opened<Result>(
  bytes: Buffer,
  work: (archive: ZipArchive) => Promise<Result>,
): Promise<Result> {
  return withFile(bytes, 'a.zip', async filePath => {
    const archive = await ZipArchive.open(filePath, 'a.zip')
    try {
      return await work(archive)
    } finally {
      archive.close()
    }
  })
}

const refuse = (bytes: Buffer) => opened(bytes, async archive => archive.refuseBombs())

describe('a zip archive', () => {
  test('is read entry by entry', async () => {
    const read = await opened(zip({ 'a/b.txt': 'hello' }), archive => archive.read('a/b.txt'))
    expect(read?.toString()).toBe('hello')
  })
  test('has no entry that it has not', async () => {
    expect(await opened(zip({ a: 'x' }), archive => archive.read('b'))).toBeUndefined()
  })
  test('that was cut off is corrupt', async () => {
    await expect(refuse(zip({ a: 'x'.repeat(99) }).subarray(0, 60))).rejects.toMatchObject({
      ...{
        code: 'corrupt',
        message: 'Cannot read a.zip: it is damaged or cut off. Add a complete copy of it.',
      },
    })
  })
  test('may have other bytes behind it', async () => {
    for (const tail of ['\n', '<html>'.repeat(20_000), 'PK\x05\x06 and other text behind it']) {
      const bytes = Buffer.concat([zip({ a: 'hello', b: 'x'.repeat(99_999) }), Buffer.from(tail)])
      const read = await opened(bytes, async archive => [
        await archive.read('a'),
        await archive.read('b'),
      ])
      expect(read.map(String)).toEqual(['hello', 'x'.repeat(99_999)])
    }
  })
  test('counts the bytes of an entry once, however often it is read', async () => {
    let counted = 0
    await withFile(zip({ a: 'x'.repeat(1_000), b: 'y' }), 'a.zip', async filePath => {
      const archive = await ZipArchive.open(filePath, 'a.zip', bytes => (counted += bytes))
      for (let nth = 0; nth < 3; nth++) await archive.read('a')
      archive.close()
    })
    expect(counted).toBe(1_000)
  })
  test('of usual size is let through', () => refuse(zip({ a: Buffer.alloc(5 * MEGABYTE) })))
  test('that inflates beyond measure is too large', async () => {
    await expect(refuse(zip({ a: Buffer.alloc(40 * MEGABYTE) }))).rejects.toMatchObject({
      code: 'too_large',
    })
  })
  test('that promises half a gigabyte is too large', async () => {
    await expect(refuse(zip({ a: 'x' }, { claimedBytes: 600 * MEGABYTE }))).rejects.toMatchObject({
      code: 'too_large',
    })
  })
  test('with more than it promises is found out while inflating', async () => {
    const lying = zip({ a: Buffer.alloc(MEGABYTE) }, { claimedBytes: 10 })
    await expect(opened(lying, archive => archive.verify())).rejects.toMatchObject({
      code: 'corrupt',
    })
  })
  test('with too many entries is too large', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`e${index}`, '']))
    await expect(refuse(zip(many))).rejects.toMatchObject({ code: 'too_large' })
  })
})
