import { getFirst, getItem } from '../../../system/items.ts'
import {
  type Block,
  CELL_SEPARATOR,
  clipText,
  formatTableText,
  MAX_REPEATED_CHARS,
  padRows,
} from '../../block.ts'
import { toLinks } from './link-targets.ts'

/** Bounded, so that a table is written while it is read. */
const LOOKAHEAD_ROWS = 24
/** Rows per block, so that a long table is cut between rows; further limits follow. */
const MAX_ROWS = 200
const MAX_CELLS = 20_000
const MAX_CHARACTERS = 60_000

const MAX_HEADER_ROWS = 3
/** Rows above a header, so that a narrow table beside a wide one is not taken for notes. */
const MAX_NOTES = 3
/** May be in any notation. */
const SEPARATED_DIGITS = /\p{Nd}[.,'’．，]\p{Nd}/u
const MEASURE = /^[^\p{L}\d]{0,3}\d[\d.,:/\s'-]*[^\p{L}\d]{0,2}$/u

type TableBlocksOptions = {
  readonly areBlanksWritten: boolean
  readonly numbers?: Block['numbers']
  /** Blanks that a cell pays for by its bytes, so that empty cells multiply nothing. */
  readonly charsPerCell?: number
}

/**
 * Builds blocks of bounded size, each with the header unless it is too long. Blank rows end a
 * table; narrower rows above it become paragraphs.
 */
export class TableBlocks {
  #undecided: Row[] = []
  #header: readonly Row[] = []
  /** With text in the header; cached because headers may be wide. */
  #headerColumns: ReadonlySet<number> = new Set()
  #isHeaderRepeated = false
  #isFirstBlock = true
  #rows: Row[] = []
  #width = 0
  #characters = 0
  #isInTable = false
  readonly #textNumbers = new WeakMap<Row, readonly number[]>()
  readonly #targets = new WeakMap<Row, readonly string[]>()
  readonly #areBlanksWritten: boolean
  readonly #numbers: Block['numbers']
  readonly #charsPerCell: number

  constructor({ areBlanksWritten, numbers, charsPerCell = CHARS_PER_CELL }: TableBlocksOptions) {
    this.#areBlanksWritten = areBlanksWritten
    this.#numbers = numbers
    this.#charsPerCell = charsPerCell
  }

  /** `native`: columns with numbers in the file. */
  *add(
    row: Row,
    native: ReadonlySet<number> = new Set(),
    targets: readonly string[] = [],
  ): Iterable<Block> {
    const cells = row.map(cell => cell.trim())
    const isTextNumber = (column: number) =>
      !native.has(column) && SEPARATED_DIGITS.test(cells[column] ?? '')
    if (this.#numbers === 'native')
      this.#textNumbers.set(cells, [...cells.keys()].filter(isTextNumber))
    if (targets.length > 0) this.#targets.set(cells, targets)
    if (countFilled(cells) === 0) yield* this.#endRegion()
    else if (this.#isInTable) yield* this.#addToTable(cells)
    else {
      this.#undecided.push(cells)
      if (this.#undecided.length >= LOOKAHEAD_ROWS) yield* this.#decide()
    }
  }

  *end(): Iterable<Block> {
    yield* this.#endRegion()
    yield* this.#flush()
    this.#header = []
  }

  *#endRegion(): Iterable<Block> {
    if (this.#undecided.length > 0) yield* this.#decide()
    this.#isInTable = false
  }

  *#decide(): Iterable<Block> {
    const rows = this.#undecided
    this.#undecided = []
    if (continuesTable(this.#header.at(-1) ?? [], getFirst(rows))) yield* this.#appendRows(rows)
    else yield* this.#startTable(rows)
  }

  *#appendRows(rows: readonly Row[]): Iterable<Block> {
    this.#isInTable = true
    for (const row of rows) yield* this.#addToTable(row)
  }

  *#startTable(rows: readonly Row[]): Iterable<Block> {
    yield* this.#flush()
    const place =
      findHeader(rows) ?? (rows.length >= LOOKAHEAD_ROWS ? { start: 0, end: 1 } : undefined)
    for (const row of rows.slice(0, place?.start)) yield this.#addLinks(this.#toNote(row), [row])
    if (!place) return
    this.#header = rows.slice(place.start, place.end)
    this.#headerColumns = findUsedColumns(this.#header)
    this.#isHeaderRepeated = formatTableText(this.#header).length <= MAX_REPEATED_CHARS
    this.#isFirstBlock = true
    if (place.end === rows.length) yield* this.#buildBlocks([])
    yield* this.#appendRows(rows.slice(place.end))
  }

  /** Sheets repeat a merged cell in its columns. */
  #toNote(row: Row): Block {
    const isMerged = (column: number) => !this.#areBlanksWritten && row[column] === row[column - 1]
    const cells = row.filter((cell, column) => cell !== '' && !isMerged(column))
    return { kind: 'paragraph', text: cells.join(' ') }
  }

  *#addToTable(row: Row): Iterable<Block> {
    this.#rows.push(row)
    this.#width = Math.max(this.#width, row.length)
    this.#characters += row.reduce((sum, cell) => sum + cell.length, 0)
    const cells = this.#rows.length * this.#width
    const isFull =
      this.#rows.length >= MAX_ROWS || cells >= MAX_CELLS || this.#characters >= MAX_CHARACTERS
    if (isFull) yield* this.#flush()
  }

  *#flush(): Iterable<Block> {
    if (this.#rows.length > 0) yield* this.#buildBlocks(this.#rows)
    this.#rows = []
    this.#width = 0
    this.#characters = 0
  }

  *#buildBlocks(rows: readonly Row[]): Iterable<Block> {
    const isFirst = this.#isFirstBlock
    this.#isFirstBlock = false
    const hasHeader = isFirst || this.#isHeaderRepeated
    const all = hasHeader ? [...this.#header, ...rows] : rows
    const even = evenOutRows(all, this.#headerColumns)
    if (!this.#areBlanksWritten && isSparse(even, this.#charsPerCell)) {
      if (isFirst) yield this.#mark(buildTableBlock(this.#header), this.#header)
      yield* rows.map(row => this.#addLinks(toPairs(row, this.#header.at(-1) ?? []), [row]))
    } else
      yield this.#mark(hasHeader ? toTable(even) : { ...toTable(even), isContinued: true }, all)
  }

  #addLinks(block: Block, rows: readonly Row[]): Block {
    const targets = rows.flatMap(row => this.#targets.get(row) ?? [])
    return targets.length > 0 ? { ...block, ...toLinks(targets, block.text) } : block
  }

  #mark(table: Block, rows: readonly Row[]): Block {
    const usedColumns = listUsedColumns(rows, this.#headerColumns)
    const places = new Map(usedColumns.map((column, index) => [column, index]))
    const textNumbers = rows.flatMap((row, nth) =>
      (this.#textNumbers.get(row) ?? []).map(column => [nth, places.get(column) ?? 0] as const),
    )
    return {
      ...this.#addLinks(table, rows),
      ...(this.#numbers && { numbers: this.#numbers }),
      ...(textNumbers.length > 0 && { textNumbers }),
    }
  }
}

export function buildTableBlock(rows: readonly Row[]): Block {
  return toTable(evenOutRows(rows))
}

function toTable(rows: readonly Row[]): Block {
  return { kind: 'table', text: formatTableText(rows), rows }
}

/** Omits columns that are empty here and not `used` elsewhere. */
function evenOutRows(rows: readonly Row[], used: ReadonlySet<number> = new Set()): readonly Row[] {
  const usedColumns = new Set(listUsedColumns(rows, used))
  return padRows(rows.map(row => row.filter((_, column) => usedColumns.has(column))))
}

function listUsedColumns(rows: readonly Row[], used: ReadonlySet<number>): readonly number[] {
  return [...new Set([...findUsedColumns(rows), ...used])].sort((a, b) => a - b)
}

function findUsedColumns(rows: readonly Row[]): ReadonlySet<number> {
  const used = new Set<number>()
  for (const row of rows)
    for (const [column, cell] of row.entries()) if (cell !== '') used.add(column)
  return used
}

/** Characters that a cell's XML pays for, so that nothing multiplies. */
const CHARS_PER_CELL = 60

function isSparse(rows: readonly Row[], charsPerCell: number): boolean {
  let blanks = 0
  let paid = 0
  for (const row of rows) {
    for (const cell of row) {
      if (cell === '') blanks++
      else paid += charsPerCell
    }
  }
  return blanks * CELL_SEPARATOR.length > paid
}

/** Length of a column's name, so that long names do not fill a record. */
const MAX_NAME_CHARS = 60

function toPairs(row: Row, names: Row): Block {
  const lines = row.flatMap((cell, column) => {
    if (cell === '') return []
    const name = clipText(names[column] ?? '', MAX_NAME_CHARS)
    return name === '' ? cell : `${name}: ${cell}`
  })
  return { kind: 'paragraph', text: lines.join('\n') }
}

type Row = readonly string[]

type HeaderPlace = { readonly start: number; readonly end: number }

function findHeader(rows: readonly Row[]): HeaderPlace | undefined {
  const lists = rows.filter(row => countDistinct(row) > 1)
  const width = Math.max(0, ...lists.map(row => countFilled(row)))
  const first = rows.findIndex(row => countDistinct(row) > 1)
  const wide = rows.findIndex(row => countDistinct(row) > 1 && countFilled(row) > width / 2)
  if (first < 0) return undefined
  const start = lists.indexOf(getItem(rows, wide)) > MAX_NOTES ? first : wide
  let end = start + 1
  while (end - start < MAX_HEADER_ROWS && isGroupRow(getItem(rows, end - 1), rows[end])) end++
  return { start, end }
}

function continuesTable(header: Row, row: Row): boolean {
  const isUnderHeader = row.every((cell, column) => cell === '' || (header[column] ?? '') !== '')
  return (
    isUnderHeader &&
    countFilled(row) > 1 &&
    row.some((cell, column) => MEASURE.test(cell) && !MEASURE.test(header[column] ?? ''))
  )
}

/** A group row has merged cells above cells with names of their own. */
function isGroupRow(row: Row, below: Row | undefined): boolean {
  if (!below || below.some(cell => MEASURE.test(cell))) return false
  return row.some(
    (cell, column) =>
      cell !== '' &&
      cell === row[column + 1] &&
      below[column] !== below[column + 1] &&
      below[column] !== cell,
  )
}

function countFilled(row: Row): number {
  return row.filter(cell => cell !== '').length
}

function countDistinct(row: Row): number {
  return new Set(row.filter(cell => cell !== '')).size
}
