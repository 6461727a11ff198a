import type { Block } from '../../../block.ts'
import { buildTableBlock } from '../table-blocks.ts'

const GRID_RULE = /^\s*\+(?:[-=]+\+)+\s*$/
const SIMPLE_RULE = /^\s*=+(?:\s+=+)+\s*$/

export function isTableRule(line: string): boolean {
  return GRID_RULE.test(line) || SIMPLE_RULE.test(line)
}

/** Cells may have several lines. */
export function* readTable(
  lines: readonly string[],
  show: (text: string) => string,
): Iterable<Block> {
  const rows = GRID_RULE.test(lines[0] ?? '') ? readGrid(lines) : readSimple(lines)
  const formattedRows = rows
    .map(row => row.map(cell => show(cell)))
    .filter(row => row.some(Boolean))
  if (formattedRows.length > 0) yield buildTableBlock(formattedRows)
}

function readGrid(lines: readonly string[]): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const line of lines) {
    const isRule = /\+[-=]+\+/.test(line)
    if (isRule) rows.push([])
    const cells = line
      .trim()
      .replace(/^[|+]|[|+]$/g, '')
      .split(isRule ? /[|+]/ : '|')
    addCells(rows.at(-1) ?? [], isRule ? cells.map(cell => cell.replace(/^[-=]+$/, '')) : cells)
  }
  return rows
}

function readSimple(lines: readonly string[]): readonly (readonly string[])[] {
  const starts = [...(lines[0] ?? '').matchAll(/=+/g)].map(({ index }) => index)
  const rows: string[][] = []
  for (const line of lines) {
    if (/^[\s=-]+$/.test(line)) continue
    const cells = starts.map((start, column) => line.slice(start, starts[column + 1]))
    const continued = cells[0]?.trim() === '' ? rows.at(-1) : undefined
    if (continued) addCells(continued, cells)
    else rows.push(cells.map(cell => cell.trim()))
  }
  return rows
}

function addCells(row: string[], cells: readonly string[]): void {
  for (const [column, cell] of cells.entries())
    row[column] = [row[column] ?? '', cell.trim()].filter(Boolean).join(' ')
}

export function readCsvRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line =>
      [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
      ),
    )
}
