import type { PDFDocumentProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { measureGarbledShare, NOTABLE_JUNK } from '../../detection/garbled.ts'
import type { OcrProblem } from '../../ocr/availability.ts'
import type { Metadata, PageReport, Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { omitShownLines, readXfaForm } from '../xfa-form.ts'
import { emitAttachments, listAttachments } from './attachments.ts'
import { readComments } from './comments.ts'
import { countUnreadTexts } from './fields.ts'
import { findFurniture } from './furniture.ts'
import { HeadingLevels } from './heading-levels.ts'
import { buildLostTextWarnings } from './lost-text.ts'
import { buildOcrWarnings, countPageCharacters, PdfOcr } from './ocr.ts'
import { openPdf } from './open.ts'
import { MAX_ITEMS, type PageContent } from './page.ts'
import { NEIGHBOURS, Pages } from './pages.ts'
import { buildProfile, type Profile, readOutline } from './profile.ts'
import { buildSalvageWarning } from './salvage/salvage.ts'
import { buildPageBlocks, type PageBlocks } from './structure.ts'

/** Pages examined first, so that the document's layout is known. */
const SAMPLE_PAGES = 24

const MAX_LABEL_CHARS = 32

const XFA_INFO = z.object({ IsXFAPresent: z.boolean(), IsAcroFormPresent: z.boolean() })

const XFA_WARNING: ParserEvent = {
  type: 'warning',
  warning: withMessage(
    { code: 'left_out' },
    'This is an XFA form, whose questions and answers were left out. Open it in Adobe Reader, print it to a PDF, and index that.',
  ),
}

export const pdfParser: Parser = {
  id: 'pdf@33',
  mediaTypes: ['application/pdf'],
  usesOcr: true,
  parse: parsePdf,
}

async function* parsePdf(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const opened = await openPdf(input, signal)
  const ocr = new PdfOcr(input, opened.salvaged?.bytes)
  try {
    yield { type: 'metadata', metadata: await readMetadata(opened.document) }
    if (opened.salvaged) yield { type: 'warning', warning: buildSalvageWarning(opened.salvaged) }
    const pages = new Pages(opened, input.name, ocr)
    const profile = await learnProfile(pages, signal)
    const annotations = await pages.listAnnotations()
    const attached = await listAttachments(opened.document, annotations)
    const isForm = await isXfaForm(opened.document)
    const skipped = new SkippedText()
    const form = isForm ? await readXfaForm(input, skipped, signal) : []
    for (const { hidden, choices } of annotations.map(countUnreadTexts)) {
      skipped.add('hidden elements', hidden)
      skipped.add('choices of lists', choices)
    }
    const beside = attached.length + form.length
    const texts: string[] = []
    for await (const event of readPages(pages, { profile, ocr, beside, skipped }, signal)) {
      if (form.length > 0 && event.type === 'block') texts.push(event.block.text)
      yield event
    }
    for (const text of omitShownLines(form, texts))
      yield { type: 'block', block: { kind: 'paragraph', text, page: pages.count } }
    if (isForm && form.length === 0) yield XFA_WARNING
    yield* emitAttachments(attached, pages.count, input)
    yield* skipped.listWarnings()
  } finally {
    await Promise.all([opened.close(), ocr.close()])
  }
}

async function learnProfile(pages: Pages, signal?: AbortSignal): Promise<Profile> {
  const sample: PageContent[] = []
  for (const page of samplePages(pages.count)) {
    const content = await pages.read(page, signal)
    if (content) sample.push(content)
  }
  return buildProfile(sample, await readOutline(pages.document), pages.words)
}

function samplePages(count: number): number[] {
  if (count <= SAMPLE_PAGES) return Array.from({ length: count }, (_, index) => index + 1)
  const step = count / SAMPLE_PAGES
  return Array.from({ length: SAMPLE_PAGES }, (_, index) => 1 + Math.floor(index * step))
}

type DocumentContext = {
  readonly profile: Profile
  readonly ocr: PdfOcr
  /** Number of attachments and texts of a form: with them, the pages may have no text. */
  readonly beside: number
  readonly skipped: SkippedText
}

async function* readPages(
  pages: Pages,
  { profile, ocr, beside, skipped }: DocumentContext,
  signal?: AbortSignal,
): AsyncIterable<ParserEvent> {
  const labels = await readPageLabels(pages.document)
  const headings = new HeadingLevels(profile)
  let readable = 0
  let title: string | undefined
  let open: PageBlocks['open']
  for (let page = 1; page <= pages.count; page++) {
    yield* pages.readPictures(page, signal)
    const content = await pages.read(page, signal)
    if (content) {
      const read = await buildBlocks(content, { pages, profile, open }, signal)
      open = read.open
      const blocks = headings.settle(read.blocks)
      const comments = readComments(await pages.listAnnotations(page), page)
      if (blocks.length > 0 || comments.length > 0) readable++
      const heading = blocks.find(block => block.kind === 'heading' && block.level === 1)
      if (page <= 2 && !title && heading) {
        title = heading.text
        yield { type: 'metadata', metadata: { title: heading.text } }
      }
      yield* [...blocks, ...comments].map(block => ({ type: 'block' as const, block }))
      yield* reportEvents(content, labels.get(page), ocr.problem)
    } else {
      open = undefined
      yield buildUnreadableWarning(page)
    }
    await pages.release(page - NEIGHBOURS)
  }
  skipped.add('running heads', pages.heads.skipped)
  yield* pages.heads.listWarnings()
  if (readable === 0 && beside === 0) throw pages.createEmptyError()
  for (const warning of buildLostTextWarnings(pages.lost)) yield { type: 'warning', warning }
}

type PageContext = {
  readonly pages: Pages
  readonly profile: Profile
  readonly open: PageBlocks['open']
}

async function buildBlocks(
  content: PageContent,
  { pages, profile, open }: PageContext,
  signal?: AbortSignal,
): Promise<PageBlocks> {
  const around = await pages.listNeighbours(content.page, signal)
  const fitting = content.ocr
    ? buildProfile([content, ...around], profile.outline, profile.words)
    : profile
  const furniture = findFurniture(content, around, pages.count)
  const heads = pages.heads.select(content, furniture, around)
  return buildPageBlocks(content, { dropped: furniture.fragments, heads, profile: fitting, open })
}

function* reportEvents(
  content: PageContent,
  label: string | undefined,
  problem?: OcrProblem,
): Iterable<ParserEvent> {
  const report = { ...toReport(content), ...(label && { label }) }
  yield { type: 'page', report }
  if (content.isCut) {
    const message = localizable`Page ${report.page} holds more than ${MAX_ITEMS} pieces of text: the rest of them is left out.`
    yield {
      type: 'warning',
      warning: withMessage({ code: 'too_large', page: report.page }, message),
    }
  }
  if (content.unread) {
    const message = localizable`About ${content.unread} characters on page ${report.page} are left out: they lie outside the page, or cannot be decoded.`
    yield {
      type: 'warning',
      warning: withMessage({ code: 'left_out', page: report.page }, message),
    }
  }
  for (const warning of buildOcrWarnings(content, problem)) yield { type: 'warning', warning }
  if (report.garbled >= NOTABLE_JUNK) {
    const message = localizable`${Math.round(report.garbled * 100)} % of the characters on page ${report.page} are unreadable: a font lacks its character map.`
    yield { type: 'warning', warning: withMessage({ code: 'garbled', page: report.page }, message) }
  }
}

function toReport(content: PageContent): PageReport {
  const { page, fragments, images, ocr } = content
  const garbled = measureGarbledShare(fragments.map(fragment => fragment.text).join(''))
  return { page, characters: countPageCharacters(content), images, garbled, ...(ocr && { ocr }) }
}

function buildUnreadableWarning(page: number): ParserEvent {
  const message = localizable`Page ${page} is damaged and could not be read.`
  return { type: 'warning', warning: withMessage({ code: 'corrupt', page }, message) }
}

/** The PDF pages of an XFA form only ask to wait. A form with fields is read by them. */
async function isXfaForm(document: PDFDocumentProxy): Promise<boolean> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const { data } = XFA_INFO.safeParse(info)
  return data?.IsXFAPresent === true && !data.IsAcroFormPresent
}

async function readPageLabels(document: PDFDocumentProxy): Promise<ReadonlyMap<number, string>> {
  const labels = (await document.getPageLabels().catch(() => undefined)) ?? [] // damaged labels lose no text
  const named = labels.map(
    (label, index) => [index + 1, label.trim().slice(0, MAX_LABEL_CHARS)] as const,
  )
  return new Map(named.filter(([page, label]) => label !== '' && label !== String(page)))
}

async function readMetadata(document: PDFDocumentProxy): Promise<Metadata> {
  const metadata: unknown = await document.getMetadata().catch(() => undefined)
  const info = (metadata as { info?: Record<string, unknown> } | undefined)?.info ?? {}
  const text = (key: string) =>
    typeof info[key] === 'string' && info[key].trim() ? info[key].trim() : undefined
  return {
    title: filterTitle(text('Title')),
    author: filterName(text('Author')),
    subject: filterName(text('Subject')),
    keywords: text('Keywords'),
    created: parsePdfDate(text('CreationDate')),
    modified: parsePdfDate(text('ModDate')),
    language: text('Language'),
    pages: document.numPages,
  }
}

/** Programs store file names and their own defaults as titles. */
function filterTitle(title: string | undefined): string | undefined {
  const defaults = /^(untitled|microsoft word|无标题|文档\d|document\d*$)|\.\w{2,4}$/i
  return filterName(title) && !defaults.test(title ?? '') ? title : undefined
}

function filterName(name: string | undefined): string | undefined {
  return name && !/^\(?(anonymous|unspecified|unknown)\)?$/i.test(name) ? name : undefined
}

function parsePdfDate(written: string | undefined): string | undefined {
  const parts = /^D?:?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d'?\d\d)?/.exec(
    written ?? '',
  )
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '00', zone = ''] = parts
  const date = `${year}-${month}-${day}`
  return hour
    ? `${date}T${hour}:${minute}:${second}${zone.replace(/^([+-]\d\d)'?(\d\d)$/, '$1:$2')}`
    : date
}
