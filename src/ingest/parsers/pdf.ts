import type { PDFDocumentProxy } from 'pdfjs-dist'
import { AppError } from '../../errors.ts'
import { garbledShare, NOTABLE_JUNK } from '../garbled.ts'
import type { Metadata, PageReport, Parser, ParserEvent, ParserInput } from '../parser.ts'
import { furniture } from './pdf-furniture.ts'
import { readPageLabels } from './pdf-labels.ts'
import { openPdf } from './pdf-open.ts'
import { type PageContent, readPage } from './pdf-page.ts'
import { type Profile, profileOf, readOutline } from './pdf-profile.ts'
import { pageBlocks } from './pdf-structure.ts'

/** Pages looked at before the first is read out, to learn how the document is set. */
const SAMPLE_PAGES = 24
/** How far around a page its running heads are looked for. */
const NEIGHBOURS = 2
/** Fonts are kept between pages, but not for ever. */
const PAGES_BETWEEN_CLEANUPS = 32
/** A picture of a page may carry a stamp or a page number as text. */
const SCAN_CHARACTERS = 20

/** PDF by pdf.js: text with positions, page by page, from which columns, paragraphs, headings and tables are read. */
export const pdfParser: Parser = {
  id: 'pdf@2',
  mediaTypes: ['application/pdf'],
  parse: parsePdf,
}

async function* parsePdf(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const { document, close } = await openPdf(input, signal)
  try {
    yield { type: 'metadata', metadata: await readMetadata(document) }
    const pages = new Pages(document, input.name)
    const profile = await learnProfile(pages, signal)
    yield* readPages(pages, profile, signal)
  } finally {
    await close()
  }
}

async function learnProfile(pages: Pages, signal?: AbortSignal): Promise<Profile> {
  const sample: PageContent[] = []
  for (const page of samplePages(pages.count)) {
    const content = await pages.read(page, signal)
    if (content) sample.push(content)
  }
  return profileOf(sample, await readOutline(pages.document))
}

/** Spread over the document; the first pages always. */
function samplePages(count: number): number[] {
  if (count <= SAMPLE_PAGES) return Array.from({ length: count }, (_, index) => index + 1)
  const step = count / SAMPLE_PAGES
  return Array.from({ length: SAMPLE_PAGES }, (_, index) => 1 + Math.floor(index * step))
}

async function* readPages(pages: Pages, profile: Profile, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  const labels = await readPageLabels(pages.document)
  let readable = 0
  let title: string | undefined
  for (let page = 1; page <= pages.count; page++) {
    const content = await pages.read(page, signal)
    if (content) {
      const blocks = pageBlocks(content, furniture(content, await pages.around(page, signal)), profile)
      if (blocks.length > 0) readable++
      const heading = blocks.find(block => block.kind === 'heading' && block.level === 1)
      if (page <= 2 && !title && heading) {
        title = heading.text
        yield { type: 'metadata', metadata: { title: heading.text } }
      }
      yield* blocks.map(block => ({ type: 'block' as const, block }))
      yield* reportEvents(content, labels.get(page))
    } else yield unreadablePage(page)
    await pages.release(page - NEIGHBOURS)
  }
  if (readable === 0) throw pages.nothingRead()
}

/** What was found on a page, and what its reader should know. */
function* reportEvents(content: PageContent, label: string | undefined): Iterable<ParserEvent> {
  const report = { ...reportOf(content), ...(label && { label }) }
  yield { type: 'page', report }
  const { page } = report
  if (report.characters < SCAN_CHARACTERS && content.isPicture) {
    const message = `Page ${page} is a picture without text; OCR is needed to read it.`
    yield { type: 'warning', warning: { code: 'no_text', message, page } }
  }
  if (report.garbled >= NOTABLE_JUNK) {
    const message = `${Math.round(report.garbled * 100)} % of the characters on page ${page} are unreadable: a font lacks its character map.`
    yield { type: 'warning', warning: { code: 'garbled', message, page } }
  }
}

function reportOf({ page, fragments, images }: PageContent): PageReport {
  const text = fragments.map(fragment => fragment.text).join('')
  return { page, characters: text.replace(/\s/g, '').length, images, garbled: garbledShare(text) }
}

function unreadablePage(page: number): ParserEvent {
  const message = `Page ${page} is damaged and could not be read.`
  return { type: 'warning', warning: { code: 'corrupt', message, page } }
}

async function readMetadata(document: PDFDocumentProxy): Promise<Metadata> {
  const metadata: unknown = await document.getMetadata().catch(() => undefined)
  const info = (metadata as { info?: Record<string, unknown> } | undefined)?.info ?? {} // pdf.js types it as Object
  const text = (key: string) => (typeof info[key] === 'string' && info[key].trim() ? info[key].trim() : undefined)
  return {
    title: plausibleTitle(text('Title')),
    author: text('Author'),
    created: pdfDate(text('CreationDate')),
    modified: pdfDate(text('ModDate')),
    language: text('Language'),
    pages: document.numPages,
  }
}

/** Programs leave file names and their own defaults as titles. */
function plausibleTitle(title: string | undefined): string | undefined {
  return title && !/^(untitled|microsoft word|无标题|文档\d|document\d*$)|\.\w{2,4}$/i.test(title) ? title : undefined
}

/** `D:20240131120000+08'00'` as ISO 8601. */
function pdfDate(written: string | undefined): string | undefined {
  const parts = /^D?:?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d'?\d\d)?/.exec(written ?? '')
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '00', zone = ''] = parts
  const date = `${year}-${month}-${day}`
  return hour ? `${date}T${hour}:${minute}:${second}${zone.replace(/^([+-]\d\d)'?(\d\d)$/, '$1:$2')}` : date
}

/** Reads pages when they are wanted and keeps the few that are wanted again. */
class Pages {
  readonly document: PDFDocumentProxy
  readonly #name: string
  readonly #contents = new Map<number, PageContent | undefined>()
  #failures = 0
  #pictures = 0

  constructor(document: PDFDocumentProxy, name: string) {
    this.document = document
    this.#name = name
  }

  get count(): number {
    return this.document.numPages
  }

  /** Undefined for a page that is damaged: the others may be sound. */
  async read(page: number, signal?: AbortSignal): Promise<PageContent | undefined> {
    if (this.#contents.has(page)) return this.#contents.get(page)
    signal?.throwIfAborted()
    const content = await this.#readContent(page, signal)
    this.#contents.set(page, content)
    if (!content) this.#failures++
    if (content?.images) this.#pictures++
    return content
  }

  async around(page: number, signal?: AbortSignal): Promise<PageContent[]> {
    const contents: PageContent[] = []
    for (let near = page - NEIGHBOURS; near <= page + NEIGHBOURS; near++) {
      if (near === page || near < 1 || near > this.count) continue
      const content = await this.read(near, signal)
      if (content) contents.push(content)
    }
    return contents
  }

  /** Forget a page, and from time to time the fonts of pages gone by. */
  async release(page: number): Promise<void> {
    this.#contents.delete(page)
    if (page % PAGES_BETWEEN_CLEANUPS === 0) return this.document.cleanup()
  }

  /** Why a document of which nothing could be read gave nothing. */
  nothingRead(): AppError {
    if (this.#failures === this.count)
      return new AppError('corrupt', `Cannot read ${this.#name}: all its pages are damaged.`)
    if (this.#pictures === 0)
      return new AppError('no_text', `${this.#name} has ${this.count} pages and no text on any of them.`)
    return new AppError(
      'no_text',
      `${this.#name} holds no text: its ${this.count} pages are scanned pictures. OCR is needed to read them.`,
    )
  }

  async #readContent(number: number, signal?: AbortSignal): Promise<PageContent | undefined> {
    try {
      const page = await this.document.getPage(number)
      const content = await readPage(page, signal)
      page.cleanup()
      return content
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError) throw error
      return undefined
    }
  }
}
