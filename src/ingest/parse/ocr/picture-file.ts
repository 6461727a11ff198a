import { readFile, stat } from 'node:fs/promises'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { createDamagedError } from '../parser.ts'
import { type Raster, resizeRaster } from './raster.ts'
import { loadSharp } from './sharp.ts'

/** Protects memory. */
const MAX_PIXELS = 200_000_000
const MAX_SIDE = 4000
const MAX_BITMAP_BYTES = 256 * 1024 * 1024

type PictureFile = { readonly pages: number; draw(page: number): Promise<Picture> }

type Picture = {
  readonly raster: Raster
  readonly size: { readonly width: number; readonly height: number }
}

const UNCOMPRESSED = 0
const BIT_FIELDS = 3

/** Opens PNG, JPEG, TIFF, WebP, GIF or BMP. Throws `corrupt` and `too_large`. */
export async function openPictureFile(
  path: string,
  name: string,
  mediaType: string,
): Promise<PictureFile> {
  if (mediaType === 'image/bmp') return { pages: 1, draw: () => drawBitmapFile(path, name) }
  const sharp = await loadSharp()
  const { pages = 1 } = await sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .metadata()
    .catch(error => Promise.reject(toNamedError(error, name)))
  return {
    pages: mediaType === 'image/tiff' ? pages : 1, // in other formats they are frames of an animation
    draw: page => draw(path, page).catch(error => Promise.reject(toNamedError(error, name))),
  }
}

export async function openPicture(bytes: Buffer, name: string): Promise<Picture> {
  if (bytes.toString('latin1', 0, 2) === 'BM') return drawBitmap(bytes, name)
  return draw(bytes, 1).catch(error => Promise.reject(toNamedError(error, name)))
}

async function draw(input: string | Buffer, page: number): Promise<Picture> {
  const sharp = await loadSharp()
  const pipeline = sharp(input, { limitInputPixels: MAX_PIXELS, page: page - 1, failOn: 'error' })
  const { autoOrient: size } = await pipeline.metadata()
  const { data, info } = await pipeline
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const pixels =
    channels === 1
      ? new Uint8Array(data)
      : new Uint8Array(data).filter((_, index) => index % channels === 0)
  return { raster: { width, height, pixels }, size }
}

async function drawBitmapFile(path: string, name: string): Promise<Picture> {
  const { size } = await stat(path)
  if (size > MAX_BITMAP_BYTES) {
    throw new AppError(
      'too_large',
      localizable`${name} has ${size} bytes; a bitmap may have ${MAX_BITMAP_BYTES}. Save it as PNG.`,
    )
  }
  return drawBitmap(await readFile(path), name)
}

function drawBitmap(bytes: Buffer, name: string): Picture {
  const raster = readBitmapFile(bytes)
  if (!raster)
    throw new AppError(
      'corrupt',
      localizable`Cannot read ${name}: it is cut off or compressed. Save it as PNG.`,
    )
  const scale = Math.min(1, MAX_SIDE / Math.max(raster.width, raster.height))
  const resized = resizeRaster(
    raster,
    Math.round(raster.width * scale),
    Math.round(raster.height * scale),
  )
  return { raster: resized, size: raster }
}

function toNamedError(error: unknown, name: string): AppError {
  const reason = error instanceof Error ? error.message : String(error)
  if (/pixel limit/i.test(reason)) {
    const message = localizable`${name} has more than ${MAX_PIXELS / 1e6} million pixels. Make it smaller, or cut it in parts.`
    return new AppError('too_large', message, { cause: error })
  }
  return createDamagedError(name, 'the picture is damaged or cut off', error)
}

/** Reads an uncompressed bitmap of 1 to 32 bits per pixel in grey. */
function readBitmapFile(bytes: Buffer): Raster | undefined {
  if (bytes.length < 54) return undefined
  const headerSize = bytes.readUInt32LE(14)
  const width = bytes.readInt32LE(18)
  const rows = bytes.readInt32LE(22)
  const bits = bytes.readUInt16LE(28)
  const compression = bytes.readUInt32LE(30)
  const height = Math.abs(rows)
  const stride = Math.ceil((width * bits) / 32) * 4
  const start = bytes.readUInt32LE(10)
  const isPlain = compression === UNCOMPRESSED || (compression === BIT_FIELDS && bits === 32)
  if (
    !isPlain ||
    ![1, 4, 8, 24, 32].includes(bits) ||
    width <= 0 ||
    start + stride * height > bytes.length
  )
    return undefined
  const palette = 14 + headerSize
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = start + stride * (rows > 0 ? height - 1 - y : y) // usually from the bottom up
    for (let x = 0; x < width; x++) {
      const offset =
        bits >= 24 ? row + x * (bits / 8) : palette + 4 * readPaletteIndex(bytes, row, x, bits)
      pixels[y * width + x] =
        0.114 * bytes[offset]! + 0.587 * bytes[offset + 1]! + 0.299 * bytes[offset + 2]! // Rec. 601 luma
    }
  }
  return { width, height, pixels }
}

function readPaletteIndex(bytes: Buffer, row: number, x: number, bits: number): number {
  const perByte = 8 / bits
  const shift = 8 - bits * ((x % perByte) + 1)
  return (bytes[row + Math.floor(x / perByte)]! >> shift) & (2 ** bits - 1)
}
