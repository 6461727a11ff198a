import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { CompoundFile } from '../../../../src/ingest/parse/detection/ole2.ts'
import { ole2 } from '../../../fixtures/ole2.ts'
import { withFile } from '../../../fixtures/parsed.ts'

const LARGE = Buffer.from('large '.repeat(2_000))
const SAMPLE = ole2({
  Small: Buffer.from('small'),
  Large: LARGE,
  Folder: { Inner: Buffer.from('inner') },
})

function readAll(bytes: Uint8Array): Promise<Record<string, string>> {
  return withFile(bytes, 'a', async path => {
    const file = await CompoundFile.open(path, 'a.doc')
    try {
      const texts: Record<string, string> = {}
      const waiting = [file.root]
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        for (const entry of next.entries.values()) {
          if (entry.isStorage) waiting.push(entry)
          else texts[entry.name] = (await file.read(entry)).toString()
        }
      }
      return texts
    } finally {
      await file.close()
    }
  })
}

function damage(...changes: readonly (readonly [offset: number, value: number])[]): Buffer {
  const bytes = Buffer.from(SAMPLE)
  for (const [offset, value] of changes) bytes.writeUInt32LE(value, offset)
  return bytes
}

test('streams are read from large and small sectors, at the top and in storages', async () => {
  expect(await readAll(SAMPLE)).toEqual({ Small: 'small', Large: LARGE.toString(), Inner: 'inner' })
})

describe('a damaged file ends with an error that says so', () => {
  const checkDamaged = (bytes: Uint8Array) =>
    expect(readAll(bytes)).rejects.toMatchObject({ code: 'corrupt' })
  const tableAt = SAMPLE.readUInt32LE(0x4c) * 512 + 512
  const directoryAt = SAMPLE.readUInt32LE(0x30) * 512 + 512

  test('cut off', () => checkDamaged(SAMPLE.subarray(0, 3_000)))
  test('of a header only', () => checkDamaged(SAMPLE.subarray(0, 512)))
  test('with a stream that has no end', () =>
    checkDamaged(damage([directoryAt + 2 * 128 + 120, 0x7fff_ffff])))
  test('with a stream longer than its chain', () =>
    checkDamaged(damage([directoryAt + 2 * 128 + 120, SAMPLE.length])))
  test('with a chain that leads out of it', () => checkDamaged(damage([tableAt, 0x00ff_ffff])))
})

test('a chain in a circle ends', async () => {
  const tableAt = SAMPLE.readUInt32LE(0x4c) * 512 + 512
  await expect(readAll(damage([tableAt + 4, 0]))).resolves.toHaveProperty('Large')
})

test('whatever bytes change, it ends with its text or an error of its own', async () => {
  const change = fc.tuple(fc.nat(SAMPLE.length - 5), fc.integer({ min: 0, max: 0xffff_ffff }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async changes => {
      const outcome = await readAll(damage(...changes)).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
      else expect(Object.values(outcome as object).join('').length).toBeLessThan(SAMPLE.length * 5)
    }),
    { numRuns: 150 },
  )
})
