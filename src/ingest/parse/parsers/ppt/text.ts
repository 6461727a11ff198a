import { type Block, indentNestedText } from '../../../block.ts'
import { toElevatedText } from '../raised-text.ts'
import { type MaskedFields, MaskedReader } from './masked-fields.ts'
import { type PptRecord, type PptRecords, RECORD } from './records.ts'

/** [MS-PPT] 2.13.33. */
const TITLE = 0
const CENTRED_TITLE = 6

const FIELDS: ReadonlySet<number> = new Set([
  RECORD.numberField,
  RECORD.dateField,
  RECORD.genericDateField,
  RECORD.headerField,
  RECORD.footerField,
  RECORD.formattedDateField,
])

export class PptText {
  readonly #records: PptRecords
  readonly kind: number
  #characters = ''
  #style: PptRecord | undefined
  readonly #fields = new Set<number>()

  constructor(records: PptRecords, kind: number) {
    this.#records = records
    this.kind = kind
  }

  get isTitle(): boolean {
    return this.kind === TITLE || this.kind === CENTRED_TITLE
  }

  add(record: PptRecord): void {
    if (record.type === RECORD.textCharacters) this.#characters = this.#records.readWide(record)
    else if (record.type === RECORD.textBytes)
      this.#characters = this.#records.getContent(record).toString('latin1')
    else if (record.type === RECORD.textStyle) this.#style = record
    else if (FIELDS.has(record.type))
      this.#fields.add(this.#records.read(record, 4).readUInt32LE(0))
  }

  toLine(): string {
    return this.listParagraphs()
      .map(({ text }) => text)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
  }

  *toBlocks(): Iterable<Block> {
    for (const { text, level, isItem } of this.listParagraphs())
      if (text)
        yield isItem
          ? { kind: 'list', text: indentNestedText(text, level) }
          : { kind: 'paragraph', text }
  }

  listParagraphs(): readonly PptParagraph[] {
    const { paragraphs, runs } = this.#readStyle()
    const text = this.#characters
    const found: PptParagraph[] = []
    for (let start = 0; start < text.length; ) {
      const mark = text.indexOf('\r', start)
      const end = mark < 0 ? text.length : mark
      const { level = 0, hasBullet = false } = findStretch(paragraphs, start) ?? {}
      const visibleText = this.#readRuns(runs, start, end).replaceAll('\v', '\n').trim()
      found.push({ text: visibleText, level, isItem: hasBullet || level > 0 })
      start = end + 1
    }
    return found
  }

  #readRuns(runs: readonly RunStretch[], start: number, end: number): string {
    let text = ''
    for (let from = start; from < end; ) {
      const run = findStretch(runs, from)
      const to = Math.min(end, run?.end ?? end)
      let piece = ''
      for (let offset = from; offset < to; offset++)
        if (!this.#fields.has(offset)) piece += this.#characters.charAt(offset)
      const position = run?.position ?? 0
      text += toElevatedText(piece, position > 0 ? 'raised' : position < 0 ? 'lowered' : undefined)
      from = to
    }
    return text
  }

  #readStyle(): { paragraphs: readonly ParagraphStretch[]; runs: readonly RunStretch[] } {
    if (!this.#style) return { paragraphs: [], runs: [] }
    const reader = new MaskedReader(this.#records.getContent(this.#style))
    const length = this.#characters.length + 1 // the last mark of a paragraph is not stored
    const paragraphs = readStretches(reader, length, readParagraph)
    return { paragraphs, runs: readStretches(reader, length, readRun) }
  }
}

type PptParagraph = { readonly text: string; readonly level: number; readonly isItem: boolean }

export function collectTexts(records: PptRecords, list: Iterable<PptRecord>): readonly PptText[] {
  const texts: PptText[] = []
  for (const record of list) {
    if (record.type === RECORD.textHeader)
      texts.push(new PptText(records, records.read(record, 4).readUInt32LE(0)))
    else texts.at(-1)?.add(record)
  }
  return texts
}

type ParagraphStretch = {
  readonly end: number
  readonly level: number
  readonly hasBullet: boolean
}
/** `position` is above the line, in per cent of the size. */
type RunStretch = { readonly end: number; readonly position: number }

function findStretch<Stretch extends { readonly end: number }>(
  stretches: readonly Stretch[],
  index: number,
): Stretch | undefined {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.end ?? 0) <= index) low = middle + 1
    else high = middle
  }
  return stretches[low]
}

/** Bytes of properties, in the order of their bits ([MS-PPT] 2.9.20 and 2.9.14). */
const PARAGRAPH_BULLETS = 0xf
const PARAGRAPH_FIELDS: MaskedFields = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
]
const TAB_STOPS = 0x10_0000
const LATE_PARAGRAPH_FIELDS: MaskedFields = [
  [0x1_0000, 2],
  [0xe_0000, 2],
  [0x20_0000, 2],
]
const RUN_FIELDS: MaskedFields = [
  [0xffff, 2],
  [0x1_0000, 2],
  [0x20_0000, 2],
  [0x40_0000, 2],
  [0x80_0000, 2],
  [0x2_0000, 2],
  [0x4_0000, 4],
]
const POSITION = 0x8_0000

/** Reads formats of paragraphs or of runs ([MS-PPT] 2.9.44). */
function readStretches<Stretch>(
  reader: MaskedReader,
  length: number,
  readStretch: (reader: MaskedReader, end: number) => Stretch,
): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (let end = 0; end < length && !reader.isAtEnd; ) {
    const count = reader.readNumber(4)
    if (count === 0) break
    end += count
    stretches.push(readStretch(reader, end))
  }
  return stretches
}

function readParagraph(reader: MaskedReader, end: number): ParagraphStretch {
  const level = reader.readNumber(2)
  const mask = reader.readNumber(4)
  const bullet = mask & PARAGRAPH_BULLETS ? reader.readNumber(2) : 0
  reader.skipFields(mask, PARAGRAPH_FIELDS)
  if (mask & TAB_STOPS) reader.skip(4 * reader.readNumber(2))
  reader.skipFields(mask, LATE_PARAGRAPH_FIELDS)
  return { end, level, hasBullet: (mask & bullet & 1) === 1 }
}

function readRun(reader: MaskedReader, end: number): RunStretch {
  const mask = reader.readNumber(4)
  reader.skipFields(mask, RUN_FIELDS)
  const position = mask & POSITION ? reader.readNumber(2) : 0
  return { end, position: position > 0x7fff ? position - 0x1_0000 : position }
}
