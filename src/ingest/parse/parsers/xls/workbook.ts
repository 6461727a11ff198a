import { findBuiltinFormat } from '../office/number-format.ts'
import { DEFAULT_CODE_PAGE } from '../rtf/charsets.ts'
import { SharedStrings } from '../xlsx/strings.ts'
import { CellStyles } from '../xlsx/styles.ts'
import { type BiffRecord, isOpening, RECORD, RecordReader, readRecords } from './records.ts'

/** 8 since Excel 97, 5 of Excel 5 and 95, 2 to 4 before. */
type BiffVersion = 2 | 3 | 4 | 5 | 8

/** Undefined for a file of Excel 4 or before, which is one sheet. */
type Sheet = {
  readonly name: string
  readonly offset: number
  readonly isHidden: boolean
}

export type Workbook = {
  readonly bytes: Buffer
  readonly version: BiffVersion
  readonly codePage: number
  readonly sheets: readonly Sheet[]
  readonly strings: SharedStrings
  readonly styles: CellStyles
}

const FORMAT_TYPES = new Set([0x1e, 0x41e])
const STYLE_TYPES = new Set([0x43, 0x243, 0x443, 0xe0])
/** Visual Basic has nothing to read. */
const MODULE = 6
/** Excel's own numbers of code pages ([MS-XLS] 2.4.52). */
const CODE_PAGES: Readonly<Record<number, number>> = { 32768: 10_000, 32769: 1252, 1200: 1252 }

export function readVersion(bytes: Buffer): BiffVersion | undefined {
  const [first] = readRecords(bytes, 0)
  if (!first || !isOpening(first)) return undefined
  switch (first.type >> 8) {
    case 0:
      return 2
    case 2:
      return 3
    case 4:
      return 4
    default:
      return new RecordReader(bytes, first).readUint16() === 0x600 ? 8 : 5
  }
}

type WorkbookOptions = {
  readonly version: BiffVersion
  readonly name: string
  /** Characters that a cell pays for where a text is repeated. */
  readonly charsPerCell: number
}

export function readWorkbook(bytes: Buffer, options: WorkbookOptions): Workbook {
  const globals = new Globals(bytes, options)
  for (const record of readRecords(bytes, 0)) {
    if (record.type === RECORD.eof) break
    globals.add(record)
  }
  return globals.finish()
}

class Globals {
  readonly #bytes: Buffer
  readonly #options: WorkbookOptions
  readonly #version: BiffVersion
  readonly #sheets: Sheet[] = []
  /** Keyed by number; before Excel 5 their place is the number. */
  readonly #codes = new Map<number, string>()
  readonly #formats: number[] = []
  readonly #stringParts: BiffRecord[] = []
  #isInStrings = false
  #codePage = DEFAULT_CODE_PAGE
  #is1904 = false

  constructor(bytes: Buffer, options: WorkbookOptions) {
    this.#bytes = bytes
    this.#options = options
    this.#version = options.version
  }

  add(record: BiffRecord): void {
    this.#isInStrings =
      record.type === RECORD.sharedStrings ||
      (this.#isInStrings && record.type === RECORD.continuation)
    if (this.#isInStrings) this.#stringParts.push(record)
    const reader = new RecordReader(this.#bytes, record)
    if (record.type === RECORD.codePage) {
      const stated = reader.readUint16()
      this.#codePage = CODE_PAGES[stated] ?? stated
    } else if (record.type === RECORD.dateMode) this.#is1904 = reader.readUint16() === 1
    else if (record.type === RECORD.sheet) this.#addSheet(reader)
    else if (FORMAT_TYPES.has(record.type)) this.#addFormat(reader)
    else if (STYLE_TYPES.has(record.type)) this.#addStyle(reader)
  }

  finish(): Workbook {
    const { name, charsPerCell } = this.#options
    const isOneSheet = this.#version < 5
    const numbers = this.#version === 2 ? [...this.#codes.keys()] : this.#formats
    const codes = numbers.map(
      format => this.#codes.get(format) ?? findBuiltinFormat(format) ?? 'General',
    )
    return {
      bytes: this.#bytes,
      version: this.#version,
      codePage: this.#codePage,
      sheets: isOneSheet ? [{ name, offset: 0, isHidden: false }] : this.#sheets,
      strings: new SharedStrings(this.#readStrings(), charsPerCell),
      styles: new CellStyles(codes, this.#is1904),
    }
  }

  #addSheet(reader: RecordReader): void {
    const offset = reader.readUint32()
    const isHidden = (reader.readByte() & 3) !== 0
    const kind = reader.readByte()
    const length = reader.readByte()
    const name =
      this.#version === 8 ? reader.readUnicode(length) : reader.readBytes(length, this.#codePage)
    if (kind !== MODULE) this.#sheets.push({ name, offset, isHidden })
  }

  #addFormat(reader: RecordReader): void {
    const number = this.#version < 4 ? this.#codes.size : reader.readUint16()
    if (this.#version === 8) this.#codes.set(number, reader.readUnicode(reader.readUint16()))
    else this.#codes.set(number, reader.readBytes(reader.readByte(), this.#codePage))
  }

  #addStyle(reader: RecordReader): void {
    if (this.#version === 2) return // a cell states its format itself
    reader.skip(this.#version >= 5 ? 2 : 1)
    this.#formats.push(this.#version >= 5 ? reader.readUint16() : reader.readByte())
  }

  #readStrings(): readonly string[] {
    const [first, ...rest] = this.#stringParts
    if (!first) return []
    const reader = new RecordReader(this.#bytes, first, ...rest)
    reader.skip(4)
    const strings: string[] = []
    for (let remaining = reader.readUint32(); remaining > 0 && !reader.isAtEnd; remaining--)
      strings.push(reader.readUnicode(reader.readUint16()))
    return strings
  }
}
