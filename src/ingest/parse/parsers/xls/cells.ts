import { type BiffRecord, RECORD, RecordReader } from './records.ts'
import type { Workbook } from './workbook.ts'

export type Cell = {
  readonly column: number
  readonly text: string
  readonly isNumber: boolean
}

/** Record types, from Excel 2 on. */
const LABELS = new Set([0x04, 0x204, RECORD.richLabel])
const FLOATS = new Set([0x03, 0x203])
const FORMULAS = new Set([0x06, 0x206, 0x406])
const VALUES = new Set([0x05, 0x205])
const INTEGER = 0x02
export const FORMULA_TEXTS: ReadonlySet<number> = new Set([0x07, 0x207])
export const CELL_TYPES: ReadonlySet<number> = new Set([
  ...[...LABELS, ...FLOATS, ...FORMULAS, ...VALUES, INTEGER],
  ...[RECORD.multipleNumbers, RECORD.sharedLabel, RECORD.packedNumber],
])

/** Keyed by code ([MS-XLS] 2.5.10). */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

export class CellReader {
  readonly #workbook: Workbook
  /** Cells whose text the workbook does not have. */
  lost = 0
  #formulaColumn: number | undefined

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  *read(record: BiffRecord): Iterable<Cell> {
    const reader = new RecordReader(this.#workbook.bytes, record)
    if (FORMULA_TEXTS.has(record.type)) return yield* this.#readFormulaText(reader)
    reader.skip(2)
    const column = reader.readUint16()
    if (record.type === RECORD.multipleNumbers) return yield* this.#readMany(reader, column)
    const write = this.#readStyle(reader)
    this.#formulaColumn = undefined
    if (LABELS.has(record.type)) yield toText(column, this.#readLabel(reader))
    else if (record.type === RECORD.sharedLabel)
      yield toText(column, this.#getSharedText(reader.readUint32()))
    else if (record.type === RECORD.packedNumber)
      yield toNumber(column, write(unpackNumber(reader.readUint32())))
    else if (record.type === INTEGER) yield toNumber(column, write(reader.readUint16()))
    else if (VALUES.has(record.type))
      yield toText(column, formatValue(reader.readByte(), reader.readByte() === 1))
    else if (FORMULAS.has(record.type)) yield* this.#readResult(reader, column, write)
    else yield toNumber(column, write(reader.readDouble()))
  }

  *#readMany(reader: RecordReader, first: number): Iterable<Cell> {
    for (let column = first; reader.remaining >= 6; column++) {
      const write = this.#readStyle(reader)
      yield toNumber(column, write(unpackNumber(reader.readUint32())))
    }
  }

  /** A result that is no number is marked in bytes that no number has ([MS-XLS] 2.5.133). */
  *#readResult(
    reader: RecordReader,
    column: number,
    write: (value: number) => string,
  ): Iterable<Cell> {
    const [low, high] = [reader.readUint32(), reader.readUint32()]
    const kind = low & 0xff
    if (high >>> 16 !== 0xffff) yield toNumber(column, write(joinDouble(low, high)))
    else if (kind === 0) this.#formulaColumn = column
    else if (kind === 1 || kind === 2)
      yield toText(column, formatValue((low >>> 16) & 0xff, kind === 2))
  }

  *#readFormulaText(reader: RecordReader): Iterable<Cell> {
    if (this.#formulaColumn === undefined) return
    const { version, codePage } = this.#workbook
    const count = version === 2 ? reader.readByte() : reader.readUint16()
    const text = version === 8 ? reader.readUnicode(count) : reader.readBytes(count, codePage)
    yield toText(this.#formulaColumn, text)
    this.#formulaColumn = undefined
  }

  #readLabel(reader: RecordReader): string {
    const { version, codePage } = this.#workbook
    const count = version === 2 ? reader.readByte() : reader.readUint16()
    return version === 8 ? reader.readUnicode(count) : reader.readBytes(count, codePage)
  }

  #getSharedText(number: number): string {
    const text = this.#workbook.strings.take(number)
    if (text === undefined) this.lost++
    return text ?? ''
  }

  #readStyle(reader: RecordReader): (value: number) => string {
    const { version, styles } = this.#workbook
    if (version !== 2) return styles.format(reader.readUint16())
    reader.skip(1)
    const format = styles.format(reader.readByte() & 0x3f)
    reader.skip(1)
    return format
  }
}

function toText(column: number, text: string): Cell {
  return { column, text, isNumber: false }
}

function toNumber(column: number, text: string): Cell {
  return { column, text, isNumber: true }
}

function formatValue(value: number, isError: boolean): string {
  if (isError) return ERRORS[value] ?? '#N/A'
  return value === 0 ? 'FALSE' : 'TRUE'
}

/** Unpacks an integer or the upper half of a float, perhaps in hundredths ([MS-XLS] 2.5.217). */
function unpackNumber(packed: number): number {
  const isInteger = (packed & 2) !== 0
  const value = isInteger ? packed >> 2 : joinDouble(0, packed & ~3)
  return packed & 1 ? value / 100 : value
}

function joinDouble(low: number, high: number): number {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(low >>> 0, 0)
  bytes.writeUInt32LE(high >>> 0, 4)
  return bytes.readDoubleLE(0)
}
