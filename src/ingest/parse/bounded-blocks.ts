import { getFirst } from '../../system/items.ts'
import {
  type Block,
  clipText,
  countColumns,
  formatTableText,
  MAX_REPEATED_CHARS,
} from '../block.ts'

/** Small, so that a block blocks the serving thread only briefly. */
const MAX_BLOCK_CHARS = 256 * 1024
const MAX_CELLS = 40_000

/** The rest becomes paragraphs, so that chunks, which repeat headings, do not grow. */
const MAX_HEADING_CHARS = 1_000

/** Per part of a wide table, so that its repeated header stays short. */
const MAX_COLUMNS = 1_000

/** Length of a first cell in further parts. Protects against growth by repetition. */
const MAX_ROW_NAME_CHARS = 100

export function* divideBlock(block: Block): Iterable<Block> {
  const { text, rows } = block
  const cells = rows ? rows.length * countColumns(rows) : 0
  if (block.kind === 'heading' && text.length > MAX_HEADING_CHARS)
    yield* divideText(block, MAX_HEADING_CHARS)
  else if (text.length <= MAX_BLOCK_CHARS && cells <= MAX_CELLS) yield block
  else if (rows) yield* divideTable(block, rows)
  else yield* divideText(block)
}

type Rows = NonNullable<Block['rows']>

function* divideTable(block: Block, rows: Rows): Iterable<Block> {
  for (const columns of divideByColumn(rows)) {
    for (const { rows: part, isContinued } of divideByRow(columns, block.isContinued ?? false)) {
      const text = formatTableText(part)
      if (text.length > MAX_BLOCK_CHARS)
        yield* divideText({ ...removeRows(block), kind: 'paragraph', text })
      else yield { ...block, text, rows: part, ...(isContinued && { isContinued }) }
    }
  }
}

/** Repeats the first column, which names the row. */
function* divideByColumn(rows: Rows): Iterable<Rows> {
  const width = countColumns(rows)
  if (width <= MAX_COLUMNS) return yield rows
  yield rows.map(row => row.slice(0, MAX_COLUMNS))
  for (let start = MAX_COLUMNS; start < width; start += MAX_COLUMNS - 1) {
    const named = rows.map(row => [
      clipText(row[0] ?? '', MAX_ROW_NAME_CHARS),
      ...row.slice(start, start + MAX_COLUMNS - 1),
    ])
    const filled = named.filter((row, index) => index === 0 || row.length > 1)
    if (filled.length > 1 || getFirst(filled).length > 1) yield filled
  }
}

type RowsPart = { readonly rows: Rows; readonly isContinued: boolean }

function* divideByRow([header = [], ...rows]: Rows, hasNoHeader: boolean): Iterable<RowsPart> {
  const isRepeated = !hasNoHeader && countRowChars(header) <= MAX_REPEATED_CHARS
  let part: Rows[number][] = [header]
  let cells = header.length
  let chars = countRowChars(header)
  let isContinued = hasNoHeader
  for (const row of rows) {
    const isFull = cells + row.length > MAX_CELLS || chars + countRowChars(row) > MAX_BLOCK_CHARS
    if (isFull && part.length > (isRepeated ? 1 : 0)) {
      yield { rows: part, isContinued }
      isContinued = !isRepeated
      part = isRepeated ? [header] : []
      ;[cells, chars] = isRepeated ? [header.length, countRowChars(header)] : [0, 0]
    }
    part.push(row)
    cells += row.length
    chars += countRowChars(row)
  }
  yield { rows: part, isContinued }
}

function countRowChars(row: Rows[number]): number {
  return row.reduce((sum, cell) => sum + cell.length + 3, 0)
}
function* divideText(block: Block, firstChars = MAX_BLOCK_CHARS): Iterable<Block> {
  const { text, lines, ...rest } = block
  for (let start = 0; start < text.length; ) {
    const end = findPartEnd(text, start, start === 0 ? firstChars : MAX_BLOCK_CHARS)
    const part = text.slice(start, end)
    const own = lines?.filter(line => line.start >= start && line.end <= end)
    const shifted = own?.map(line => ({
      ...line,
      start: line.start - start,
      end: line.end - start,
    }))
    const { level: _, ...body } = rest
    const kind =
      start > 0 && rest.kind === 'heading' ? { ...body, kind: 'paragraph' as const } : rest
    if (part.trim() !== '') yield { ...kind, text: part, ...(shifted && { lines: shifted }) }
    start = end
  }
}

function findPartEnd(text: string, start: number, maxChars: number): number {
  const last = start + maxChars
  if (last >= text.length) return text.length
  const middle = start + maxChars / 2
  const place = ['\n', ' ']
    .map(mark => text.lastIndexOf(mark, last - 1))
    .find(index => index > middle)
  if (place !== undefined) return place + 1
  return /[\ud800-\udbff]/.test(text.charAt(last - 1)) ? last - 1 : last
}

function removeRows({ rows: _, ...block }: Block): Block {
  return block
}
