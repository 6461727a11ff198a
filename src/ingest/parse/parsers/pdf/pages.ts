import type { PDFDocumentProxy } from 'pdfjs-dist'
import {
  type LocalizableMessage,
  localizable,
  withMessage,
} from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { OCR_TIME_SPENT } from '../../ocr/picture-budget.ts'
import { createDamagedError, type ParserEvent } from '../../parser.ts'
import { type Annotation, readFields } from './fields.ts'
import { RunningHeads } from './layout/running-heads.ts'
import type { LostText } from './lost-text.ts'
import { needsOcr, type PdfOcr } from './ocr.ts'
import type { OpenPdf } from './open.ts'
import { type PageContent, readPage } from './page.ts'
import { PrintedWords } from './printed-words.ts'

/** Few, so that a document is read page by page. */
export const NEIGHBOURS = 2
/** Fonts neither are read for each page nor pile up. Protects memory. */
const PAGES_BETWEEN_CLEANUPS = 32

function warnLeftOut(page: number): ParserEvent {
  const { message, advice } = OCR_TIME_SPENT
  const warningMessage = localizable`The picture on page ${page} was not read. ${message}`
  return {
    type: 'warning',
    warning: withMessage({ code: 'too_large', page }, warningMessage, advice),
  }
}

export class Pages {
  readonly document: PDFDocumentProxy
  readonly #opened: OpenPdf
  readonly #name: string
  readonly #ocr: PdfOcr
  readonly #contents = new Map<number, PageContent | undefined>()
  readonly #looked = new Set<number>()
  readonly lost = new Map<number, LostText>()
  readonly words = new PrintedWords()
  readonly heads = new RunningHeads()
  #fields: ReturnType<typeof readFields> | undefined
  #failures = 0
  #pictures = 0

  constructor(opened: OpenPdf, name: string, ocr: PdfOcr) {
    this.document = opened.document
    this.#opened = opened
    this.#name = name
    this.#ocr = ocr
  }

  get count(): number {
    return this.document.numPages
  }

  async read(page: number, signal?: AbortSignal): Promise<PageContent | undefined> {
    if (this.#contents.has(page)) return this.#contents.get(page)
    signal?.throwIfAborted()
    const content = await this.#readContent(page, signal)
    this.#contents.set(page, content)
    if (!content) this.#failures++
    else this.#addWords(content)
    if (content?.isPicture) this.#pictures++
    if (content?.lost) this.lost.set(page, content.lost)
    return content
  }

  #addWords(content: PageContent): void {
    this.words.add(content.fragments)
    this.heads.addPage(content)
  }

  async *readPictures(from: number, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    for (let page = from; page <= Math.min(from + NEIGHBOURS, this.count); page++) {
      const content = await this.read(page, signal)
      if (!content || this.#looked.has(page)) continue
      this.#looked.add(page)
      yield* this.#readPicture(content, signal)
    }
  }

  async *#readPicture(content: PageContent, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    const { page } = content
    const shouldRead = this.#ocr.shouldRead(content)
    if (!shouldRead || this.#ocr.isSpent) {
      if (needsOcr(content)) yield { type: 'ocr', page, state: 'skipped' }
      else if (shouldRead) yield warnLeftOut(page)
      return
    }
    yield { type: 'ocr', page, state: 'started' }
    const read = await this.#ocr.read(content, signal)
    if ('code' in read) yield { type: 'warning', warning: read }
    else {
      this.#contents.set(page, read)
      this.#addWords(read)
    }
    yield { type: 'ocr', page, state: 'done' }
  }

  async listNeighbours(page: number, signal?: AbortSignal): Promise<PageContent[]> {
    const contents: PageContent[] = []
    for (let near = page - NEIGHBOURS; near <= page + NEIGHBOURS; near++) {
      if (near === page || near < 1 || near > this.count) continue
      const content = await this.read(near, signal)
      if (content) contents.push(content)
    }
    return contents
  }

  async listAnnotations(page?: number): Promise<readonly Annotation[]> {
    this.#fields ??= readFields(this.#opened)
    const fields = await this.#fields
    return page === undefined ? [...fields.values()].flat() : (fields.get(page) ?? [])
  }

  async release(page: number): Promise<void> {
    this.#contents.delete(page)
    if (page % PAGES_BETWEEN_CLEANUPS === 0) return this.document.cleanup()
  }

  createEmptyError(): AppError {
    const { count } = this
    if (this.#opened.salvaged && this.#pictures === 0) return this.#createSalvageError()
    if (this.#failures === count) return createDamagedError(this.#name, 'all its pages are damaged')
    const pages = count === 1 ? localizable`${count} page` : localizable`${count} pages`
    if (this.#pictures === 0)
      return new AppError(
        'no_text',
        localizable`${this.#name} has ${pages} and no text on any of them.`,
      )
    const reason = this.#ocr.problem?.message ?? 'OCR found no text.'
    return new AppError('no_text', this.#describePictures(reason), {
      advice: this.#ocr.problem?.advice,
    })
  }

  #describePictures(reason: string): LocalizableMessage {
    const name = this.#name
    if (this.#opened.salvaged)
      return localizable`${name} is damaged or cut off, and only pictures are left of it. ${reason}`
    return this.count === 1
      ? localizable`${name} holds no text: its only page is a picture. ${reason}`
      : localizable`${name} holds no text: its ${this.count} pages are pictures. ${reason}`
  }

  #createSalvageError(): AppError {
    return createDamagedError(
      this.#name,
      this.count === 1
        ? 'it is damaged or cut off, and the only page found in what is left of it cannot be read'
        : localizable`it is damaged or cut off, and none of the ${this.count} pages found in what is left of it can be read`,
    )
  }

  async #readContent(number: number, signal?: AbortSignal): Promise<PageContent | undefined> {
    try {
      const page = await this.document.getPage(number)
      const fields = await this.listAnnotations(number)
      const isUnfonted = this.#opened.salvaged?.unfonted.has(number) ?? false
      const content = await readPage(page, { fields, isUnfonted }, signal)
      page.cleanup()
      return content
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError) throw error
      return undefined
    }
  }
}
