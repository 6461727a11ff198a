import type { TextSpan } from '../../answer/citations/places.ts'
import type { Box, PlacedBlock } from '../../ingest/block.ts'

/** Letters differ in width, and no quoted word may be left dark: a cut is moved outwards by this much of an n. */
const SLACK = 0.5

/** As wide as high; all others are about half of that. */
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/
const NARROW = /[iljtfr.,:;'|!()[\] -]/
const BROAD = /[mwMW@%—]/
const CAPITAL = /[A-Z&]/

type PrintedLine = TextSpan & { readonly box: Box; readonly text: string }

/**
 * What to light of a page for a stretch of the document: whole lines in its middle, and of the first and last only the words
 * that belong to it, by the usual widths of letters.
 */
export function litBoxes(blocks: readonly PlacedBlock[], span: TextSpan): readonly Box[] {
  const lines = blocks.flatMap(linesOf)
  return lines
    .filter(line => line.charStart < span.charEnd && span.charStart < line.charEnd)
    .map(line => cut(line, span))
}

function linesOf({ box, lines, text, charStart, charEnd }: PlacedBlock): readonly PrintedLine[] {
  if (!lines) return box ? [{ charStart, charEnd, box, text }] : []
  return lines.map(({ start, end, box }) => ({
    ...{ charStart: charStart + start, charEnd: charStart + end },
    ...{ box, text: text.slice(start, end) },
  }))
}

function cut({ box, charStart, charEnd, text }: PrintedLine, span: TextSpan): Box {
  const [x0, y0, x1, y1] = box
  const isSideways = y1 - y0 > x1 - x0 && text.length > 2
  if (isSideways) return box // it runs up or down, and nothing says which
  const whole = widthOf(text)
  const place = (letters: number, slack: number) => {
    const share = (widthOf(text.slice(0, letters)) + slack) / whole
    return x0 + (x1 - x0) * Math.min(1, Math.max(0, share))
  }
  if (whole === 0) return box
  const left = span.charStart <= charStart ? x0 : place(span.charStart - charStart, -SLACK)
  const right = span.charEnd >= charEnd ? x1 : place(span.charEnd - charStart, SLACK)
  return [left, y0, right, y1]
}

/** In widths of an n. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

function letterWidth(letter: string): number {
  if (WIDE.test(letter)) return 1.9
  if (NARROW.test(letter)) return 0.56
  if (BROAD.test(letter)) return 1.5
  return CAPITAL.test(letter) ? 1.25 : 1
}

/** A part of a text, `[from, to)`, or nothing of it. */
export type LitRange = { readonly from: number; readonly to: number }

/** Of a text that begins at a place of the document, what a span lights. */
export function litRange(text: string, charStart: number, span: TextSpan): LitRange | undefined {
  const [from, to] = [Math.max(0, span.charStart - charStart), Math.min(text.length, span.charEnd - charStart)]
  return from < to ? { from, to } : undefined
}

/** A cell of a table with its place in the document. */
export type PlacedCell = TextSpan & { readonly text: string }

const CELL_SEPARATOR = ' | '

/** A table's text is its rows, one a line, cells joined by ` | `: each cell stands at a place of its own. */
export function placedCells({
  text,
  charStart,
}: Pick<PlacedBlock, 'text' | 'charStart'>): readonly (readonly PlacedCell[])[] {
  let at = charStart
  return text.split('\n').map(line => {
    const cells = line.split(CELL_SEPARATOR).map(cell => {
      const placed = { text: cell, charStart: at, charEnd: at + cell.length }
      at += cell.length + CELL_SEPARATOR.length
      return placed
    })
    at += 1 - CELL_SEPARATOR.length
    return cells
  })
}
