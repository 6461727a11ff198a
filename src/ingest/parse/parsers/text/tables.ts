import { getItem, getLast } from '../../../../system/items.ts'
import { measureWidth } from '../../../../text/line-width.ts'

type Rows = readonly (readonly string[])[]

/** Between the head of a table and its rows, or two rows. */
const RULE = /^[\s\-=_+|:]*$/u
/** Blanks, and lines that share them, so that two spaces in a sentence make no table. */
const GAP = 2
const MIN_LINES = 3
export const PARTED = /[\t|]|\S {2,}\S/u
const GAPPED = /\S {2,}\S/u
const MAX_COLUMNS = 40
/** Lines that may name a table, so that the text before it stays text. */
const MAX_TITLES = 3
/** The number or sign of an item or a clause; a bare number may be a cell. */
const ITEM =
  /^(?:[(（]?(?:\d{1,3}[.)）、]|[a-z]{1,4}[.)）]|[一二三四五六七八九十]{1,3}[、.)）])|\d{1,3}(?:\.\d{1,3}){1,5}\.?|第[一二三四五六七八九十百]{1,5}条|[-*•·‣–—])$/iu
/** Share of rows with text in two columns, so that a few gaps make no table. */
const MIN_SHARE = 0.8

type TextTable = { readonly title: string; readonly rows: Rows }

export function findTable(paragraph: string): TextTable | undefined {
  if (!paragraph.includes('\n') || !PARTED.test(paragraph)) return undefined
  const lines = paragraph
    .split('\n')
    .filter(line => !RULE.test(line))
    .map(toLine)
  for (let above = MAX_TITLES; above >= 0; above--) {
    const titles = lines.slice(0, above)
    const rows = parseTable(lines.slice(above))
    if (!rows || !areTitles(titles, rows)) continue
    if (isForm(rows.cells) || areItems(rows.cells)) return undefined
    return { title: titles.map(({ text }) => text).join('\n'), rows: rows.cells }
  }
  return undefined
}

type Parted = { readonly cells: Rows; readonly by: string | readonly number[] }

function parseTable(lines: readonly Line[]): Parted | undefined {
  return splitBySign('\t', lines) ?? splitBySign('|', lines) ?? splitAligned(lines)
}

function areTitles(lines: readonly Line[], { by }: Parted): boolean {
  return lines.every(line => {
    if (typeof by === 'string') return !line.text.includes(by)
    const cells = splitCells(line, by)
    return cells[0] !== '' && (!line.isGapped || cells.filter(Boolean).length === 1)
  })
}

function splitBySign(sign: string, lines: readonly Line[]): Parted | undefined {
  const rows = lines.map(({ text }) =>
    (sign === '|' ? text.trim().replace(/^\||\|$/gu, '') : text).split(sign),
  )
  const [first] = rows
  const isTable =
    first && lines.length > 1 && first.length > 1 && rows.every(row => row.length === first.length)
  return isTable ? { cells: rows.map(row => row.map(cell => cell.trim())), by: sign } : undefined
}

function splitAligned(lines: readonly Line[]): Parted | undefined {
  if (lines.length < MIN_LINES || lines.filter(line => line.isGapped).length * 2 < lines.length)
    return undefined
  const ends = findColumnEnds(lines)
  if (ends.length < 2 || ends.length > MAX_COLUMNS) return undefined
  const rows = withWrappedCells(lines.map(line => splitCells(line, ends)))
  const filled = rows.filter(row => row.filter(Boolean).length > 1).length
  return filled >= rows.length * MIN_SHARE ? { cells: rows, by: ends } : undefined
}

type Line = {
  readonly text: string
  readonly isGapped: boolean
  readonly columns: readonly number[]
}

function toLine(text: string): Line {
  const columns = [0]
  let column = 0
  for (const character of text) {
    if (character.length > 1) columns.push(column)
    column += measureWidth(character)
    columns.push(column)
  }
  return { text, isGapped: GAPPED.test(text), columns }
}

function findColumnEnds(lines: readonly Line[]): readonly number[] {
  const width = lines.reduce((max, { columns }) => Math.max(max, getLast(columns)), 0)
  const inkMask = new Uint8Array(width)
  for (const { text, columns } of lines)
    for (let index = 0; index < text.length; index++)
      if (text.charAt(index).trim() !== '') inkMask.fill(1, columns[index], columns[index + 1])
  const places = [...inkMask.keys()].filter(column => inkMask[column] === 1)
  const starts = places.filter(
    (place, index) => index > 0 && place - getItem(places, index - 1) > GAP,
  )
  return [...starts, Number.POSITIVE_INFINITY]
}

function splitCells({ text, columns }: Line, ends: readonly number[]): readonly string[] {
  let from = 0
  return ends.map(end => {
    let to = from
    while (to < text.length && getItem(columns, to) < end) to++
    const cell = text.slice(from, to).trim()
    from = to
    return cell
  })
}

function withWrappedCells(rows: Rows): Rows {
  const joined: string[][] = []
  for (const row of rows) {
    const last = joined.at(-1)
    const isWrapped = row[0] === '' && row.filter(Boolean).length * 2 <= row.length
    if (last && isWrapped)
      for (const [index, cell] of row.entries()) last[index] = `${last[index]} ${cell}`.trim()
    else joined.push([...row])
  }
  return joined
}

/** Lines such as `Name: Ada` have no head. */
function isForm(rows: Rows): boolean {
  return rows.filter(([first = '']) => /[:：]$/u.test(first)).length * 2 >= rows.length
}

/** Lines such as `1.1 The tenancy begins` are text. */
function areItems(rows: Rows): boolean {
  return rows.every(([first = '', , third]) => third === undefined && ITEM.test(first))
}
