import type { CitationJson } from '../../wire/answer.ts'
import type { BlockJson, BoxJson } from '../../wire/document.ts'

export type TextSpan = Pick<CitationJson, 'charStart' | 'charEnd'>

/**
 * Widths of an n by which a cut moves outwards, so that no quoted letter stays unmarked
 * although widths are estimates.
 */
const SLACK = 0.8

/** Full-width characters; others are about half as wide. */
const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/
const NARROW = /[iljtfr.,:;'|!()[\] -]/
const BROAD = /[mwMW@%—]/
const CAPITAL = /[A-Z&]/

type PrintedLine = TextSpan & { readonly box: BoxJson; readonly text: string }

type Direction = 'right' | 'left' | 'down' | 'up'

/**
 * Returns complete lines in the middle of a span, and the estimated part of its first and last
 * line.
 */
export function findHighlightBoxes(
  blocks: readonly BlockJson[],
  span: TextSpan,
): readonly BoxJson[] {
  const lines = blocks.flatMap(listLines)
  const directions = detectDirections(lines)
  return lines
    .filter(line => line.charStart < span.charEnd && span.charStart < line.charEnd)
    .map(line => cutLine(line, span, isSideways(line) ? directions.sideways : directions.upright))
}

function listLines({ box, lines, text, charStart, charEnd }: BlockJson): readonly PrintedLine[] {
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
 * Detects a turned page by the order of its lines: upwards if it is upside down, from right to
 * left if letters run down.
 */
function detectDirections(lines: readonly PrintedLine[]): {
  upright: Direction
  sideways: Direction | undefined
} {
  const steps = lines.slice(1).flatMap((to, index) => {
    const from = lines[index]
    return from ? [{ from, to }] : []
  })
  const upright = steps.filter(({ from, to }) => !isSideways(from) && !isSideways(to))
  const sideways = steps.filter(({ from, to }) => isSideways(from) && isSideways(to))
  const down = sumSigns(upright.map(({ from, to }) => to.box[1] - from.box[1]))
  const across = sumSigns(sideways.map(({ from, to }) => to.box[0] - from.box[0]))
  return {
    upright: down < 0 ? 'left' : 'right',
    sideways: across === 0 ? undefined : across < 0 ? 'down' : 'up',
  }
}

function sumSigns(steps: readonly number[]): number {
  return steps.reduce((sum, step) => sum + Math.sign(step), 0)
}

function cutLine(
  { box, charStart, charEnd, text }: PrintedLine,
  span: TextSpan,
  direction: Direction | undefined,
): BoxJson {
  const indent = text.length - text.trimStart().length // the box begins at the first letter
  const fullWidth = measureText(text.trim())
  if (!direction || fullWidth === 0) return box // unknown direction
  const share = (letters: number, slack: number) =>
    Math.min(1, Math.max(0, (measureText(text.slice(indent, letters)) + slack) / fullWidth))
  const from = span.charStart <= charStart ? 0 : share(span.charStart - charStart, -SLACK)
  const to = span.charEnd >= charEnd ? 1 : share(span.charEnd - charStart, SLACK)
  return cutBox(box, direction, from, to)
}

function cutBox(
  [x0, y0, x1, y1]: BoxJson,
  direction: Direction,
  from: number,
  to: number,
): BoxJson {
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

/** Estimates the width, in widths of an n. */
function measureText(text: string): number {
  let width = 0
  for (const letter of text) width += measureLetter(letter)
  return width
}

function measureLetter(letter: string): number {
  if (WIDE.test(letter)) return 1.9
  if (NARROW.test(letter)) return 0.56
  if (BROAD.test(letter)) return 1.5
  return CAPITAL.test(letter) ? 1.25 : 1
}

type LitRange = { readonly from: number; readonly to: number }

export function intersectSpan(
  text: string,
  charStart: number,
  span: TextSpan,
): LitRange | undefined {
  const from = Math.max(0, span.charStart - charStart)
  const to = Math.min(text.length, span.charEnd - charStart)
  return from < to ? { from, to } : undefined
}

type PlacedCell = TextSpan & { readonly text: string }

const CELL_SEPARATOR = ' | '

/**
 * Splits a table's text (one row per line, cells joined by ` | `) into cells with their
 * offsets.
 */
export function locateCells({
  text,
  charStart,
}: Pick<BlockJson, 'text' | 'charStart'>): readonly (readonly PlacedCell[])[] {
  let offset = charStart
  return text.split('\n').map(line => {
    const cells = line.split(CELL_SEPARATOR).map(cell => {
      const placed = { text: cell, charStart: offset, charEnd: offset + cell.length }
      offset += cell.length + CELL_SEPARATOR.length
      return placed
    })
    offset += 1 - CELL_SEPARATOR.length
    return cells
  })
}
