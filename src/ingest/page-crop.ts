import { importOptional } from './ocr/ocr-packages.ts'

/** What is used of sharp. */
type Sharp = (file: string) => Pipeline
type Pipeline = {
  metadata(): Promise<{ width: number; height: number }>
  extract(part: { left: number; top: number; width: number; height: number }): Pipeline
  resize(options: { width: number; withoutEnlargement: boolean }): Pipeline
  png(): Pipeline
  toBuffer(): Promise<Buffer>
}

/** As a share of a picture: nobody looks closer. */
const SMALLEST = 0.01

/** A part of a picture, by left, top, right and bottom as shares of it, as a PNG of at most this width. */
export async function cropPicture(
  file: string,
  [left, top, right, bottom]: readonly [number, number, number, number],
  width: number,
): Promise<Buffer> {
  const { default: sharp } = await importOptional<{ default: Sharp }>('sharp')
  const whole = await sharp(file).metadata()
  const part = {
    left: Math.min(Math.floor(left * whole.width), whole.width - 1),
    top: Math.min(Math.floor(top * whole.height), whole.height - 1),
  }
  const size = {
    width: clamped(Math.max(right - left, SMALLEST) * whole.width, whole.width - part.left),
    height: clamped(Math.max(bottom - top, SMALLEST) * whole.height, whole.height - part.top),
  }
  return await sharp(file)
    .extract({ ...part, ...size })
    .resize({ width, withoutEnlargement: true })
    .png()
    .toBuffer()
}

function clamped(size: number, most: number): number {
  return Math.max(1, Math.min(most, Math.round(size)))
}
