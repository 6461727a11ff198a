import { hasWords, type SkippedText } from '../../skipped-text.ts'
import { formatLetters } from '../office/list-numbers.ts'
import { hasPrintedText } from '../xlsx/drawings.ts'
import { CELL_TYPES, FORMULA_TEXTS } from './cells.ts'
import { type BiffRecord, isOpening, RECORD, RecordReader, readRecords } from './records.ts'
import type { Workbook } from './workbook.ts'

type SheetText = { readonly cell?: string; readonly text: string }

export type SheetContents = {
  /** Offsets of cells by row. */
  readonly rows: ReadonlyMap<number, readonly BiffRecord[]>
  readonly merges: readonly CellRange[]
  readonly texts: readonly SheetText[]
  readonly isCutOff: boolean
}

type CellRange = { readonly first: CellPlace; readonly last: CellPlace }
type CellPlace = { readonly row: number; readonly column: number }

const COMMENT_OBJECT = 0x19
const TEXT_BOX_OBJECT = 6
const PICTURE_OBJECT = 8
/** Titles and texts of prompt and error ([MS-XLS] 2.4.91). */
const VALIDATION_TEXTS = 4

export function collectSheet(
  workbook: Workbook,
  offset: number,
  skipped: SkippedText,
): SheetContents {
  const collector = new SheetCollector(workbook, skipped)
  for (const record of readRecords(workbook.bytes, offset))
    if (!collector.add(record)) return collector.finish({ isCutOff: false })
  return collector.finish({ isCutOff: true })
}

class SheetCollector {
  readonly #workbook: Workbook
  readonly #skipped: SkippedText
  readonly #rows = new Map<number, BiffRecord[]>()
  readonly #merges: CellRange[] = []
  readonly #texts: SheetText[] = []
  readonly #objectTexts = new Map<number, string>()
  readonly #comments: { readonly cell: string; readonly object: number }[] = []
  #object = { id: 0, type: 0 }
  /** A text whose characters the next continuation has. */
  #textObject: BiffRecord | undefined
  /** Charts within the sheet are sheets within it. */
  #depth = 0
  #lastRow = 0
  #isInTitle = false

  constructor(workbook: Workbook, skipped: SkippedText) {
    this.#workbook = workbook
    this.#skipped = skipped
  }

  add(record: BiffRecord): boolean {
    if (isOpening(record)) this.#depth++
    else if (record.type === RECORD.eof) this.#depth--
    else if (this.#depth <= 1) this.#addOfSheet(record)
    if (record.type === RECORD.chartSeries) this.#isInTitle = false
    else if (record.type === RECORD.chartTitle) this.#isInTitle = true
    else if (record.type === RECORD.chartText && this.#isInTitle) this.#addChartTitle(record)
    return this.#depth > 0
  }

  finish({ isCutOff }: { readonly isCutOff: boolean }): SheetContents {
    const comments = this.#comments.flatMap(({ cell, object }) => {
      const text = this.#objectTexts.get(object)?.trim()
      return text ? [{ cell, text }] : []
    })
    const texts = [...comments, ...this.#texts]
    return { rows: this.#rows, merges: this.#merges, texts, isCutOff }
  }

  #addOfSheet(record: BiffRecord): void {
    const reader = new RecordReader(this.#workbook.bytes, record)
    if (CELL_TYPES.has(record.type)) this.#addCell(record, reader.readUint16())
    else if (FORMULA_TEXTS.has(record.type)) this.#addFormulaText(record)
    else if (record.type === RECORD.mergedCells) this.#addMerges(reader)
    else if (record.type === RECORD.note) this.#addComment(reader)
    else if (record.type === RECORD.object) this.#openObject(reader)
    else if (record.type === RECORD.textObject) this.#textObject = record
    else if (record.type === RECORD.continuation) this.#addObjectText(reader)
    else if (record.type === RECORD.header) this.#countPrinted(reader, 'headers')
    else if (record.type === RECORD.footer) this.#countPrinted(reader, 'footers')
    else this.#countUnread(record.type, reader)
  }

  #countUnread(type: number, reader: RecordReader): void {
    if (type === RECORD.scenario) this.#skipped.add('scenarios')
    else if (type === RECORD.linkTip) this.#skipped.add('text alternatives')
    else if (type === RECORD.validation) {
      reader.skip(4)
      const texts = Array.from({ length: VALIDATION_TEXTS }, () =>
        reader.readUnicode(reader.readUint16()).replaceAll('\0', ''),
      )
      this.#skipped.add('validation texts', texts.some(hasWords) ? 1 : 0)
    }
  }

  #addCell(record: BiffRecord, row: number): void {
    const cells = this.#rows.get(row)
    if (cells) cells.push(record)
    else this.#rows.set(row, [record])
    this.#lastRow = row
  }

  #addFormulaText(record: BiffRecord): void {
    this.#rows.get(this.#lastRow)?.push(record)
  }

  #addMerges(reader: RecordReader): void {
    for (let remaining = reader.readUint16(); remaining > 0 && reader.remaining >= 8; remaining--) {
      const [top, bottom] = [reader.readUint16(), reader.readUint16()]
      const [start, end] = [reader.readUint16(), reader.readUint16()]
      this.#merges.push({
        first: { row: top, column: start },
        last: { row: bottom, column: end },
      })
    }
  }

  #addComment(reader: RecordReader): void {
    const row = reader.readUint16()
    const column = reader.readUint16()
    const cell = `${formatLetters(column + 1).toUpperCase()}${row + 1}`
    if (this.#workbook.version === 8) {
      reader.skip(2)
      this.#comments.push({ cell, object: reader.readUint16() })
      return
    }
    reader.skip(2)
    const text = reader.readBytes(reader.remaining, this.#workbook.codePage)
    const before = row === 0xffff ? this.#texts.pop() : undefined
    this.#texts.push(before ? { ...before, text: before.text + text } : { cell, text })
  }

  #openObject(reader: RecordReader): void {
    reader.skip(4)
    const type = reader.readUint16()
    if (this.#workbook.version < 8 && type === TEXT_BOX_OBJECT) this.#skipped.add('text boxes')
    if (type === PICTURE_OBJECT) this.#skipped.add('pictures')
    this.#object = { type, id: reader.readUint16() }
  }

  #addObjectText(reader: RecordReader): void {
    if (!this.#textObject) return
    const object = new RecordReader(this.#workbook.bytes, this.#textObject)
    this.#textObject = undefined
    object.skip(10)
    const count = object.readUint16()
    const text = reader.readCharacters(count, (reader.readByte() & 1) === 1).trim()
    if (!text) return
    if (this.#object.type === COMMENT_OBJECT) this.#objectTexts.set(this.#object.id, text)
    else this.#texts.push({ text })
  }

  #addChartTitle(record: BiffRecord): void {
    const { bytes, version, codePage } = this.#workbook
    const reader = new RecordReader(bytes, record)
    reader.skip(2)
    const count = reader.readByte()
    const text = version === 8 ? reader.readUnicode(count) : reader.readBytes(count, codePage)
    if (/\p{L}/u.test(text)) this.#texts.push({ text: text.trim() })
  }

  #countPrinted(reader: RecordReader, kind: 'headers' | 'footers'): void {
    const { version, codePage } = this.#workbook
    const text =
      version === 8
        ? reader.readUnicode(reader.readUint16())
        : reader.readBytes(reader.readByte(), codePage)
    if (hasPrintedText(text)) this.#skipped.add(kind)
  }
}
