import { garbledShare, NOTABLE_JUNK } from '../garbled.ts'
import type { PageReport, Parser, ParserEvent, ParserInput } from '../parser.ts'
import { furniture } from './pdf-furniture.ts'
import { readPageLabels } from './pdf-labels.ts'
import { readMetadata } from './pdf-metadata.ts'
import { openPdf } from './pdf-open.ts'
import type { PageContent } from './pdf-page.ts'
import { NEIGHBOURS, Pages } from './pdf-pages.ts'
import { type Profile, profileOf, readOutline } from './pdf-profile.ts'
import { pageBlocks } from './pdf-structure.ts'

/** Pages looked at before the first is read out, to learn how the document is set. */
const SAMPLE_PAGES = 24
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
