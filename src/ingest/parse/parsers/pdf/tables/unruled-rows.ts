import { getItem } from '../../../../../system/items.ts'
import { type Segment, toRows } from '../lines.ts'
import { findTextColumns, splitRows, type TextColumns } from './aligned-tables.ts'
import {
  findLeftEdge,
  groupByColumnGaps,
  groupDrawnRows,
  isOneRow,
  isWrappedRow,
} from './group-rows.ts'
import type { Span } from './table.ts'

/**
 * Rows with text in several columns, and rows that fill each, so that a list beside a text is
 * no table.
 */
const MIN_ALIGNED_SHARE = 0.6
/** Share of rows that begin like a separate one, so that wrapped text is not cut into rows. */
const MIN_STARTS = 0.6
/**
 * Share of lines that begin with small letters, so that names on two lines are not cut into
 * rows.
 */
const MAX_CONTINUED = 0.2
/** Em between two words, so that parted texts are joined as they were set. */
const SPACE = 0.3
/** Em between a cell's text and its line, so that a full line is known from one that ended. */
const PADDING = 0.6
/** Wrapped text: several words or eight ideographs. Names in a narrow column are shorter. */
const LONG_LINE = /\S\s+\S|\p{Script=Han}{8}/u
/** Lines on the same baselines, so that chance makes no rows without values. */
const MIN_EVEN_LINES = 3

const MAX_UNIT_LETTERS = 4

type OpenCell = { readonly lines: readonly Segment[]; readonly x1: number }

export function findInnerColumns(rows: readonly (readonly Segment[])[]): readonly Span[] {
  const coarse = rows.map(row => [...row])
  const fine = findTextColumns(splitRows(coarse))
  if (fine && isFilled(fine, rows.length, isFigure)) return fine.columns
  const apart = findTextColumns(coarse)
  return apart && isFilled(apart, rows.length, isText) ? apart.columns : []
}

function isFilled(
  { columns, full }: TextColumns,
  rows: number,
  isExpected: (part: Segment) => boolean,
): boolean {
  if (full.length < rows * MIN_ALIGNED_SHARE) return false
  return columns.every(([x0, x1], index) => {
    const isCell = index === 0 ? isText : isExpected
    const inside = full.filter(row =>
      row.some(part => part.x0 < x1 && part.x1 > x0 && isCell(part)),
    )
    return inside.length >= full.length * MIN_ALIGNED_SHARE
  })
}

function isText({ text }: Segment): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function isFigure(part: Segment): boolean {
  return isValue(part) && /[\p{N}–—-]/u.test(part.text)
}

/** `isBody`: the row is everything below the head. */
export function splitRow(
  cells: readonly OpenCell[],
  { isBody }: { readonly isBody: boolean },
): Segment[][] {
  const rows = toRows(cells.flatMap(({ lines }) => lines))
  if (rows.length < 2) return [rows.flat()]
  const isAlike = isEven(cells) || hasValueRows(cells, rows) || (isBody && hasNameRows(cells, rows))
  const isSeveral = isAlike || hasSpacedRows(cells, rows)
  return isSeveral ? groupDrawnRows(rows).map(lines => lines.flat()) : [rows.flat()]
}

function hasSpacedRows(cells: readonly OpenCell[], rows: readonly Segment[][]): boolean {
  const labels = new Set(cells.find(({ lines }) => lines.length > 0)?.lines)
  const spaced = groupByColumnGaps(rows) ?? []
  const left = findLeftEdge(rows)
  return (
    spaced.length > 1 &&
    spaced.every(lines => {
      const texts = lines.flat()
      return (
        (isOneRow(lines) || isWrappedRow(lines, left)) &&
        texts.some(line => labels.has(line)) &&
        texts.some(line => !labels.has(line))
      )
    })
  )
}

function isEven(cells: readonly OpenCell[]): boolean {
  const filled = cells.filter(({ lines }) => lines.length > 0)
  const [first] = filled
  if (!first || filled.length < 2 || first.lines.length < MIN_EVEN_LINES) return false
  const isLike = ({ lines }: OpenCell) =>
    lines.length === first.lines.length &&
    lines.every((line, index) => isSameLine(line, getItem(first.lines, index)))
  return filled.every(isLike) && !filled.some(isWrappedText) && !filled.every(isOneName)
}

function hasValueRows(cells: readonly OpenCell[], rows: readonly (readonly Segment[])[]): boolean {
  const filled = cells.filter(({ lines }) => lines.length > 0)
  const above = new Map(
    filled.flatMap(({ lines }) =>
      lines.slice(1).map((line, index) => [line, getItem(lines, index)] as const),
    ),
  )
  const left = new Set(filled[0]?.lines)
  const isName = (line: Segment) => left.has(line) || (!isValue(line) && !continuesSentence(line))
  const isStart = (row: readonly Segment[]) => {
    const under = row.filter(line => above.has(line))
    const isAlike = under.every(line => isValue(line) === isValue(above.get(line)!))
    return isAlike && under.some(isValue) && row.some(isName)
  }
  const full = rows.slice(1).filter(row => row.length > 1)
  const starts = full.filter(isStart)
  return starts.length > 0 && starts.length >= full.length * MIN_STARTS
}

function hasNameRows(cells: readonly OpenCell[], rows: readonly (readonly Segment[])[]): boolean {
  const full = rows.filter(row => row.length > 1)
  if (
    rows.length < MIN_EVEN_LINES ||
    full.length < rows.length * MIN_STARTS ||
    cells.some(isWrappedText)
  )
    return false
  const lines = cells.flatMap(cell => cell.lines)
  return lines.filter(continuesSentence).length <= lines.length * MAX_CONTINUED
}

/** Accepts a number with its unit, a code, or a sign for a missing value. */
export function isValue({ text }: Segment): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters <= MAX_UNIT_LETTERS && (/\p{N}/u.test(text) || letters === 0)
}

function continuesSentence({ text }: Segment): boolean {
  return /^\p{Ll}/u.test(text)
}

function isOneName({ lines: [first, ...others] }: OpenCell): boolean {
  return first !== undefined && !continuesSentence(first) && others.every(continuesSentence)
}

function isWrappedText(cell: OpenCell): boolean {
  const isContinuation = ({ text }: Segment) => /^[\p{Ll}\p{Script=Han}]/u.test(text)
  return (
    isBrokenByWidth(cell) &&
    cell.lines.slice(0, -1).every(({ text }) => LONG_LINE.test(text)) &&
    cell.lines.slice(1).some(isContinuation)
  )
}

export function isBrokenByWidth({ lines, x1 }: OpenCell): boolean {
  return lines.slice(1).every((line, index) => {
    const above = getItem(lines, index)
    const width =
      ((line.x1 - line.x0) * findFirstWord(line.text).length) / Math.max(1, line.text.length)
    return above.x1 + width + (SPACE + PADDING) * line.size > x1
  })
}

/** Returns a word or one ideograph, which a line break keeps together. */
function findFirstWord(text: string): string {
  return /^(?:\p{Script=Han}|\S+)/u.exec(text)?.[0] ?? ''
}

function isSameLine(a: Segment, b: Segment): boolean {
  return Math.abs(a.baseline - b.baseline) < b.size * 0.3
}
