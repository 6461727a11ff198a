import { type Block, tableText } from './block.ts'

/** A block larger than this is divided: what handles a block may do so in one go, a few milliseconds of the thread that serves. */
const MAX_BLOCK_CHARS = 256 * 1024
const MAX_CELLS = 40_000

/** Columns of a part of a table that is too large. */
const MAX_COLUMNS = 1_000

/** The block, or a large one in parts: text by lines or words, a table by rows and columns, each part with its header. */
export function* boundedBlocks(block: Block): Iterable<Block> {
  const { text, rows } = block
  const cells = rows ? rows.length * (rows[0]?.length ?? 0) : 0
  if (text.length <= MAX_BLOCK_CHARS && cells <= MAX_CELLS) yield block
  else if (rows) yield* partsOfTable(block, rows)
  else yield* partsOfText(block)
}

type Rows = NonNullable<Block['rows']>

/** What is still too large, with cells longer than a block may be, is text without cells. */
function* partsOfTable(block: Block, rows: Rows): Iterable<Block> {
  for (const columns of partsByColumn(rows)) {
    for (const part of partsByRow(columns)) {
      const text = tableText(part)
      if (text.length <= MAX_BLOCK_CHARS) yield { ...block, text, rows: part }
      else yield* partsOfText({ ...withoutRows(block), kind: 'paragraph', text })
    }
  }
}

/** Each with the first column, which says what a row is about. */
function* partsByColumn(rows: Rows): Iterable<Rows> {
  const width = rows[0]?.length ?? 0
  if (width <= MAX_COLUMNS) return yield rows
  for (let start = 1; start < width; start += MAX_COLUMNS - 1) {
    yield rows.map(row => [row[0] ?? '', ...row.slice(start, start + MAX_COLUMNS - 1)])
  }
}

/** Each with the first row, the header. */
function* partsByRow([header = [], ...rows]: Rows): Iterable<Rows> {
  const maxCells = MAX_CELLS - 2 * header.length
  let part: Rows[number][] = []
  let chars = charsOf(header)
  for (const row of rows) {
    const isFull = part.length * row.length >= maxCells || chars + charsOf(row) > MAX_BLOCK_CHARS
    if (isFull && part.length > 0) {
      yield [header, ...part]
      part = []
      chars = charsOf(header)
    }
    part.push(row)
    chars += charsOf(row)
  }
  yield [header, ...part]
}

/** As they stand in the block's text, with what separates them. */
function charsOf(row: Rows[number]): number {
  return row.reduce((sum, cell) => sum + cell.length + 3, 0)
}

/** Of a heading only the first part is one. */
function* partsOfText(block: Block): Iterable<Block> {
  const { text, lines, ...rest } = block
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start)
    const part = text.slice(start, end)
    const own = lines?.filter(line => line.start >= start && line.end <= end)
    const shifted = own?.map(line => ({ ...line, start: line.start - start, end: line.end - start }))
    const { level: _, ...body } = rest
    const kind = start > 0 && rest.kind === 'heading' ? { ...body, kind: 'paragraph' as const } : rest
    if (part.trim() !== '') yield { ...kind, text: part, ...(shifted && { lines: shifted }) }
    start = end
  }
}

/** After a line where there is one in the second half, else after a word, else between two characters. */
function partEnd(text: string, start: number): number {
  const last = start + MAX_BLOCK_CHARS
  if (last >= text.length) return text.length
  const middle = start + MAX_BLOCK_CHARS / 2
  const place = ['\n', ' '].map(mark => text.lastIndexOf(mark, last - 1)).find(at => at > middle)
  if (place !== undefined) return place + 1
  return /[\ud800-\udbff]/.test(text.charAt(last - 1)) ? last - 1 : last
}

function withoutRows({ rows: _, ...block }: Block): Block {
  return block
}
