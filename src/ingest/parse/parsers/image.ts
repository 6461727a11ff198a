import { stat } from 'node:fs/promises'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { findOcrProblem, OCR_OFF } from '../ocr/availability.ts'
import { OCR_TIME_SPENT, PictureBudget } from '../ocr/picture-budget.ts'
import { openPictureFile } from '../ocr/picture-file.ts'
import { PictureReader } from '../ocr/picture-reader.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { layOutOcrPage } from './ocr-page.ts'
import { buildOcrReport, buildOcrWarnings, countPageCharacters } from './pdf/ocr.ts'
import { buildProfile } from './pdf/profile.ts'
import { buildPageBlocks } from './pdf/structure.ts'

/** Protects against endless files; scanners put fewer pages into one. */
const MAX_PAGES = 1_000
/** Size of a blank fax, so that entries that repeat one picture do not multiply it. */
const MIN_PAGE_BYTES = 512

/** Boxes are in pixels. */
export const imageParser: Parser = {
  id: 'image@3',
  mediaTypes: ['image/png', 'image/jpeg', 'image/tiff', 'image/webp', 'image/gif', 'image/bmp'],
  usesOcr: true,
  parse: parseImage,
}

async function* parseImage(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const { name, isSample = false } = input
  requireOcr(input)
  const file = await openPictureFile(input.path, name, input.mediaType)
  const reader = new PictureReader(new PictureBudget(input, 'picture'))
  const { size } = await stat(input.path)
  const pages = Math.min(file.pages, MAX_PAGES, Math.ceil(size / MIN_PAGE_BYTES))
  try {
    yield { type: 'metadata', metadata: { pages: file.pages } }
    let readable = 0
    let page = 0
    while (page < pages && !reader.isSpent) {
      for await (const event of readPage(++page, file, { reader, isSample }, signal)) {
        if (event.type === 'block') readable++
        yield event
      }
    }
    if (page < file.pages) yield warnLeftOut(page, file.pages, reader)
    if (readable === 0)
      throw new AppError(
        'no_text',
        localizable`OCR found no text in ${page < file.pages ? `the first ${page} pages of ` : ''}the picture ${name}.`,
      )
  } finally {
    await reader.close()
  }
}

function requireOcr({ name, ocr }: ParserInput): void {
  const isOff = !ocr || ocr.mode === 'off'
  const problem = isOff ? OCR_OFF : findOcrProblem()
  if (problem)
    throw new AppError('no_text', localizable`${name} is a picture. ${problem.message}`, problem)
}

function warnLeftOut(pages: number, total: number, { isSpent }: PictureReader): ParserEvent {
  const { advice } = isSpent ? OCR_TIME_SPENT : {}
  const message = localizable`Only the first ${pages} of its ${total} pages were read. Save the other pages as a separate file.`
  return { type: 'warning', warning: withMessage({ code: 'too_large' }, message, advice) }
}

async function* readPage(
  page: number,
  file: Awaited<ReturnType<typeof openPictureFile>>,
  { reader, isSample }: { readonly reader: PictureReader; readonly isSample: boolean },
  signal?: AbortSignal,
): AsyncIterable<ParserEvent> {
  yield { type: 'ocr', page, state: 'started' }
  const { raster, size } = await reader.draw(() => file.draw(page))
  const sample = isSample ? await reader.readSample(raster, signal) : undefined
  const reading = sample ?? (await reader.read(raster, signal))
  const ocr = buildOcrReport(reading)
  const content = { ...layOutOcrPage(page, reading, size), ocr }
  yield { type: 'ocr', page, state: 'done' }
  const { blocks } = buildPageBlocks(content, { profile: buildProfile([content], new Map()) })
  for (const block of blocks) yield { type: 'block', block }
  yield {
    type: 'page',
    report: {
      page,
      characters: countPageCharacters(content),
      images: 1,
      garbled: 0,
      ocr,
      ...(sample && { isSample: true }),
    },
  }
  for (const warning of buildOcrWarnings(content, undefined)) yield { type: 'warning', warning }
}
