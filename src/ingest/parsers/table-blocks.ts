import { type Block, tableText } from '../block.ts'

/** Rows looked at to tell titles, header and data apart. */
const LOOKAHEAD_ROWS = 24
/** A block of a table is full at any of these. */
const MAX_ROWS = 200
const MAX_CELLS = 20_000
const MAX_CHARACTERS = 60_000

const MAX_HEADER_ROWS = 3
/** Rows of several cells above a header; where there are more, they are a narrower table that a wide one stands beside. */
const MAX_NOTES = 3
/** A number, an amount, a share, a date or a time, alone in its cell. */
const MEASURE = /^[^\p{L}\d]{0,3}\d[\d.,:/\s'-]*[^\p{L}\d]{0,2}$/u

/**
 * Makes tables of rows that come one by one, however many: blocks of bounded size, each with the header first. Blank
 * rows end a table; titles and notes, whose rows are narrower than the table, become paragraphs.
 */
export class TableBlocks {
  /** Rows after a gap, as long as it is not known what they are. */
  #undecided: Row[] = []
  #header: readonly Row[] = []
  #rows: Row[] = []
  #cells = 0
  #characters = 0
  #isInTable = false
  readonly #numbers: Block['numbers']

  constructor(numbers?: Block['numbers']) {
    this.#numbers = numbers
  }

  *add(row: Row): Iterable<Block> {
    const cells = row.map(cell => cell.trim())
    if (filled(cells) === 0) yield* this.#endRegion()
    else if (this.#isInTable) yield* this.#addToTable(cells)
    else {
      this.#undecided.push(cells)
      if (this.#undecided.length >= LOOKAHEAD_ROWS) yield* this.#decide()
    }
  }

  /** What is left when there are no more rows. The next row begins another table. */
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
    if (continues(this.#header.at(-1) ?? [], rows[0]!))
      yield* this.#continueTable(rows) // it waits for a first row
    else yield* this.#beginTable(rows)
  }

  *#continueTable(rows: readonly Row[]): Iterable<Block> {
    this.#isInTable = true
    for (const row of rows) yield* this.#addToTable(row)
  }

  *#beginTable(rows: readonly Row[]): Iterable<Block> {
    yield* this.#flush()
    const place = findHeader(rows) ?? (rows.length >= LOOKAHEAD_ROWS ? { start: 0, end: 1 } : undefined)
    for (const row of rows.slice(0, place?.start)) yield noteOf(row)
    if (!place) return
    this.#header = rows.slice(place.start, place.end)
    if (place.end === rows.length) yield this.#block(this.#header)
    yield* this.#continueTable(rows.slice(place.end))
  }

  *#addToTable(row: Row): Iterable<Block> {
    this.#rows.push(row)
    this.#cells += row.length
    this.#characters += row.reduce((sum, cell) => sum + cell.length, 0)
    const isFull = this.#rows.length >= MAX_ROWS || this.#cells >= MAX_CELLS || this.#characters >= MAX_CHARACTERS
    if (isFull) yield* this.#flush()
  }

  *#flush(): Iterable<Block> {
    if (this.#rows.length > 0) yield this.#block([...this.#header, ...this.#rows])
    this.#rows = []
    this.#cells = 0
    this.#characters = 0
  }

  #block(rows: readonly Row[]): Block {
    return { ...tableOf(rows), ...(this.#numbers && { numbers: this.#numbers }) }
  }
}

/** A table of these rows, header first, made rectangular; columns in which nothing stands are left out. */
export function tableOf(rows: readonly Row[]): Block {
  const used = new Set<number>()
  for (const row of rows) for (const [column, cell] of row.entries()) if (cell !== '') used.add(column)
  const columns = [...used].toSorted((a, b) => a - b)
  const rectangular = rows.map(row => columns.map(column => row[column] ?? ''))
  return { kind: 'table', text: tableText(rectangular), rows: rectangular }
}

/** A title or note above a table; what was repeated because cells are merged is said once. */
function noteOf(row: Row): Block {
  const cells = row.filter((cell, column) => cell !== '' && cell !== row[column - 1])
  return { kind: 'paragraph', text: cells.join(' ') }
}

/** A row of cells, blank ones empty. */
type Row = readonly string[]

/** Where a table's header stands among its first rows. */
type HeaderPlace = { readonly start: number; readonly end: number }

/**
 * The header among the first rows of a sheet: the first row that is about as wide as the rows below it. What stands
 * above are titles and notes. Undefined when nothing is two columns wide.
 */
function findHeader(rows: readonly Row[]): HeaderPlace | undefined {
  const lists = rows.filter(row => distinct(row) > 1)
  const width = Math.max(0, ...lists.map(row => filled(row)))
  const first = rows.findIndex(row => distinct(row) > 1)
  const wide = rows.findIndex(row => distinct(row) > 1 && filled(row) > width / 2)
  if (first < 0) return undefined
  const start = lists.indexOf(rows[wide]!) > MAX_NOTES ? first : wide // there is a widest one
  let end = start + 1
  while (end - start < MAX_HEADER_ROWS && isGroupRow(rows[end - 1]!, rows[end])) end++
  return { start, end }
}

/** Whether rows behind a gap go on with the table before it, rather than begin another. */
function continues(header: Row, row: Row): boolean {
  const isUnderHeader = row.every((cell, column) => cell === '' || (header[column] ?? '') !== '')
  return (
    isUnderHeader &&
    filled(row) > 1 &&
    row.some((cell, column) => MEASURE.test(cell) && !MEASURE.test(header[column] ?? ''))
  )
}

/** Merged cells, whose text was repeated, above cells with names of their own. */
function isGroupRow(row: Row, below: Row | undefined): boolean {
  if (!below || below.some(cell => MEASURE.test(cell))) return false
  return row.some(
    (cell, column) =>
      cell !== '' && cell === row[column + 1] && below[column] !== below[column + 1] && below[column] !== cell,
  )
}

function filled(row: Row): number {
  return row.filter(cell => cell !== '').length
}

function distinct(row: Row): number {
  return new Set(row.filter(cell => cell !== '')).size
}
