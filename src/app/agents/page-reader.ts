import { readFile } from 'node:fs/promises'
import type { PictureBox } from '../../agent/tools/image-zoom.ts'
import type { PageReader } from '../../agent/tools/read-pages.ts'
import { AppError } from '../../errors.ts'
import { loadSharp, type SharpResize } from '../../ingest/parse/ocr/sharp.ts'
import type { Library } from '../../ingest/store/library.ts'
import { MAX_PICTURE_WIDTH } from '../../ingest/store/page-pictures.ts'
import { areOverlapping } from '../../text/sentences.ts'
import type { Pages } from '../documents/pages.ts'

export function createPageReader(pages: Pages, library: Pick<Library, 'listExcluded'>): PageReader {
  return {
    async readText(document, page, signal) {
      const { blocks } = await pages.read(document, page, signal)
      const excluded = await library.listExcluded(document.id)
      const allowed = blocks.filter(
        ({ charStart: start, charEnd: end }) =>
          !excluded.some(span => areOverlapping(span, { start, end })),
      )
      return allowed.map(({ text }) => text).join('\n\n')
    },
    async readPicture(document, page, { width, box }, signal) {
      if (!box) return await readFile(await pages.drawPicture(document, page, width, signal))
      const file = await pages.drawPicture(document, page, MAX_PICTURE_WIDTH, signal)
      return await cutPicture(file, box, { width, fit: 'inside', withoutEnlargement: true })
    },
  }
}

/** Minimum share that can be enlarged, so that a crop is never empty. */
const MIN_SHARE = 0.01

/** Protects memory. */
const MAX_PIXELS = 100_000_000

/** Crops a box in thousandths to a PNG. Throws `corrupt` if the picture cannot be read. */
export async function cutPicture(
  picture: string | Buffer,
  box: PictureBox,
  resized: SharpResize,
): Promise<Buffer> {
  const sharp = await loadSharp()
  try {
    const pipeline = sharp(picture, { limitInputPixels: MAX_PIXELS })
    const { autoOrient: imageSize } = await pipeline.metadata()
    return await pipeline
      .autoOrient()
      .extract(toPart(box, imageSize))
      .resize(resized)
      .png()
      .toBuffer()
  } catch (cause) {
    throw new AppError(
      'corrupt',
      'The picture cannot be read: it is damaged, too large, or of another format.',
      { cause },
    )
  }
}

function toPart(box: PictureBox, imageSize: { readonly width: number; readonly height: number }) {
  const [x = 0, y = 0, right = 0, bottom = 0] = box.map(share => share / 1000)
  const left = Math.min(Math.floor(x * imageSize.width), imageSize.width - 1)
  const top = Math.min(Math.floor(y * imageSize.height), imageSize.height - 1)
  const width = clampSize(Math.max(right - x, MIN_SHARE) * imageSize.width, imageSize.width - left)
  const height = clampSize(
    Math.max(bottom - y, MIN_SHARE) * imageSize.height,
    imageSize.height - top,
  )
  return { left, top, width, height }
}

function clampSize(size: number, maxSize: number): number {
  return Math.max(1, Math.min(maxSize, Math.round(size)))
}
