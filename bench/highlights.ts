/**
 * How right the page's highlights are: sentences of real documents, cited, lit as the page lights them, and held against where
 * pdf.js draws each letter (PDF), or against the words themselves (text). A citation is right when every quoted letter is lit,
 * and at most 15 % of what is lit is something else.
 *
 *     npx tsx bench/highlights.ts [CITATIONS_A_DOCUMENT 20] [--misses]
 *
 * Documents are this repository's, and those of ../shared where they are there.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from '../src/app.ts'
import type { Box, PlacedBlock } from '../src/ingest/block.ts'
import type { Document } from '../src/ingest/catalog/document.ts'
import { PdfPictures } from '../src/ingest/ocr/pdf-pictures.ts'
import { openPdf } from '../src/ingest/parsers/pdf/open.ts'
import { sentences } from '../src/text/sentences.ts'
import { litBoxes, litRange, placedCells } from '../src/web/source/highlight.ts'
import { scan } from '../test/fixtures/pdf.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SHARED = path.join(ROOT, '../shared/eval/docs')
const [wanted = '20'] = process.argv.slice(2).filter(word => !word.startsWith('--'))
const tellsMisses = process.argv.includes('--misses')
const MAX_ELSE = 0.15
const PAGES_OF_A_DOCUMENT = 12

const FILES = [
  ...[
    'data/samples/freedoom-manual.pdf',
    'data/samples/debian-maintainer-guide-zh.pdf',
    'test/eval/real/docs/fhs-3.0.pdf',
  ],
  ...['data/samples/udhr-zh.docx', 'data/samples/sqlite-when-to-use.html', 'data/samples/zhlint-zh.md'],
].map(name => path.join(ROOT, name))
const SHARED_FILES = [
  ...['pdf/tracemonkey.pdf', 'pdf/zh_two_column.pdf', 'pdf/layout_parser_2p.pdf', 'pdf/zh_travel_policy.pdf'],
  ...['docx/word_sample.docx', 'pptx/powerpoint_sample.pptx', 'pptx/zh_business_review.pptx', 'epub/wasteland.epub'],
  ...['epub/zh_tea.epub', 'html/zh_boilerplate.html', 'xlsx/zh_budget.xlsx'],
].map(name => path.join(SHARED, name))

const FILES_TO_SCAN = { en: 'data/samples/freedoom-manual.pdf', zh: 'data/samples/debian-maintainer-guide-zh.pdf' }

/** A letter of a page and where it is drawn. */
type Letter = { readonly letter: string; readonly x0: number; readonly x1: number; readonly y: number }
type Span = { readonly charStart: number; readonly charEnd: number }
type Judged = { readonly isRight: boolean; readonly lit: number; readonly other: number; readonly missed: number }

const folder = await mkdtemp(path.join(tmpdir(), 'highlights-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
/** Of a scan, the PDF that it was made from: its letters are where the scan's are. */
const truths = new Map<string, string>()
try {
  await passim.index(
    [...FILES, ...SHARED_FILES, ...(await made())].filter(file => existsSync(file)),
    { withoutVectors: true },
  )
  const all: Judged[] = []
  for (const document of (await passim.list('default')).filter(one => one.status === 'completed')) {
    const judged =
      document.pages === undefined || !isPdf(document) ? await judgeText(document) : await judgePages(document)
    all.push(...judged)
    console.log(`${summary(judged)}  ${document.name}`)
  }
  console.log(`${summary(all)}  all`)
} finally {
  await passim.close()
  await rm(folder, { recursive: true, force: true })
}

function summary(judged: readonly Judged[]): string {
  const right = judged.filter(one => one.isRight).length
  const [lit, other] = [sum(judged.map(one => one.lit)), sum(judged.map(one => one.other))]
  const dark = judged.filter(one => one.missed > 0).length
  return `${right} of ${judged.length} right, ${dark} with dark letters, ${((100 * other) / (lit || 1)).toFixed(1)} % else`
}

function isPdf({ mediaType }: Document): boolean {
  return mediaType === 'application/pdf'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** Scans of printed pages. */
async function made(): Promise<readonly string[]> {
  return [await scanned(path.join(ROOT, FILES_TO_SCAN.en), 10), await scanned(path.join(ROOT, FILES_TO_SCAN.zh), 8)]
}

async function scanned(file: string, page: number): Promise<string> {
  const pictures = await PdfPictures.open(file)
  try {
    const size = pictures.sizeOf(page)
    const raster = await pictures.draw(page, size)
    const target = path.join(folder, `scan-of-${path.basename(file)}`)
    await writeFile(target, scan([raster], raster.width / size.width))
    truths.set(path.basename(target), `${file}#${page}`)
    return target
  } finally {
    pictures.close()
  }
}

/** Every so many of what may be cited. */
function sample<Item>(items: readonly Item[], count = Number(wanted)): readonly Item[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]!)
}

function citable({ text, charStart }: PlacedBlock): readonly Span[] {
  const long = sentences(text).filter(({ start, end }) => end - start >= 12)
  return long.map(({ start, end }) => ({ charStart: charStart + start, charEnd: charStart + end }))
}

async function judgeText(document: Document): Promise<readonly Judged[]> {
  const blocks: PlacedBlock[] = []
  for await (const block of passim.library.blocks(document.id)) blocks.push(block)
  const bare = (text: string) => text.replace(/[\s|]+/g, '')
  return sample(blocks.flatMap(citable)).map(span => {
    const lit = bare(blocks.map(block => litText(block, span)).join(''))
    const quoted = bare(
      blocks
        .map(({ text, charStart }) =>
          text.slice(Math.max(0, span.charStart - charStart), Math.max(0, span.charEnd - charStart)),
        )
        .join(''),
    )
    const other = Math.max(0, lit.length - quoted.length)
    const missed = lit.includes(quoted) ? 0 : quoted.length
    return { isRight: missed === 0 && other <= MAX_ELSE * lit.length, lit: lit.length, other, missed }
  })
}

function litText(block: PlacedBlock, span: Span): string {
  const parts = block.kind === 'table' ? placedCells(block).flat() : [block]
  return parts
    .map(({ text, charStart }) => {
      const range = litRange(text, charStart, span)
      return range ? text.slice(range.from, range.to) : ''
    })
    .join('')
}

async function judgePages(document: Document): Promise<readonly Judged[]> {
  const truth = truths.get(document.name)?.split('#')
  const source = truth?.[0] ?? document.source
  const numbers = sample(
    Array.from({ length: document.pages ?? 0 }, (_, at) => at + 1),
    PAGES_OF_A_DOCUMENT,
  )
  const spans: { readonly span: Span; readonly blocks: readonly PlacedBlock[]; readonly letters: readonly Letter[] }[] =
    []
  for (const page of numbers) {
    const { blocks } = await passim.pages.read(document, page)
    const letters = await lettersOf(source, truth ? Number(truth[1]) : page)
    for (const span of blocks.flatMap(citable)) spans.push({ span, blocks, letters })
  }
  return sample(spans).flatMap(({ span, blocks, letters }) => judgePage(span, blocks, letters, document.name) ?? [])
}

/** Undefined where the letters of a line cannot be told apart, as where OCR has read another number of them. */
function judgePage(
  span: Span,
  blocks: readonly PlacedBlock[],
  letters: readonly Letter[],
  name: string,
): Judged | undefined {
  const lines = blocks.flatMap(linesOf).filter(line => line.charStart < span.charEnd && span.charStart < line.charEnd)
  const boxes = litBoxes(blocks, span)
  let [lit, other, missed] = [0, 0, 0]
  for (const [at, line] of lines.entries()) {
    const drawn = lettersIn(line.box, letters)
    const read = [...line.text].flatMap((letter, index) => (/\s/.test(letter) ? [] : [index]))
    if (drawn.length !== read.length) return undefined
    const isQuoted = (index: number) =>
      line.charStart + index >= span.charStart && line.charStart + index < span.charEnd
    const quoted = drawn.filter((_, index) => isQuoted(read[index]!))
    const [x0, , x1] = boxes[at]!
    const [from, to] = [Math.min(...quoted.map(one => one.x0)), Math.max(...quoted.map(one => one.x1))]
    missed += quoted.filter(one => (one.x0 + one.x1) / 2 < x0 || (one.x0 + one.x1) / 2 > x1).length
    lit += x1 - x0
    other += Math.max(0, from - x0) + Math.max(0, x1 - to)
  }
  const isRight = missed === 0 && other <= MAX_ELSE * lit
  if (!isRight && tellsMisses)
    console.log(
      `  ${name}: ${missed} dark, ${((100 * other) / lit).toFixed(0)} % else: ${lines.map(line => line.text).join(' / ')}`,
    )
  return { isRight, lit, other, missed }
}

function linesOf({ lines = [], charStart, text }: PlacedBlock) {
  return lines.map(({ start, end, box }) => ({
    charStart: charStart + start,
    charEnd: charStart + end,
    box,
    text: text.slice(start, end),
  }))
}

function lettersIn([x0, y0, x1, y1]: Box, letters: readonly Letter[]): readonly Letter[] {
  const inside = letters.filter(
    ({ x0: left, x1: right, y }) => (left + right) / 2 > x0 - 1 && (left + right) / 2 < x1 + 1 && y > y0 && y < y1,
  )
  return inside.toSorted((a, b) => a.x0 - b.x0)
}

/** By the widths that the fonts give their letters, as pdf.js draws them. */
async function lettersOf(file: string, number: number): Promise<readonly Letter[]> {
  await readFile(file)
  const opened = await openPdf({ path: file, name: file, mediaType: 'application/pdf' })
  try {
    const page = await opened.document.getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    const widths = await widthsOf(page)
    const { items } = await page.getTextContent()
    return items.flatMap(item => {
      if (!('str' in item) || item.str === '') return []
      const [a, b, , , e, f] = item.transform as number[]
      const along = item.width / (Math.hypot(a!, b!) || 1)
      const ofFont = widths.get(item.fontName)
      const shares = [...item.str].map(letter => ofFont?.get(letter) ?? 500)
      const whole = sum(shares)
      let done = 0
      return [...item.str].flatMap((letter, at) => {
        const [from, to] = [done / whole, (done + shares[at]!) / whole]
        done += shares[at]!
        const [start, end] = [from, to].map(share =>
          viewport.convertToViewportPoint(e! + a! * along * share, f! + b! * along * share),
        )
        const [left, right] = [start![0], end![0]].toSorted((one, two) => one - two)
        const y = start![1] + (viewport.rotation === 180 ? 1 : -1) * item.height * 0.3
        return /\s/.test(letter) ? [] : [{ letter, x0: left!, x1: right!, y }]
      })
    })
  } finally {
    await opened.close()
  }
}

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof openPdf>>['document']['getPage']>>
type Glyph = { readonly unicode?: string; readonly width?: number }

async function widthsOf(page: PdfPage): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [setFont, showText] = [37, 44] // pdf.js's OPS
  const widths = new Map<string, Map<string, number>>()
  let font = ''
  for (const [at, operation] of fnArray.entries()) {
    if (operation === setFont) font = String(argsArray[at][0])
    if (operation !== showText) continue
    const known = widths.get(font) ?? new Map<string, number>()
    widths.set(font, known)
    for (const glyph of argsArray[at][0] as readonly (Glyph | number)[]) {
      if (typeof glyph !== 'number' && glyph.unicode && glyph.width) known.set(glyph.unicode, glyph.width)
    }
  }
  return widths
}
