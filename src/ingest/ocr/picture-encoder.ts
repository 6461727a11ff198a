import { importOptional } from './ocr-packages.ts'
import type { Raster } from './raster.ts'

/** What is used of sharp. */
type Sharp = (pixels: Uint8Array, options: { raw: { width: number; height: number; channels: 1 } }) => Pipeline
type Pipeline = {
  resize(options: { width: number; height: number; fit: 'inside'; withoutEnlargement: true }): Pipeline
  webp(options: { quality: number }): Pipeline
  toBuffer(): Promise<Buffer>
}

/** Enough to read a page on a screen. */
const MAX_SIDE = 1600
const QUALITY = 60

/** A picture as a data URL, in WebP. */
export async function encodePicture({ pixels, width, height }: Raster): Promise<string> {
  const { default: sharp } = await importOptional<{ default: Sharp }>('sharp')
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer()
  return `data:image/webp;base64,${bytes.toString('base64')}`
}
