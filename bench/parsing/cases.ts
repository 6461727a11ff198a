import { readFileSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'
import { PdfPictures } from '../../src/ingest/parse/ocr/pdf-pictures.ts'
import { bare, type SourceDocument, type Unit } from '../cite-check/document.ts'
import {
  type DrawnText,
  drawnPdf,
  lyingOnItsSide,
  type Picture,
  scannedPdf,
  widthOf,
} from './drawn-pages.ts'
import type { Fact } from './facts.ts'
import { factsOf, TABLES, WRITERS } from './merged-tables.ts'
import { rightToLeftCases } from './right-to-left.ts'

export const CASE_KINDS = [
  'whole',
  'cut off',
  'scanned',
  'turned',
  'two columns',
  'merged cells',
  'right to left',
] as const

export type ParsingCase = {
  readonly kind: (typeof CASE_KINDS)[number]
  readonly language: 'en' | 'zh' | 'he' | 'ar'
  /** The name of its file. */
  readonly name: string
  readonly bytes: string | Buffer
  readonly facts: readonly Fact[]
}

/** The files of these documents as they are, cut off, scanned, turned and in two columns; and the tables and texts made for the rest. */
export async function parsingCases(
  documents: readonly SourceDocument[],
  files: URL,
): Promise<ParsingCase[]> {
  const bytesOf = ({ id, format }: SourceDocument) =>
    readFileSync(new URL(`${id}.${format}`, files))
  const cases: ParsingCase[] = []
  for (const [index, document] of documents.entries()) {
    const bytes = bytesOf(document)
    cases.push({ ...named('whole', document, document.format), bytes, facts: wholeFacts(document) })
    cases.push(...cutOff(document, bytes))
    if (document.format === 'pdf') cases.push(...(await scanned(document, bytes)))
    if (sentencesOf(document).length >= LEAST_SENTENCES)
      cases.push(turned(document, index), inColumns(document))
  }
  return [...cases, ...mergedCells(), ...rightToLeftCases()]
}

/** Documents with less prose make no page of it. */
const LEAST_SENTENCES = 10

const named = (kind: ParsingCase['kind'], { id, language }: SourceDocument, format: string) => ({
  kind,
  language,
  name: `${id}-${kind.replaceAll(' ', '-')}.${format}`,
})

/** Pages are those of the file where the format has any. */
function wholeFacts(document: SourceDocument): Fact[] {
  const hasPages = document.format === 'pdf' || document.format === 'pptx'
  return unitsOf(document).flatMap(unit => factsOfUnit(unit, hasPages ? unit.page : undefined))
}

/** A table is all that a file of values has; the sheets of a workbook have no text beside them. */
const unitsOf = ({ units, format }: SourceDocument): readonly Unit[] => {
  const own = units.filter(({ kind }) => kind !== 'heading')
  if (format === 'csv') return own.filter(({ table }) => table === 1)
  return format === 'xlsx' ? own.filter(({ kind }) => kind === 'row') : own
}

/** A row is looked for by its first cell, each other cell under its heading. */
function factsOfUnit({ kind, text, cells, header }: Unit, page?: number): Fact[] {
  if (kind !== 'row') return [{ kind: 'text', words: text, ...(page !== undefined && { page }) }]
  const [key] = cells
  return cells.slice(1).flatMap((value, at): Fact[] => {
    const column = header[at + 1]
    return key && column && bare(value) && bare(key)
      ? [{ kind: 'cell', row: [key], column: [column], value }]
      : []
  })
}

const sentencesOf = ({ units }: SourceDocument): string[] =>
  units.filter(({ kind }) => kind === 'sentence').map(({ text }) => text)

/** The first three fifths of a file. What can be read of it by hand has to be found, and that the rest is missing has to be said. */
function cutOff(document: SourceDocument, bytes: Buffer): ParsingCase[] {
  const { format } = document
  const kept = bytes.subarray(0, Math.floor(bytes.length * 0.6))
  const left = leftOf(format, kept)
  if (left === undefined) return []
  const text = bare(left)
  const facts = unitsOf(document)
    .filter(
      unit =>
        bare(unit.text) &&
        text.includes(bare(unit.kind === 'row' ? unit.cells.join('') : unit.text)),
    )
    .flatMap(unit => factsOfUnit(unit))
  const isSeen = format !== 'txt' && format !== 'md' && format !== 'csv' // whose end looks like any other
  return [
    {
      ...named('cut off', document, format),
      bytes: kept,
      facts: [...facts, ...(isSeen ? [{ kind: 'told' } as const] : [])],
    },
  ]
}

/** The text that is left in a file without its end; undefined of formats in which this program cannot tell. */
function leftOf(format: string, kept: Buffer): string | undefined {
  if (['txt', 'md', 'html', 'csv'].includes(format))
    return kept.toString('utf8').replace(/<[^>]*>/g, '')
  if (!['docx', 'pptx', 'epub'].includes(format)) return undefined
  return partsLeft(kept)
    .filter(({ name }) => /document\.xml$|slide\d+\.xml$|\.xhtml$/.test(name))
    .map(({ text }) => text.replace(/<[^>]*>/g, ''))
    .join('\n')
}

/** The parts of a zip file that has lost its directory, the last of them as far as it goes. */
function partsLeft(kept: Buffer): { readonly name: string; readonly text: string }[] {
  const parts: { name: string; text: string }[] = []
  for (let at = 0; kept.toString('latin1', at, at + 4) === 'PK\x03\x04'; ) {
    const packed = kept.readUInt32LE(at + 18)
    const nameLength = kept.readUInt16LE(at + 26)
    const begin = at + 30 + nameLength + kept.readUInt16LE(at + 28)
    const bytes = kept.subarray(begin, begin + packed)
    const text = inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8')
    parts.push({ name: kept.toString('utf8', at + 30, at + 30 + nameLength), text })
    at = begin + packed
  }
  return parts
}

/** Each page as a picture; and the first lying on its side. */
async function scanned(document: SourceDocument, bytes: Buffer): Promise<ParsingCase[]> {
  const pictures = await pagesDrawn(bytes)
  const onPage = (page: number) => unitsOf(document).filter(unit => unit.page === page)
  const facts = pictures.flatMap((_, at) =>
    onPage(at + 1).flatMap(unit => factsOfUnit(unit, at + 1)),
  )
  const [first] = pictures
  const lying = named('turned', document, 'pdf')
  return [
    { ...named('scanned', document, 'pdf'), bytes: scannedPdf(pictures), facts },
    ...(first
      ? [
          {
            ...lying,
            name: `${document.id}-scanned-and-turned.pdf`,
            bytes: scannedPdf([lyingOnItsSide(first)]),
            facts: onPage(1).flatMap(unit => factsOfUnit(unit, 1)),
          },
        ]
      : []),
  ]
}

async function pagesDrawn(bytes: Buffer): Promise<Picture[]> {
  const pictures = await PdfPictures.open(bytes)
  try {
    const drawn: Picture[] = []
    for (let page = 1; page <= pictures.pages; page++)
      drawn.push(await pictures.draw(page, pictures.getPageSize(page)))
    return drawn
  } finally {
    pictures.close()
  }
}

const SIZE = 9
const LEADING = 13

/** Lines of at most so many points; Chinese is broken anywhere, English between words. */
function linesOf(text: string, points: number): string[] {
  const pieces =
    text.match(
      /[\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]|[^\s\u2e80-\u9fff\uff00-\uffef\u3000-\u303f]+\s*|\s+/gu,
    ) ?? []
  const lines = ['']
  for (const piece of pieces) {
    const longer = `${lines.at(-1)}${piece}`
    if (widthOf(longer.trimEnd(), SIZE) <= points) lines.splice(-1, 1, longer)
    else lines.push(piece)
  }
  return lines.map(line => line.trim()).filter(Boolean)
}

/** Sentences that fill so many lines, and these lines. */
function proseOf(document: SourceDocument, points: number, most: number) {
  const sentences: string[] = []
  let lines: string[] = []
  for (const sentence of sentencesOf(document)) {
    const longer = linesOf(
      [...sentences, sentence].join(document.language === 'zh' ? '' : ' '),
      points,
    )
    if (longer.length > most) break
    sentences.push(sentence)
    lines = longer
  }
  return {
    sentences,
    lines,
    facts: sentences.map((words): Fact => ({ kind: 'text', words, page: 1 })),
  }
}

const TURNS = [
  { turned: 90, turn: 90 },
  { turned: 180, turn: 180 },
  { turned: 270, turn: 270 },
  { turned: 0, turn: 90 },
] as const

/** Words that run up, down or back over the page, which is shown turned so that they can be read; or is not, as a table across a page. */
function turned(document: SourceDocument, index: number): ParsingCase {
  const { turned, turn } = TURNS[index % TURNS.length]!
  const { lines, facts } = proseOf(document, 440, 38)
  const place = (at: number) => {
    if (turn === 90) return { x: 60 + at * LEADING, y: 120 }
    return turn === 180 ? { x: 540, y: 120 + at * LEADING } : { x: 552 - at * LEADING, y: 700 }
  }
  const items = lines.map((text, at): DrawnText => ({ text, size: SIZE, turn, ...place(at) }))
  return { ...named('turned', document, 'pdf'), bytes: drawnPdf([items], turned), facts }
}

/** Prose in two columns, the second beside the first. */
function inColumns(document: SourceDocument): ParsingCase {
  const { lines, facts } = proseOf(document, 225, 100)
  const half = Math.ceil(lines.length / 2)
  const items = lines.map((text, at): DrawnText => {
    const row = at % half
    return { text, size: SIZE, x: at < half ? 60 : 325, y: 720 - row * LEADING }
  })
  return { ...named('two columns', document, 'pdf'), bytes: drawnPdf([items]), facts }
}

function mergedCells(): ParsingCase[] {
  return TABLES.flatMap(table =>
    Object.entries(WRITERS).map(([format, write]) => ({
      ...({
        kind: 'merged cells',
        language: table.language,
        name: `${table.name}.${format}`,
      } as const),
      bytes: write(table),
      facts: factsOf(table),
    })),
  )
}
