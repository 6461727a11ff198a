import type { Raster } from './raster.ts'

const UNCOMPRESSED = 0
const BIT_FIELDS = 3

/** A Windows bitmap of 1 to 32 bits a pixel, uncompressed, in grey; undefined when it is of another kind or cut off. */
export function readBitmapFile(bytes: Buffer): Raster | undefined {
  if (bytes.length < 54) return undefined
  const headerSize = bytes.readUInt32LE(14)
  const [width, rows] = [bytes.readInt32LE(18), bytes.readInt32LE(22)]
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)]
  const height = Math.abs(rows)
  const stride = Math.ceil((width * bits) / 32) * 4
  const start = bytes.readUInt32LE(10)
  const isPlain = compression === UNCOMPRESSED || (compression === BIT_FIELDS && bits === 32)
  if (!isPlain || ![1, 4, 8, 24, 32].includes(bits) || width <= 0 || start + stride * height > bytes.length)
    return undefined
  const palette = 14 + headerSize
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = start + stride * (rows > 0 ? height - 1 - y : y) // usually from the bottom up
    for (let x = 0; x < width; x++) {
      const at = bits >= 24 ? row + x * (bits / 8) : palette + 4 * indexAt(bytes, row, x, bits)
      pixels[y * width + x] = 0.114 * bytes[at]! + 0.587 * bytes[at + 1]! + 0.299 * bytes[at + 2]! // Rec. 601 luma
    }
  }
  return { width, height, pixels }
}

function indexAt(bytes: Buffer, row: number, x: number, bits: number): number {
  const perByte = 8 / bits
  const shift = 8 - bits * ((x % perByte) + 1)
  return (bytes[row + Math.floor(x / perByte)]! >> shift) & (2 ** bits - 1)
}
