import { getItem } from '../../../../system/items.ts'
import { padRows } from '../../../block.ts'
import { type CellRegion, fillRegion, writeCells } from '../cell-grid.ts'
import { hasElement, type PageFilter, readStatedCheckBox } from './boilerplate.ts'
import { DomWalk } from './dom.ts'
import { type DomElement, listChildElements } from './dom-node.ts'
import { readInlinePicture, readPictureName } from './pictures.ts'

/** Protects against mistakes and attacks. */
const MAX_COLUMN_SPAN = 200
const MAX_CELLS = 500_000
/** Bounded, so that a layout table is read as text. */
const MAX_NESTING = 0.15

/** Repeats merged cells. Returns undefined for a layout table. */
export function readDataRows(
  table: DomElement,
  filter: PageFilter,
): readonly (readonly string[])[] | undefined {
  if (isLayoutTable(table)) return undefined
  const rows = padRows(spread(listRows(table), filter)).filter(row => row.some(cell => cell !== ''))
  return rows.some(row => row.length > 1) ? rows : undefined
}

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

/** Requires two rows and columns, and nested tables in few cells. */
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

function listRows(table: DomElement): DomElement[] {
  const sections = (name: string) =>
    [...listChildElements(table, name)].flatMap(section => [...listChildElements(section, 'tr')])
  const body = [...listChildElements(table, 'tbody', 'tr')].flatMap(child =>
    child.localName === 'tr' ? [child] : [...listChildElements(child, 'tr')],
  )
  return [...sections('thead'), ...body, ...sections('tfoot')]
}

/** Omits columns in which no cell begins: spans may exceed the table. */
function spread(rows: readonly DomElement[], filter: PageFilter): readonly (readonly string[])[] {
  const grid: CellRegion[][] = rows.map(() => [])
  const regions: CellRegion[] = []
  let cells = 0
  for (const [row, element] of rows.entries()) {
    const line = getItem(grid, row)
    let column = 0
    for (const cell of listChildElements(element, 'td', 'th')) {
      while (line[column] !== undefined) column++
      const isAffordable = cells < MAX_CELLS
      const columns = isAffordable ? readSpan(cell, 'colspan', MAX_COLUMN_SPAN) : 1
      const height = isAffordable ? readSpan(cell, 'rowspan', rows.length - row) : 1
      const region = { row, column, height, columns, text: readCellText(cell, filter) }
      regions.push(region)
      fillRegion(grid, region)
      cells += columns * height
      column += columns
    }
  }
  return writeCells(grid, regions)
}

/** `rowspan=0` means to the end of the table. */
function readSpan(cell: DomElement, attribute: string, limit: number): number {
  const written = Number.parseInt(cell.getAttribute(attribute) ?? '1', 10)
  if (written === 0) return limit
  return Math.max(1, Math.min(Number.isNaN(written) ? 1 : written, limit))
}

const INLINE =
  /^(a|abbr|b|bdi|bdo|big|cite|code|del|em|font|i|ins|kbd|label|mark|math|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)$/

/** Keeps apart what was apart on the page. Describes pictures only without text. */
function readCellText(cell: DomElement, filter: PageFilter): string {
  const walk = new DomWalk()
  let text = ''
  let names = ''
  for (const step of walk.walkSteps(cell)) {
    if (step.type === 'text') text += step.text
    else if (step.type === 'open') {
      names += `${readPictureName(step.element)} `
      if (step.element.localName === 'img') text += readInlinePicture(step.element)
      text += readStatedCheckBox(step.element)
      if (filter.shouldOmit(step.element)) walk.skipChildren()
    }
    if (step.type !== 'text' && !INLINE.test(step.element.localName)) text += ' '
  }
  return (text.trim() === '' ? names : text).replace(/\s+/g, ' ').trim()
}
