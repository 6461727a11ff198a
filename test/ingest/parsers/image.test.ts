import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Raster } from '../../../src/ingest/ocr/raster.ts'
import { imageParser } from '../../../src/ingest/parsers/image.ts'
import { OCR, picture } from '../../fixtures/drawn.ts'
import { outline, parseBytes } from '../../fixtures/parsed.ts'

const note = await picture([{ text: 'Meeting moved to Thursday.', x: 20, y: 30, size: 14 }], 240, 60)
const encoder = ({ width, height, pixels }: Raster) => sharp(pixels, { raw: { width, height, channels: 1 } })
const read = (bytes: Buffer, mediaType: string) => parseBytes(imageParser, bytes, { ocr: OCR, mediaType, name: 'note' })

describe('a picture of text is a document', () => {
  test.each([
    ['image/png', () => encoder(note).png().toBuffer()],
    ['image/jpeg', () => encoder(note).jpeg().toBuffer()],
    ['image/webp', () => encoder(note).webp().toBuffer()],
    ['image/gif', () => encoder(note).gif().toBuffer()],
    ['image/tiff', () => encoder(note).tiff({ compression: 'lzw' }).toBuffer()],
    ['image/bmp', () => bitmap(note)],
  ])('%s', async (mediaType, encode) => {
    expect(outline((await read(await encode(), mediaType)).blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  })
  test('a photograph taken sideways is turned as its camera says', async () => {
    const bytes = await encoder(note).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { blocks } = await read(bytes, 'image/jpeg')
    expect(outline(blocks)).toEqual(['paragraph: Meeting moved to Thursday.'])
  })
  test('one that is damaged, or held no text, or is not to be read, is named', async () => {
    const bytes = await encoder(note).png().toBuffer()
    await expect(read(bytes.subarray(0, 200), 'image/png')).rejects.toMatchObject({ code: 'corrupt' })
    await expect(read(bitmap(note).subarray(0, 200), 'image/bmp')).rejects.toMatchObject({ code: 'corrupt' })
    const blank = { ...note, pixels: new Uint8Array(note.pixels.length).fill(255) }
    await expect(read(bitmap(blank), 'image/bmp')).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('note'),
    })
    const off = parseBytes(imageParser, bytes, { ocr: { ...OCR, mode: 'off' } })
    await expect(off).rejects.toMatchObject({ code: 'no_text', message: expect.stringContaining('--ocr auto') })
  })
})

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
      bytes.fill(pixels[(height - 1 - y) * width + x]!, 54 + y * stride + x * 3, 54 + y * stride + x * 3 + 3)
    }
  }
  return bytes
}
