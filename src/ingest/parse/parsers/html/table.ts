import { padRows, repeatCell } from '../../../block.ts'
import { isBoilerplate } from './boilerplate.ts'
import { type DomElement, DomWalk, listChildElements } from './dom.ts'

/** Maximum span. Protects against mistakes and attacks. */
const MAX_COLUMN_SPAN = 200
const MAX_CELLS = 500_000
/** Share of a table's cells that may hold tables; with more it arranges a page. */
const MAX_NESTING = 0.15

/** The rows of a table, merged cells repeated; undefined for one that only arranges other content. */
export function readDataRows(table: DomElement): readonly (readonly string[])[] | undefined {
  if (isLayoutTable(table)) return undefined
  const rows = padRows(spread(listRows(table))).filter(row => row.some(cell => cell !== ''))
  return rows.some(row => row.length > 1) ? rows : undefined
}

/** Headings, other tables' headings or code inside the cells show that the table is there for the layout. */
function isLayoutTable(table: DomElement): boolean {
  if (/^(presentation|none)$/.test(table.getAttribute('role') ?? '')) return true
  let hasNestedTable = false
  let hasHeaderCell = false
  for (const step of new DomWalk().walkSteps(table)) {
    if (step.type !== 'open') continue
    if (/^h[1-6]$/.test(step.element.localName)) return true
    if (step.element.localName === 'table') hasNestedTable = true
    if (step.element.localName === 'th' && !hasNestedTable) hasHeaderCell = true
  }
  return hasNestedTable && !hasHeaderCell && !isMostlyCells(table)
}

/** Returns whether a table has two rows and columns at least, and nested tables in few of its cells. */
function isMostlyCells(table: DomElement): boolean {
  const rows = listRows(table).map(row => [...listChildElements(row, 'td', 'th')])
  const cells = rows.flat()
  const nesting = cells.filter(cell => hasElement(cell, 'table'))
  return (
    rows.length > 1 &&
    cells.length >= rows.length * 2 &&
    nesting.length <= cells.length * MAX_NESTING
  )
}

function hasElement(element: DomElement, name: string): boolean {
  for (const step of new DomWalk().walkSteps(element))
    if (step.type === 'open' && step.element.localName === name) return true
  return false
}

/** Head first and foot last, whatever their order in the source. */
function listRows(table: DomElement): DomElement[] {
  const sections = (name: string) =>
    [...listChildElements(table, name)].flatMap(section => [...listChildElements(section, 'tr')])
  const body = [...listChildElements(table, 'tbody', 'tr')].flatMap(child =>
    child.localName === 'tr' ? [child] : [...listChildElements(child, 'tr')],
  )
  return [...sections('thead'), ...body, ...sections('tfoot')]
}

/** A cell, and the places that it spans. */
type Region = {
  readonly row: number
  readonly column: number
  readonly height: number
  readonly columns: number
  readonly text: string
}

/**
 * Places every cell, repeated over the columns and rows that it spans. A column in which no cell begins exists only in spans that
 * are wider than the table, so it is left out.
 */
function spread(rows: readonly DomElement[]): readonly (readonly string[])[] {
  const grid: Region[][] = rows.map(() => [])
  const regions: Region[] = []
  let cells = 0
  for (const [row, element] of rows.entries()) {
    const line = grid[row]!
    let column = 0
    for (const cell of listChildElements(element, 'td', 'th')) {
      while (line[column] !== undefined) column++
      const isAffordable = cells < MAX_CELLS
      const columns = isAffordable ? readSpan(cell, 'colspan', MAX_COLUMN_SPAN) : 1
      const height = isAffordable ? readSpan(cell, 'rowspan', rows.length - row) : 1
      const region = { row, column, height, columns, text: readCellText(cell) }
      regions.push(region)
      fill(grid, region)
      cells += columns * height
      column += columns
    }
  }
  return writeCells(grid, regions)
}

function fill(grid: Region[][], region: Region): void {
  for (let y = region.row; y < region.row + region.height; y++) {
    for (let x = region.column; x < region.column + region.columns; x++) grid[y]![x] ??= region
  }
}

function writeCells(grid: readonly (readonly Region[])[], regions: readonly Region[]): string[][] {
  const columns = [...new Set(regions.map(({ column }) => column))].toSorted((a, b) => a - b)
  const repeated = chooseRepeated(regions, columns)
  return grid.map((line, row) =>
    columns
      .filter(column => column < line.length)
      .map(column => {
        const region = line[column]
        if (!region) return ''
        if (region.row === row && region.column === column) return region.text
        return repeated.has(region) ? repeatCell(region.text) : ''
      }),
  )
}

/** Maximum share of a table's own text that copies of spanning cells may add: what heads and labels of groups need. */
const MAX_COPIES = 1

/** Chooses the cells that are repeated over their span, the cheapest first. A cell across the table, such as the title of a group, is not. */
function chooseRepeated(
  regions: readonly Region[],
  columns: readonly number[],
): ReadonlySet<Region> {
  const own = regions.reduce((sum, { text }) => sum + text.length, 0)
  const covered = ({ column, columns: width }: Region) =>
    columns.filter(at => at >= column && at < column + width).length
  const spanning = regions
    .filter(region => region.height * region.columns > 1)
    .map(region => ({ region, width: covered(region) }))
    .filter(
      ({ region, width }) =>
        region.height * width > 1 && (width < columns.length || region.height > 1),
    )
    .map(({ region, width }) => ({
      region,
      cost: repeatCell(region.text).length * (region.height * width - 1),
    }))
    .toSorted((a, b) => a.cost - b.cost)
  let left = MAX_COPIES * own
  return new Set(
    spanning.flatMap(({ region, cost }) => {
      left -= cost
      return left >= 0 ? [region] : []
    }),
  )
}

/** `rowspan=0` means to the end of the table. */
function readSpan(cell: DomElement, attribute: string, limit: number): number {
  const written = Number.parseInt(cell.getAttribute(attribute) ?? '1', 10)
  if (written === 0) return limit
  return Math.max(1, Math.min(Number.isNaN(written) ? 1 : written, limit))
}

const INLINE =
  /^(a|abbr|b|bdi|bdo|big|cite|code|del|em|font|i|ins|kbd|label|mark|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/

/** The text of a cell on one line; what was apart on the page stays apart. */
function readCellText(cell: DomElement): string {
  const walk = new DomWalk()
  let text = ''
  for (const step of walk.walkSteps(cell)) {
    if (step.type === 'text') text += step.text
    else if (step.type === 'open' && isBoilerplate(step.element)) walk.skipChildren()
    else if (!INLINE.test(step.element.localName)) text += ' '
  }
  return text.replace(/\s+/g, ' ').trim()
}
