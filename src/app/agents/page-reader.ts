import { readFile } from 'node:fs/promises'
import type { PageReader } from '../../agent/tools/read-pages.ts'
import { importOptional } from '../../ingest/parse/ocr/ocr-packages.ts'
import { MAX_PICTURE_WIDTH } from '../../ingest/store/page-pictures.ts'
import type { Pages } from '../documents/pages.ts'

export function createPageReader(pages: Pages): PageReader {
  return {
    text: async (document, page, signal) => (await pages.read(document, page, signal)).text,
    async readPicture(document, page, { width, box }, signal) {
      if (!box) return await readFile(await pages.drawPicture(document, page, width, signal))
      const [left, top, right, bottom] = box
      const file = await pages.drawPicture(document, page, MAX_PICTURE_WIDTH, signal)
      return await cutPicture(file, [left / 1000, top / 1000, right / 1000, bottom / 1000], width)
    },
  }
}

type Sharp = (file: string) => Pipeline
type Pipeline = {
  metadata(): Promise<{ width: number; height: number }>
  extract(part: { left: number; top: number; width: number; height: number }): Pipeline
  resize(options: { width: number; withoutEnlargement: boolean }): Pipeline
  png(): Pipeline
  toBuffer(): Promise<Buffer>
}

/** Minimum share that can be enlarged, so that a crop is never empty. */
const MIN_SHARE = 0.01

/** Crops by shares (left, top, right, bottom) to a PNG of at most this width. */
async function cutPicture(
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
    width: clampSize(Math.max(right - left, MIN_SHARE) * whole.width, whole.width - part.left),
    height: clampSize(Math.max(bottom - top, MIN_SHARE) * whole.height, whole.height - part.top),
  }
  return await sharp(file)
    .extract({ ...part, ...size })
    .resize({ width, withoutEnlargement: true })
    .png()
    .toBuffer()
}

function clampSize(size: number, most: number): number {
  return Math.max(1, Math.min(most, Math.round(size)))
}
