import type { Box } from '../../block.ts'
import type { DrawnRule } from '../ocr/drawn-rules.ts'
import type { OcrLine } from '../ocr/ocr.ts'
import type { OcrReading } from '../ocr/picture-reader.ts'
import type { Fragment } from './pdf/lines.ts'
import type { PageContent } from './pdf/page.ts'

/** Below the baseline, so that read and printed lines align. */
const DESCENT = 0.2
/** Sizes vary with the letters, so that smaller differences make no headings. */
const SAME_SIZE = 1.4
/** Height over width, so that text that runs down the page is known. */
const TALL = 1.5
/** Share of a line in printed text, so that it is not read twice. */
const COVERED = 0.5

/** Returns points. */
export function layOutOcrPage(
  page: number,
  reading: OcrReading,
  size: { width: number; height: number },
): PageContent {
  const isAcross = reading.turn.quarters % 2 === 1
  const scale = (isAcross ? size.height : size.width) / reading.width
  const usual = findUsualSize(reading.lines)
  return {
    page,
    width: reading.width * scale,
    height: reading.height * scale,
    fragments: reading.lines.map(line => toFragment(line, usual, scale)),
    rules: reading.rules
      .filter(rule => !reading.lines.some(line => isStroke(rule, line)))
      .map(({ x0, y0, x1, y1 }) => ({
        x0: x0 * scale,
        y0: y0 * scale,
        x1: x1 * scale,
        y1: y1 * scale,
      })),
    images: 1,
    isPicture: true,
    unreadShare: reading.unreadShare,
    toPageBox: box => turnBack(box, reading, scale),
  }
}

export function addPictureText(printed: PageContent, read: PageContent): PageContent {
  const fragments = read.fragments.filter(
    fragment => !printed.fragments.some(other => isCovering(other, fragment)),
  )
  return {
    ...printed,
    fragments: [...printed.fragments, ...fragments],
    rules: [...printed.rules, ...read.rules],
  }
}

/** A straight line within the text is part of its letters. */
function isStroke(rule: DrawnRule, { box, size }: OcrLine): boolean {
  const room = size / 4
  const isAcross = rule.x0 > box[0] - room && rule.x1 < box[2] + room
  return isAcross && rule.y0 > box[1] - room && rule.y1 < box[3] + room
}

function isCovering(printed: Fragment, read: Fragment): boolean {
  const width = Math.min(printed.x1, read.x1) - Math.max(printed.x0, read.x0)
  const height = Math.min(printed.bottom, read.bottom) - Math.max(printed.top, read.top)
  const area = (read.x1 - read.x0) * (read.bottom - read.top)
  return width > 0 && height > 0 && width * height > area * COVERED
}

function scaleBox([x0, y0, x1, y1]: Box, scale: number): Box {
  return [x0 * scale, y0 * scale, x1 * scale, y1 * scale]
}

function toFragment({ text, box, size }: OcrLine, usual: number, scale: number): Fragment {
  const [x0, top, x1, bottom] = scaleBox(box, scale)
  const isTurned = text.length > 2 && bottom - top > (x1 - x0) * TALL
  const settled = (isUsual(size, usual) ? usual : size) * scale
  const baseline = isTurned ? bottom : (top + bottom) / 2 + settled * (0.5 - DESCENT)
  return {
    text,
    x0,
    x1,
    top,
    bottom,
    baseline,
    size: settled,
    isAside: isTurned,
    isSpaced: true,
    isBold: false,
    isMono: false,
  }
}

function findUsualSize(lines: readonly OcrLine[]): number {
  const sorted = [...lines].sort((a, b) => a.size - b.size)
  const all = sorted.reduce((sum, { text }) => sum + text.length, 0)
  let seen = 0
  for (const { text, size } of sorted) {
    seen += text.length
    if (seen * 2 >= all) return size
  }
  return 0
}

function isUsual(size: number, usual: number): boolean {
  return size < usual * SAME_SIZE && size * SAME_SIZE > usual
}

function turnBack([x0, y0, x1, y1]: Box, reading: OcrReading, scale: number): Box {
  const corners = [x0, x1].flatMap(x => [y0, y1].map(y => undoTurn(x / scale, y / scale, reading)))
  const xs = corners.map(([x]) => x * scale)
  const ys = corners.map(([, y]) => y * scale)
  const round = (value: number) => Math.round(value * 100) / 100
  return [
    round(Math.min(...xs)),
    round(Math.min(...ys)),
    round(Math.max(...xs)),
    round(Math.max(...ys)),
  ]
}

function undoTurn(
  x: number,
  y: number,
  { width, height, turn }: OcrReading,
): readonly [number, number] {
  const sine = Math.sin(turn.lean)
  const cosine = Math.cos(turn.lean)
  const dx = x - width / 2
  const dy = y - height / 2
  const levelX = width / 2 + dx * cosine - dy * sine
  const levelY = height / 2 + dx * sine + dy * cosine
  if (turn.quarters === 1) return [levelY, width - levelX]
  if (turn.quarters === 2) return [width - levelX, height - levelY]
  return turn.quarters === 3 ? [height - levelY, levelX] : [levelX, levelY]
}
