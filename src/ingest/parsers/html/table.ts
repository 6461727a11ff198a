import { padRows, repeatCell } from '../../block.ts'
import { isBoilerplate } from './boilerplate.ts'
import { childElements, type DomElement, DomWalk } from './dom.ts'

/** Spans beyond these are mistakes or attacks. */
const MAX_COLUMN_SPAN = 200
const MAX_CELLS = 500_000
/** Share of a table's cells that may hold tables; with more it arranges a page. */
const MAX_NESTING = 0.15

/** The rows of a table, merged cells repeated; undefined for one that only arranges other content. */
export function dataRows(table: DomElement): readonly (readonly string[])[] | undefined {
  if (arrangesContent(table)) return undefined
  const rows = padRows(withoutHoles(spread(rowsOf(table)))).filter(row => row.some(cell => cell !== ''))
  return rows.some(row => row.length > 1) ? rows : undefined
}

/** Headings, other tables' headings or code inside the cells show that the table is there for the layout. */
function arrangesContent(table: DomElement): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true
  let hasNestedTable = false
  let hasHeaderCell = false
  for (const step of new DomWalk().steps(table)) {
    if (step.type !== 'open') continue
    if (/^h[1-6]$/.test(step.element.localName)) return true
    if (step.element.localName === 'table') hasNestedTable = true
    if (step.element.localName === 'th' && !hasNestedTable) hasHeaderCell = true
  }
  return hasNestedTable && !hasHeaderCell && !isMostlyCells(table)
}

/** Of two rows and columns at least, with other tables in few of its cells: a table in one is a part of what that says. */
function isMostlyCells(table: DomElement): boolean {
  const rows = rowsOf(table).map(row => [...childElements(row, 'td', 'th')])
  const cells = rows.flat()
  const nesting = cells.filter(cell => hasElement(cell, 'table'))
  return rows.length > 1 && cells.length >= rows.length * 2 && nesting.length <= cells.length * MAX_NESTING
}

function hasElement(element: DomElement, name: string): boolean {
  for (const step of new DomWalk().steps(element))
    if (step.type === 'open' && step.element.localName === name) return true
  return false
}

/** Head first and foot last, whatever their order in the source. */
function rowsOf(table: DomElement): DomElement[] {
  const sections = (name: string) =>
    [...childElements(table, name)].flatMap(section => [...childElements(section, 'tr')])
  const body = [...childElements(table, 'tbody', 'tr')].flatMap(child =>
    child.localName === 'tr' ? [child] : [...childElements(child, 'tr')],
  )
  return [...sections('thead'), ...body, ...sections('tfoot')]
}

/** Put every cell where it stands, repeated over the columns and rows that it spans. */
function spread(rows: readonly DomElement[]): string[][] {
  const grid: string[][] = rows.map(() => [])
  let cells = 0
  for (const [rowIndex, row] of rows.entries()) {
    let column = 0
    for (const cell of childElements(row, 'td', 'th')) {
      const line = grid[rowIndex]!
      while (line[column] !== undefined) column++
      const text = cellText(cell)
      const isAffordable = cells < MAX_CELLS
      const columns = isAffordable ? span(cell, 'colspan', MAX_COLUMN_SPAN) : 1
      const height = isAffordable ? span(cell, 'rowspan', rows.length - rowIndex) : 1
      fill(grid, { row: rowIndex, column, height, columns, text })
      cells += columns * height
      column += columns
    }
  }
  return grid
}

type Region = { row: number; column: number; height: number; columns: number; text: string }

function fill(grid: string[][], { row, column, height, columns, text }: Region): void {
  const copy = repeatCell(text)
  for (let y = row; y < row + height; y++) {
    for (let x = column; x < column + columns; x++) grid[y]![x] ??= y === row && x === column ? text : copy
  }
}

/** `rowspan=0` means to the end of the table. */
function span(cell: DomElement, attribute: string, limit: number): number {
  const written = Number.parseInt(cell.getAttribute(attribute) ?? '1', 10)
  if (written === 0) return limit
  return Math.max(1, Math.min(Number.isNaN(written) ? 1 : written, limit))
}

/** Fills the places beside a cell that spans rows, where its own row has no cell. */
function withoutHoles(grid: readonly string[][]): string[][] {
  return grid.map(row => Array.from(row, cell => cell ?? ''))
}

const INLINE =
  /^(a|abbr|b|bdi|bdo|big|cite|code|del|em|font|i|ins|kbd|label|mark|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/

/** The text of a cell on one line; what was apart on the page stays apart. */
function cellText(cell: DomElement): string {
  const walk = new DomWalk()
  let text = ''
  for (const step of walk.steps(cell)) {
    if (step.type === 'text') text += step.text
    else if (step.type === 'open' && isBoilerplate(step.element)) walk.skipChildren()
    else if (!INLINE.test(step.element.localName)) text += ' '
  }
  return text.replace(/\s+/g, ' ').trim()
}
