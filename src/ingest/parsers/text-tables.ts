import { widthOf } from '../../text/line-width.ts'

type Rows = readonly (readonly string[])[]

/** Parts the head of a table from its rows, or two rows. */
const RULE = /^[\s\-=_+|:]*$/u
/** Blanks that part columns: so many, in all of so many lines. */
const GAP = 2
const MIN_LINES = 3
const PARTED = /[\t|]|\S {2,}\S/u
const GAPPED = /\S {2,}\S/u
const MAX_COLUMNS = 40
/** No more lines name a table. */
const MAX_TITLES = 3
/** The number or the sign of an item or a clause; a bare number may be a cell. */
const ITEM =
  /^(?:[(（]?(?:\d{1,3}[.)）、]|[a-z]{1,4}[.)）]|[一二三四五六七八九十]{1,3}[、.)）])|\d{1,3}(?:\.\d{1,3}){1,5}\.?|第[一二三四五六七八九十百]{1,5}条|[-*•·‣–—])$/iu
/** So many of the rows have something in two columns. */
const MOST = 0.8

/** A table of plain text, and what stands right above it; often nothing. */
type TextTable = { readonly title: string; readonly rows: Rows }

/** The table of a paragraph of plain text whose columns are parted by tabs, by bars, or by blanks that run through all of its lines. */
export function tableIn(paragraph: string): TextTable | undefined {
  if (!paragraph.includes('\n') || !PARTED.test(paragraph)) return undefined // nearly all
  const lines = paragraph.split('\n').filter(line => !RULE.test(line))
  const start = [...Array(MAX_TITLES + 1).keys()].findLast(above =>
    areTitles(lines.slice(0, above), lines.slice(above)),
  )!
  const rows = rowsIn(lines.slice(start))
  return rows && !isForm(rows) && !areItems(rows) ? { title: lines.slice(0, start).join('\n'), rows } : undefined
}

function rowsIn(lines: readonly string[]): Rows | undefined {
  return partedRows(lines, '\t') ?? partedRows(lines, '|') ?? alignedRows(lines)
}

/** Over a table, lines that have not its columns: each stands in the first one alone, or runs through the blanks between two. */
function areTitles(lines: readonly string[], below: readonly string[]): boolean {
  if (lines.length === 0) return true
  const sign = ['\t', '|'].find(one => partedRows(below, one))
  if (sign) return !lines.some(line => line.includes(sign))
  if (!alignedRows(below)) return false
  const ends = columnEnds(below.map(placedCharacters))
  return lines.every(line => {
    const cells = cellsOf(placedCharacters(line), ends)
    return cells[0] !== '' && (!GAPPED.test(line) || cells.filter(Boolean).length === 1)
  })
}

/** Each line has the sign as often. */
function partedRows(lines: readonly string[], sign: string): Rows | undefined {
  const rows = lines.map(line => (sign === '|' ? line.trim().replace(/^\||\|$/gu, '') : line).split(sign))
  const [first] = rows
  const isTable = first && lines.length > 1 && first.length > 1 && rows.every(row => row.length === first.length)
  return isTable ? rows.map(row => row.map(cell => cell.trim())) : undefined
}

function alignedRows(lines: readonly string[]): Rows | undefined {
  if (lines.length < MIN_LINES || lines.filter(line => GAPPED.test(line)).length * 2 < lines.length) return undefined
  const placed = lines.map(placedCharacters)
  const ends = columnEnds(placed)
  if (ends.length < 2 || ends.length > MAX_COLUMNS) return undefined
  const cells = placed.map(line => cellsOf(line, ends))
  const rows = withWrappedCells(cells)
  const filled = rows.filter(row => row.filter(Boolean).length > 1).length
  return filled >= rows.length * MOST ? rows : undefined
}

type Placed = { readonly character: string; readonly at: number }

function placedCharacters(line: string): readonly Placed[] {
  let at = 0
  return [...line].map(character => {
    const place = { character, at }
    at += widthOf(character)
    return place
  })
}

/** Where each column ends: at the next one, behind a gap in all lines. */
function columnEnds(lines: readonly (readonly Placed[])[]): readonly number[] {
  const inked = lines.flatMap(line =>
    line.flatMap(({ character, at }) =>
      character.trim() === '' ? [] : Array.from({ length: widthOf(character) }, (_, column) => at + column),
    ),
  )
  const places = [...new Set(inked)].toSorted((a, b) => a - b)
  const starts = places.filter((place, at) => at > 0 && place - places[at - 1]! > GAP) // it has one before
  return [...starts, Number.POSITIVE_INFINITY]
}

function cellsOf(line: readonly Placed[], ends: readonly number[]): readonly string[] {
  return ends.map((end, nth) => {
    const start = ends[nth - 1] ?? 0
    const inside = line.filter(({ at }) => at >= start && at < end)
    return inside
      .map(({ character }) => character)
      .join('')
      .trim()
  })
}

/** A line that begins with an empty cell and fills no more than half goes on with the cells above it. */
function withWrappedCells(rows: Rows): Rows {
  const whole: string[][] = []
  for (const row of rows) {
    const last = whole.at(-1)
    const isWrapped = row[0] === '' && row.filter(Boolean).length * 2 <= row.length
    if (last && isWrapped) for (const [at, cell] of row.entries()) last[at] = `${last[at]} ${cell}`.trim()
    else whole.push([...row])
  }
  return whole
}

/** `Name:   Ada`, one under another, has no head. */
function isForm(rows: Rows): boolean {
  return rows.filter(([first = '']) => /[:：]$/u.test(first)).length * 2 >= rows.length
}

/** `1.1  The tenancy begins`, line by line and set in behind its number, is text. */
function areItems(rows: Rows): boolean {
  return rows.every(([first = '', , third]) => third === undefined && ITEM.test(first))
}
