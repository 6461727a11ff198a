import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { PictureBudget } from '../../../../src/ingest/parse/ocr/picture-budget.ts'
import { PictureReader } from '../../../../src/ingest/parse/ocr/picture-reader.ts'
import type { Raster } from '../../../../src/ingest/parse/ocr/raster.ts'
import { imageParser } from '../../../../src/ingest/parse/parsers/image.ts'
import { OCR, picture } from '../../../fixtures/drawn.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

const note = await picture(
  [{ text: 'Meeting moved to Thursday.', x: 20, y: 30, size: 14 }],
  240,
  60,
)
const encoder = ({ width, height, pixels }: Raster) =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
const read = (bytes: Buffer, mediaType: string) =>
  parseBytes(imageParser, bytes, { ocr: OCR, mediaType, name: 'note' })

describe('a picture of text is a document', () => {
  test.each([
    ['image/png', () => encoder(note).png().toBuffer()],
    ['image/jpeg', () => encoder(note).jpeg().toBuffer()],
    ['image/webp', () => encoder(note).webp().toBuffer()],
    ['image/gif', () => encoder(note).gif().toBuffer()],
    ['image/tiff', () => encoder(note).tiff({ compression: 'lzw' }).toBuffer()],
    ['image/bmp', () => bitmap(note)],
  ])('%s', async (mediaType, encode) => {
    expect(outline((await read(await encode(), mediaType)).blocks)).toEqual([
      'paragraph: Meeting moved to Thursday.',
    ])
  })
  test('a photograph taken sideways is turned as its camera says', async () => {
    const bytes = await encoder(note).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { blocks } = await read(bytes, 'image/jpeg')
    expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  })
  test('one that is damaged, or held no text, or is not to be read, is named', async () => {
    const bytes = await encoder(note).png().toBuffer()
    await expect(read(bytes.subarray(0, 200), 'image/png')).rejects.toMatchObject({
      code: 'corrupt',
    })
    await expect(read(bitmap(note).subarray(0, 200), 'image/bmp')).rejects.toMatchObject({
      code: 'corrupt',
    })
    const blank = { ...note, pixels: new Uint8Array(note.pixels.length).fill(255) }
    await expect(read(bitmap(blank), 'image/bmp')).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('note'),
    })
    const off = parseBytes(imageParser, bytes, { ocr: { ...OCR, mode: 'off' } })
    await expect(off).rejects.toMatchObject({
      code: 'no_text',
      advice: expect.stringContaining('--ocr auto'),
    })
  })
})

test('a sample has lines from all over a picture, and all of a picture with few', async () => {
  const lines = Array.from({ length: 30 }, (_, row) => ({
    text: `Row ${row} is longer.`,
    x: 20,
    y: 30 + row * 20,
    size: 12,
  }))
  const sample = (raster: Raster) =>
    parseBytes(imageParser, bitmap(raster), { ocr: OCR, mediaType: 'image/bmp', isSample: true })
  const { blocks, pages } = await sample(await picture(lines, 300, 650))
  const rows = [
    ...outline(blocks)
      .join(' ')
      .matchAll(/Row (\d+)/g),
  ].map(([, row]) => Number(row))
  expect(rows.length).toBeLessThanOrEqual(16)
  expect(rows.length).toBeGreaterThan(12)
  expect(rows[0]).toBeLessThan(4)
  expect(rows.at(-1)).toBeGreaterThan(25)
  expect(pages).toMatchObject([{ isSample: true }])
  const few = await sample(note)
  expect(outline(few.blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  expect(few.pages[0]).not.toHaveProperty('isSample')
})

test('a file that lists a picture on more pages than its bytes can hold is read as far as they go, and says so', async () => {
  const small = await picture([{ text: 'Yes', x: 4, y: 16, size: 12 }], 40, 24)
  const bytes = manyPages(small, 100)
  const pages = Math.ceil(bytes.length / 512)
  const { blocks, warnings } = await read(bytes, 'image/tiff')
  expect(blocks.length).toBeLessThanOrEqual(pages)
  expect(warnings).toContainEqual({
    code: 'too_large',
    message: expect.stringContaining(`first ${pages} of its 100 pages`),
  })
})

test('pages after the time for the pictures of a file are named', async () => {
  const { blocks, warnings } = await parseBytes(imageParser, manyPages(note, 3), {
    ocr: { ...OCR, pageTimeMs: 1 },
    mediaType: 'image/tiff',
  })
  expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  expect(warnings).toContainEqual({
    code: 'too_large',
    message: expect.stringContaining('first 1 of its 3 pages'),
    advice: expect.stringContaining('ocr.pageTimeMs'),
  })
})

test('a picture that several pages repeat is read once', async () => {
  const reader = new PictureReader(new PictureBudget({ path: '.' }, 'picture'))
  const first = await reader.read(note)
  expect(await reader.read({ ...note, pixels: new Uint8Array(note.pixels) })).toBe(first)
  expect(await reader.read({ ...note, pixels: note.pixels.toReversed() })).not.toBe(first)
  await reader.close()
})

/** A TIFF whose directories all show the same strip. */
function manyPages({ width, height, pixels }: Raster, pages: number): Buffer {
  const strip = deflateSync(pixels)
  const tags = [256, 257, 258, 259, 262, 273, 277, 278, 279]
  const values = [width, height, 8, 8, 1, 8, 1, height, strip.length]
  const size = 2 + 12 * tags.length + 4
  const start = 8 + strip.length
  const bytes = Buffer.alloc(start + pages * size)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(start, 4)
  strip.copy(bytes, 8)
  for (let page = 0; page < pages; page++) {
    const at = start + page * size
    bytes.writeUInt16LE(tags.length, at)
    for (const [nth, tag] of tags.entries()) {
      bytes.writeUInt16LE(tag, at + 2 + nth * 12)
      bytes.writeUInt16LE(4, at + 4 + nth * 12) // a number of 32 bits
      bytes.writeUInt32LE(1, at + 6 + nth * 12)
      bytes.writeUInt32LE(values[nth]!, at + 10 + nth * 12)
    }
    bytes.writeUInt32LE(page === pages - 1 ? 0 : at + size, at + size - 4)
  }
  return bytes
}

/** A Windows bitmap of 24 bits, from the bottom up, as most are. */
function bitmap({ width, height, pixels }: Raster): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + stride * height)
  bytes.write('BM')
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      bytes.fill(
        pixels[(height - 1 - y) * width + x]!,
        54 + y * stride + x * 3,
        54 + y * stride + x * 3 + 3,
      )
    }
  }
  return bytes
}
