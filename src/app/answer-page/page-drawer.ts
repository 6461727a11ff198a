import type { Citation } from '../../answer/citations/citation.ts'
import { toFailure, toStoreMessage } from '../../errors.ts'
import type { Box } from '../../ingest/block.ts'
import { findOcrPackages } from '../../ingest/parse/ocr/ocr-packages.ts'
import { PdfPictures } from '../../ingest/parse/ocr/pdf-pictures.ts'
import type { Raster } from '../../ingest/parse/ocr/raster.ts'
import { loadSharp } from '../../ingest/parse/ocr/sharp.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import type { FileAdmin } from '../documents/file-admin.ts'

/** Picture as data URL, size and boxes in points. */
export type DrawnPage = {
  readonly page: number
  readonly picture: string
  readonly size: { readonly width: number; readonly height: number }
  readonly boxes: readonly Box[]
}

export type PageDrawing = { readonly pages: readonly DrawnPage[] } | { readonly failure: string }

export interface PageDrawer {
  /** Undefined for documents other than PDFs, or without positions. */
  draw(citation: Citation): Promise<PageDrawing | undefined>
}

/** Pages drawn per citation, so that the page stays small. */
const MAX_PAGES = 2

/** Undefined without the optional packages. */
export function pageDrawer(
  reader: Pick<DocumentReader, 'find'>,
  files: Pick<FileAdmin, 'getPath'>,
): PageDrawer | undefined {
  const { pdfium, sharp } = findOcrPackages()
  if (!pdfium || !sharp) return undefined
  return {
    async draw({ documentId, boxes = [] }) {
      const document = await reader.find(documentId)
      if (document?.mediaType !== 'application/pdf' || boxes.length === 0) return undefined
      try {
        return { pages: await drawPages(await files.getPath(document.fileId), boxes) }
      } catch (error) {
        const failure = toFailure(error)
        return { failure: toStoreMessage(failure) ?? failure.message } // encrypted or unreadable for PDFium: the words are shown instead
      }
    },
  }
}

async function drawPages(
  file: string,
  boxes: NonNullable<Citation['boxes']>,
): Promise<readonly DrawnPage[]> {
  const pictures = await PdfPictures.open(file)
  try {
    const drawn: DrawnPage[] = []
    for (const page of [...new Set(boxes.map(box => box.page))].slice(0, MAX_PAGES)) {
      const size = pictures.getPageSize(page)
      const picture = await encodePicture(await pictures.draw(page, size))
      drawn.push({
        page,
        picture,
        size,
        boxes: boxes.filter(box => box.page === page).map(({ box }) => box),
      })
    }
    return drawn
  } finally {
    pictures.close()
  }
}

/** Side in pixels and WebP quality, so that a page is readable and the file stays small. */
const MAX_SIDE = 1600
const QUALITY = 60

async function encodePicture({ pixels, width, height }: Raster): Promise<string> {
  const sharp = await loadSharp()
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer()
  return `data:image/webp;base64,${bytes.toString('base64')}`
}
