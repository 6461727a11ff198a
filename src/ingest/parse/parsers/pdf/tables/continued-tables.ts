import { getItem } from '../../../../../system/items.ts'
import { classifyFirstRow, hasSameKinds } from '../../../tables/header.ts'
import type { PdfTable } from './table.ts'

const SAME_PLACE = 3

export type OpenTable = { readonly table: PdfTable; readonly header: PdfTable['rows'][number] }

export function continuesTable({ table, header }: OpenTable, next: PdfTable): boolean {
  if (!hasSamePlaces(table, next)) return false
  const body = table.rows.filter(row => row !== header)
  const above = readCells(body)
  const below = readCells(next.rows)
  if (!hasSameKinds(above, below) || isRepeated(header.cells, below[0])) return false
  const first = classifyFirstRow({ header: header.cells, above, below })
  if (first === 'row') return true
  const hasBoldHeader = header.isBold && !body.some(({ isBold }) => isBold)
  return hasBoldHeader ? !next.rows[0]?.isBold : first !== 'header'
}

function readCells(rows: PdfTable['rows']): readonly (readonly string[])[] {
  return rows.map(({ cells }) => cells)
}

function isRepeated(header: readonly string[], first: readonly string[] = []): boolean {
  return header.every((cell, index) => cell === first[index])
}

function hasSamePlaces({ columns: above, isDrawn }: PdfTable, next: PdfTable): boolean {
  const below = next.columns
  if (above.length !== below.length || isDrawn !== next.isDrawn) return false
  const shift = (below[0]?.[0] ?? 0) - (above[0]?.[0] ?? 0)
  return above.every(([x0, x1], index) => {
    const [start, end] = getItem(below, index)
    const left = start - shift - x0
    const right = end - shift - x1
    const [isLeft, isRight, isMiddle] = [left, right, (left + right) / 2].map(
      distance => Math.abs(distance) < SAME_PLACE,
    )
    return isDrawn ? isLeft && isRight : isLeft || isRight || isMiddle
  })
}
