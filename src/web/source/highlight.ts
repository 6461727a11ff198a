import type { CitationJson } from '../../wire/answer.ts'
import type { BlockJson, BoxJson } from '../../wire/document.ts'

/** Place in the parsed text of a document. */
export type TextSpan = Pick<CitationJson, 'charStart' | 'charEnd'>

/** Letters differ in width, and no quoted word may be left dark: a cut is moved outwards by this much of an n. */
const SLACK = 0.8

/** As wide as high; all others are about half of that. */
const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/
const NARROW = /[iljtfr.,:;'|!()[\] -]/
const BROAD = /[mwMW@%—]/
const CAPITAL = /[A-Z&]/

type PrintedLine = TextSpan & { readonly box: BoxJson; readonly text: string }

/** Which way the letters of a line go on the page as it is shown. */
type Direction = 'right' | 'left' | 'down' | 'up'

/**
 * What to light of a page for a stretch of the document: whole lines in its middle, and of the first and last only the words
 * that belong to it, by the usual widths of letters.
 */
export function litBoxes(blocks: readonly BlockJson[], span: TextSpan): readonly BoxJson[] {
  const lines = blocks.flatMap(linesOf)
  const directions = directionsOf(lines)
  return lines
    .filter(line => line.charStart < span.charEnd && span.charStart < line.charEnd)
    .map(line => cut(line, span, isSideways(line) ? directions.sideways : directions.upright))
}

function linesOf({ box, lines, text, charStart, charEnd }: BlockJson): readonly PrintedLine[] {
  if (!lines) return box ? [{ charStart, charEnd, box, text }] : []
  return lines.map(({ start, end, box }) => ({
    charStart: charStart + start,
    charEnd: charStart + end,
    box,
    text: text.slice(start, end),
  }))
}

function isSideways({ box: [x0, y0, x1, y1], text }: PrintedLine): boolean {
  return y1 - y0 > x1 - x0 && text.length > 2
}

/**
 * A page may be turned: its lines follow each other down where it is upright, up where it is upside down, and from right to
 * left where its letters go down. One line alone tells nothing.
 */
function directionsOf(lines: readonly PrintedLine[]): {
  upright: Direction
  sideways: Direction | undefined
} {
  const steps = lines.slice(1).map((line, at) => ({ from: lines[at]!, to: line })) // one before each
  const upright = steps.filter(({ from, to }) => !isSideways(from) && !isSideways(to))
  const sideways = steps.filter(({ from, to }) => isSideways(from) && isSideways(to))
  const down = tendency(upright.map(({ from, to }) => to.box[1] - from.box[1]))
  const across = tendency(sideways.map(({ from, to }) => to.box[0] - from.box[0]))
  return {
    upright: down < 0 ? 'left' : 'right',
    sideways: across === 0 ? undefined : across < 0 ? 'down' : 'up',
  }
}

function tendency(steps: readonly number[]): number {
  return steps.reduce((sum, step) => sum + Math.sign(step), 0)
}

function cut(
  { box, charStart, charEnd, text }: PrintedLine,
  span: TextSpan,
  direction: Direction | undefined,
): BoxJson {
  const indent = text.length - text.trimStart().length // a line's box begins with its first letter
  const whole = widthOf(text.trim())
  if (!direction || whole === 0) return box // nothing says which way it runs
  const share = (letters: number, slack: number) =>
    Math.min(1, Math.max(0, (widthOf(text.slice(indent, letters)) + slack) / whole))
  const from = span.charStart <= charStart ? 0 : share(span.charStart - charStart, -SLACK)
  const to = span.charEnd >= charEnd ? 1 : share(span.charEnd - charStart, SLACK)
  return part(box, direction, from, to)
}

/** Of a line's box from one share of its length to another. */
function part([x0, y0, x1, y1]: BoxJson, direction: Direction, from: number, to: number): BoxJson {
  const wide = x1 - x0
  const high = y1 - y0
  switch (direction) {
    case 'right':
      return [x0 + wide * from, y0, x0 + wide * to, y1]
    case 'left':
      return [x1 - wide * to, y0, x1 - wide * from, y1]
    case 'down':
      return [x0, y0 + high * from, x1, y0 + high * to]
    case 'up':
      return [x0, y1 - high * to, x1, y1 - high * from]
  }
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
type LitRange = { readonly from: number; readonly to: number }

/** Of a text that begins at a place of the document, what a span lights. */
export function litRange(text: string, charStart: number, span: TextSpan): LitRange | undefined {
  const from = Math.max(0, span.charStart - charStart)
  const to = Math.min(text.length, span.charEnd - charStart)
  return from < to ? { from, to } : undefined
}

/** A cell of a table with its place in the document. */
type PlacedCell = TextSpan & { readonly text: string }

const CELL_SEPARATOR = ' | '

/** A table's text is its rows, one a line, cells joined by ` | `: each cell stands at a place of its own. */
export function placedCells({
  text,
  charStart,
}: Pick<BlockJson, 'text' | 'charStart'>): readonly (readonly PlacedCell[])[] {
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
