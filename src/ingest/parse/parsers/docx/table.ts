import { type Block, formatTableText, padRows } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { type CellRegion, fillRegion, writeCells } from '../cell-grid.ts'
import { findAttribute } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import { type DocxStyles, findHeadingLevel, isSwitchedOn, readValue } from './styles.ts'

/** Limit of Word. */
const MAX_COLUMNS = 63
/** Bounded, so that layout tables are read as text. */
const MAX_NESTING = 0.15
const WRAPPERS = new Set(['sdt', 'sdtContent', 'customXml', 'ins', 'moveTo', 'smartTag'])

/** Includes rows in content controls. Omits and counts deleted rows. */
export function listRows(table: XmlElement, skipped: SkippedText): readonly XmlElement[] {
  const rows = listWrapped(table, 'tr')
  const deleted = rows.filter(row => findChild(row, 'trPr', 'del'))
  skipped.add('deleted texts', deleted.length)
  return rows.filter(row => !deleted.includes(row))
}

export function listCells(row: XmlElement): readonly XmlElement[] {
  return listWrapped(row, 'tc')
}

function listWrapped(parent: XmlElement, name: string): readonly XmlElement[] {
  return findChildren(parent).flatMap(child => {
    if (child.name === name) return [child]
    return WRAPPERS.has(child.name) ? listWrapped(child, name) : []
  })
}

export function isLayoutTable(rows: readonly XmlElement[], styles: DocxStyles): boolean {
  const cells = rows.map(listCells)
  if (!cells.some(row => row.length > 1)) return true
  const paragraphs = rows.flatMap(row => [...findDescendants(row, 'p')])
  const hasHeading = paragraphs.some(
    paragraph => findHeadingLevel(readValue(paragraph, 'pPr', 'pStyle'), styles) !== undefined,
  )
  if (hasHeading) return true
  const nesting = cells.flat().filter(cell => findChild(cell, 'tbl'))
  if (nesting.length === 0 || rows.some(hasHeaderMark)) return false
  const count = cells.flat().length
  const isMostlyCells =
    rows.length > 1 && count >= rows.length * 2 && nesting.length <= count * MAX_NESTING
  return !isMostlyCells
}

function hasHeaderMark(row: XmlElement): boolean {
  return isSwitchedOn(findChild(row, 'trPr'), 'tblHeader')
}

type OpenRegion = { -readonly [Key in keyof CellRegion]: CellRegion[Key] }

export function readTableRows(
  rows: readonly XmlElement[],
  readText: (cell: XmlElement) => string,
): Block | undefined {
  const regions: OpenRegion[] = []
  let above = new Map<number, OpenRegion>()
  for (const [row, element] of rows.entries()) {
    const current: OpenRegion[] = []
    let column = readSpan(findChild(element, 'trPr'), 'gridBefore', 0)
    for (const cell of listCells(element)) {
      const columns = readSpan(findChild(cell, 'tcPr'), 'gridSpan', 1)
      const merged = findMerged(cell, { upper: above.get(column), left: current.at(-1) })
      if (!merged) current.push({ row, column, columns, height: 1, text: readText(cell) })
      else if (merged.row === row) merged.columns += columns
      else current.push(merged)
      column += columns
    }
    for (const region of current) region.height = row - region.row + 1
    regions.push(...current.filter(region => region.row === row))
    above = new Map(current.map(region => [region.column, region]))
  }
  return buildTable(rows.length, regions)
}

function findMerged(
  cell: XmlElement,
  { upper, left }: { upper: OpenRegion | undefined; left: OpenRegion | undefined },
): OpenRegion | undefined {
  const properties = findChild(cell, 'tcPr')
  if (isContinued(properties, 'hMerge') && left) return left
  return isContinued(properties, 'vMerge') ? upper : undefined
}

function buildTable(height: number, regions: readonly CellRegion[]): Block | undefined {
  const grid: CellRegion[][] = Array.from({ length: height }, () => [])
  for (const region of regions) fillRegion(grid, region)
  const cells = padRows(writeCells(grid, regions)).filter(row => row.some(cell => cell !== ''))
  if (cells.length === 0) return undefined
  return { kind: 'table', text: formatTableText(cells), rows: cells }
}

function readSpan(properties: XmlElement | undefined, name: string, smallest: number): number {
  const span = Number(readValue(properties, name) ?? smallest)
  return Number.isInteger(span) ? Math.min(MAX_COLUMNS, Math.max(smallest, span)) : smallest
}

function isContinued(properties: XmlElement | undefined, name: string): boolean {
  const merge = findChild(properties, name)
  return merge !== undefined && findAttribute(merge.attributes, 'val') !== 'restart'
}
