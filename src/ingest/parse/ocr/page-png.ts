import { writeFile } from 'node:fs/promises'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { PdfPictures } from './pdf-pictures.ts'
import { loadSharp, type SharpPipeline } from './sharp.ts'

/** Size as shown, in PDF points or pixels. */
export type PageSize = { readonly width: number; readonly height: number }

type PngRequest = {
  readonly path: string
  readonly name: string
  readonly mediaType: string
  readonly page: number
  readonly width: number
  /** Path of the PNG. Default: only the size is determined. */
  readonly target?: string | undefined
}

const MAX_INPUT_PIXELS = 200_000_000
/** Pixels. Protects memory from a web page printed on one sheet. */
const MAX_PNG_HEIGHT = 10_000

/** Throws `not_found` and `corrupt`. */
export async function drawPagePng(request: PngRequest): Promise<PageSize> {
  const isPdf = request.mediaType === 'application/pdf'
  return isPdf ? await drawPdfPage(request) : await drawPicture(request)
}

async function drawPdfPage({ path, name, page, width, target }: PngRequest): Promise<PageSize> {
  const pictures = await PdfPictures.open(path).catch(error =>
    Promise.reject(createDrawingError(name, error)),
  )
  try {
    requirePage(page, pictures.pages, name)
    const size = pictures.getPageSize(page)
    if (!target) return size
    const pixels = computePixelSize(size, width)
    const data = await pictures.drawInColor(page, pixels)
    const sharp = await loadSharp()
    await writePng(sharp(data, { raw: { ...pixels, channels: 4 } }), isGrey(data), target)
    return size
  } finally {
    pictures.close()
  }
}

async function drawPicture({ path, name, page, width, target }: PngRequest): Promise<PageSize> {
  const sharp = await loadSharp()
  const open = () =>
    sharp(path, { limitInputPixels: MAX_INPUT_PIXELS, page: page - 1, failOn: 'error' })
  try {
    const { autoOrient: size } = await open().metadata()
    if (target) {
      const pixels = computePixelSize(size, width)
      await writePng(
        open()
          .autoOrient()
          .resize({ ...pixels, fit: 'fill' }),
        false,
        target,
      )
    }
    return { width: size.width, height: size.height }
  } catch (error) {
    throw createDrawingError(name, error)
  }
}

async function writePng(picture: SharpPipeline, isInGrey: boolean, target: string): Promise<void> {
  const opaque = picture.flatten({ background: '#ffffff' }).toColourspace(isInGrey ? 'b-w' : 'srgb')
  await writeFile(
    target,
    await opaque.png({ compressionLevel: 6, adaptiveFiltering: !isInGrey }).toBuffer(),
  )
}

function computePixelSize(size: PageSize, width: number): PageSize {
  const height = Math.round((width * size.height) / size.width)
  if (height <= MAX_PNG_HEIGHT) return { width, height: Math.max(1, height) }
  return {
    width: Math.max(1, Math.round((width * MAX_PNG_HEIGHT) / height)),
    height: MAX_PNG_HEIGHT,
  }
}

/** Grey takes a third of the bytes. */
function isGrey(pixels: Uint8Array): boolean {
  for (let offset = 0; offset < pixels.length; offset += 4) {
    if (pixels[offset] !== pixels[offset + 1] || pixels[offset] !== pixels[offset + 2]) return false
  }
  return true
}

function requirePage(page: number, pages: number, name: string): void {
  if (page <= pages) return
  throw new AppError('not_found', localizable`${name} has no page ${page}: it has ${pages}.`)
}

function createDrawingError(name: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const code = /password/i.test(reason) ? 'encrypted' : 'corrupt'
  return new AppError(
    code,
    localizable`The pages of ${name} cannot be drawn (${reason}). Read its text instead.`,
    {
      cause: error,
    },
  )
}
