import { getMessages, localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { measureGarbledShare } from '../../detection/garbled.ts'
import { findOcrProblem, OCR_OFF, type OcrProblem } from '../../ocr/availability.ts'
import { isPartlyUnread, isUnsure, OCR_ENGINE } from '../../ocr/ocr.ts'
import { PdfPictures } from '../../ocr/pdf-pictures.ts'
import { OCR_TIME_SPENT, PictureBudget } from '../../ocr/picture-budget.ts'
import { PictureReader } from '../../ocr/picture-reader.ts'
import type { OcrReport, ParserInput, Warning } from '../../parser.ts'
import { addPictureText, layOutOcrPage } from '../ocr-page.ts'
import { isLikelyText } from './likely-text.ts'
import type { PageContent } from './page.ts'

/** Printed characters, so that a stamp or a fax line does not hide a scan. */
const SCAN_CHARACTERS = 20
/** Share of junk, so that useless text is replaced by the picture's. */
const MAX_GARBLED_SHARE = 0.5

export class PdfOcr {
  readonly #input: ParserInput
  readonly #bytes: Uint8Array | undefined
  readonly #problem: OcrProblem | undefined
  readonly #reader: PictureReader | undefined
  #pictures: Promise<PdfPictures> | undefined

  constructor(input: ParserInput, bytes?: Uint8Array) {
    this.#input = input
    this.#bytes = bytes
    const { ocr } = input
    this.#problem = !ocr || ocr.mode === 'off' ? OCR_OFF : findOcrProblem()
    if (ocr && !this.#problem) this.#reader = new PictureReader(new PictureBudget(input, 'pdf'))
  }

  get problem(): OcrProblem | undefined {
    return this.isSpent ? OCR_TIME_SPENT : this.#problem
  }

  get isSpent(): boolean {
    return this.#reader?.isSpent ?? false
  }

  shouldRead(content: PageContent): boolean {
    if (!this.#reader) return false
    if (this.#input.ocr?.mode === 'always') return content.images > 0 || content.isPicture
    return needsOcr(content)
  }

  async read(content: PageContent, signal?: AbortSignal): Promise<PageContent | Warning> {
    const { page } = content
    try {
      const size = content.toPageBox([0, 0, content.width, content.height])
      const displaySize = { width: size[2] - size[0], height: size[3] - size[1] }
      const reader = this.#reader!
      const raster = await reader.draw(async () => (await this.#open()).draw(page, displaySize))
      const reading = await reader.read(raster, signal)
      const read = layOutOcrPage(page, reading, displaySize)
      const ocr = buildOcrReport(reading)
      if (isScan(content)) return { ...read, images: content.images, ocr }
      if (isGarbled(content)) return { ...read, images: content.images, ocr, isReplaced: true }
      return reading.turn.quarters === 0 && isUnturned(content)
        ? { ...addPictureText(content, read), ocr, unreadShare: read.unreadShare ?? 0 }
        : content
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError) throw error
      await this.#closePictures()
      const reason = error instanceof Error ? error.message : String(error)
      return withMessage(
        { code: 'corrupt', page },
        localizable`The picture on page ${page} could not be read (${reason}).`,
      )
    }
  }

  async close(): Promise<void> {
    await this.#closePictures()
    await this.#reader?.close()
  }

  #open(): Promise<PdfPictures> {
    this.#pictures ??= PdfPictures.open(this.#bytes ?? this.#input.path, this.#input.password)
    return this.#pictures
  }

  async #closePictures(): Promise<void> {
    const pictures = this.#pictures
    this.#pictures = undefined
    const opened = await pictures?.catch(() => undefined)
    opened?.close()
  }
}

export function buildOcrReport({ confidence }: { readonly confidence: number }): OcrReport {
  return { engine: OCR_ENGINE, confidence: Math.round(confidence * 1000) / 1000 }
}

export function* buildOcrWarnings(
  content: PageContent,
  problem: OcrProblem | undefined,
): Iterable<Warning> {
  const { page, ocr } = content
  const why = problem && localizable` ${problem.message}`
  const advice = problem && getMessages(problem).advice
  const characters = countPageCharacters(content)
  if (content.isReplaced) yield buildReplacedWarning(page)
  if (!ocr && isScan(content)) {
    const message = localizable`Page ${page} is a picture without text.${why}`
    yield withMessage({ code: 'no_text', page }, message, advice)
  } else if (ocr && characters === 0) {
    yield withMessage(
      { code: 'no_text', page },
      localizable`OCR found no text in the picture on page ${page}.`,
    )
  } else if (!ocr && !hasLikelyText(content)) {
    const message = localizable`The text of page ${page} is in no language: its fonts map characters wrongly.${why}`
    yield withMessage({ code: 'garbled', page }, message, advice)
  } else if (ocr && isUnsure(ocr)) {
    const sure = Math.round(ocr.confidence * 100)
    const message = localizable`Page ${page} was read by OCR, which is only ${sure} % sure of it: compare it with the original.`
    yield withMessage({ code: 'low_confidence', page }, message)
  } else if (ocr && isPartlyUnread(content.unreadShare ?? 0)) {
    const share = Math.round((content.unreadShare ?? 0) * 100)
    const message = localizable`About ${share} % of the text in the picture on page ${page} could not be read by OCR: compare it with the original.`
    yield withMessage({ code: 'low_confidence', page }, message)
  }
}

function buildReplacedWarning(page: number): Warning {
  const message = localizable`The text of page ${page} is in no language, since its fonts map characters wrongly: OCR read the page instead.`
  return withMessage({ code: 'garbled', page }, message)
}

export function needsOcr(content: PageContent): boolean {
  return isScan(content) || isGarbled(content)
}

function isScan(content: PageContent): boolean {
  return content.isPicture && countPageCharacters(content) < SCAN_CHARACTERS
}

function isGarbled(content: PageContent): boolean {
  const text = content.fragments.map(fragment => fragment.text).join('')
  return measureGarbledShare(text) > MAX_GARBLED_SHARE || !hasLikelyText(content)
}

function hasLikelyText({ fragments }: PageContent): boolean {
  return isLikelyText(fragments.map(({ text }) => text).join(' '))
}

export function countPageCharacters({ fragments }: PageContent): number {
  return fragments.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0)
}

function isUnturned({ toPageBox }: PageContent): boolean {
  return toPageBox([0, 0, 1, 2]).join() === '0,0,1,2'
}
