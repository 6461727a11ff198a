import { drawingLine } from './drawing-text.ts'
import { at, elements, type XmlElement } from './xml-tree.ts'

/** The rows of a table on a slide, merged cells repeated. */
export function slideTable(table: XmlElement): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (const row of elements(table, 'tr')) {
    const above = rows.at(-1) ?? []
    const cells: string[] = []
    for (const [column, cell] of elements(row, 'tc').entries())
      cells.push(cellText(cell, { left: cells.at(-1), above: above[column] }))
    rows.push(cells)
  }
  const width = Math.max(0, ...rows.map(row => row.length))
  return rows.map(row => [...row, ...Array<string>(width - row.length).fill('')])
}

/** Every cell of the grid is there; those hidden under a merged one say so. */
function cellText(
  cell: XmlElement,
  { left, above }: { left?: string | undefined; above?: string | undefined },
): string {
  if (isTrue(cell.attributes.hMerge)) return left ?? ''
  if (isTrue(cell.attributes.vMerge)) return above ?? ''
  return drawingLine(at(cell, 'txBody'))
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
