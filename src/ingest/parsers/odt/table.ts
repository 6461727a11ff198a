import { attribute } from '../xml.ts'
import { elements, type XmlElement } from '../xml-tree.ts'

/** Repetitions and spans beyond these only paint an empty page. */
const MAX_REPEATED = 100
const MAX_CELLS = 500_000

/** The rows of a table, merged cells repeated. `textOf` gives what stands in a cell. */
export function odtRows(table: XmlElement, textOf: (cell: XmlElement) => string): readonly (readonly string[])[] {
  const rows = rowsOf(table)
  const grid: string[][] = rows.map(() => [])
  let cells = 0
  for (const [y, row] of rows.entries()) {
    let column = 0
    for (const cell of elements(row, 'table-cell', 'covered-table-cell')) {
      const repeated = countOf(cell, 'number-columns-repeated')
      const isOwn = cell.name === 'table-cell'
      const width = isOwn ? Math.max(repeated, countOf(cell, 'number-columns-spanned')) : repeated
      const height = isOwn && cells < MAX_CELLS ? countOf(cell, 'number-rows-spanned') : 1
      fill(grid.slice(y, y + height), { column, width, text: isOwn ? textOf(cell) : '' })
      cells += width * height
      column += repeated
    }
  }
  const width = Math.max(0, ...grid.map(row => row.length))
  return grid.map(row => Array.from({ length: width }, (_, x) => row[x] ?? '')).filter(row => row.some(Boolean))
}

/** What a merged cell has written into the places that it covers stays. */
function fill(
  rows: readonly string[][],
  { column, width, text }: { column: number; width: number; text: string },
): void {
  for (const row of rows) {
    for (let x = column; x < column + width; x++) row[x] ??= text
  }
}

/** Header rows first, as they are written; groups opened. */
function rowsOf(table: XmlElement): readonly XmlElement[] {
  return elements(table, 'table-row', 'table-header-rows', 'table-rows', 'table-row-group').flatMap(child =>
    child.name === 'table-row' ? child : rowsOf(child),
  )
}

function countOf(cell: XmlElement, name: string): number {
  return Math.min(MAX_REPEATED, Math.max(1, Number(attribute(cell.attributes, name)) || 1))
}
