import { getFirst, getLast } from '../../../../system/items.ts'
import { isIdeograph, type Segment } from './lines.ts'

export type Paragraph = {
  readonly lines: readonly Segment[]
  readonly column: Span
}

type Span = { readonly x0: number; readonly x1: number }

const BULLET = /^[•·●○▪■◆◇◦‣★☛☞▲▼\u2701-\u2775\u2794-\u27be\uf000-\uf0ff*–—-]\s+\S/u
const NUMBER =
  /^([(（]?(\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)）](?=\s|[^\s\d])\s*|\d{1,2}(\.\d{1,2}){1,4}\.?\s+|\d{1,3}、|[（(][一二三四五六七八九十百]{1,4}[)）]|[一二三四五六七八九十百]{1,4}、|第[一二三四五六七八九十百零〇\d]{1,6}[条章节篇编部款]|[\u2460-\u2473])/u
const CONTENTS_ENTRY = /(\.{4,}|…{2,}|·{4,}|(?:\. ){4,})\s*(\d+|[ivxlc]+)$/i
const PARTED = /\p{L}[-\u2010\u00ad]$/u
/** Lines, so that only lines of one width and end are running text. */
const MIN_PROSE_LINES = 5
const PROSE_SHARE = 0.45
const PROSE_WIDTH = 0.3
const PROSE_EM = 15
const RAGGED = 2.5
const SENTENCE_END = /[.!?。！？:：;；…]["”’')）」』]?$/

export function findListMarker(
  text: string,
): { readonly marker: string; readonly isBullet: boolean } | undefined {
  const bullet = BULLET.exec(text)
  if (bullet) return { marker: /^.\s+/u.exec(text)?.[0] ?? bullet[0], isBullet: true }
  const number = NUMBER.exec(text)
  return number ? { marker: number[0], isBullet: false } : undefined
}

export function toParagraphs(lines: readonly Segment[], column: Span): Paragraph[] {
  const leading = measureLeading(lines)
  const edges = { x0: column.x0, x1: findRightEdge(lines, column) ?? column.x1 }
  const paragraphs: Segment[][] = []
  for (const line of lines) {
    const open = paragraphs.at(-1)
    if (open && continuesParagraph(open, line, leading, edges)) open.push(line)
    else paragraphs.push([line])
  }
  return paragraphs.map(group => ({ lines: group, column }))
}

/** Ignores lines that stick out, such as page numbers. */
function findRightEdge(lines: readonly Segment[], column: Span): number | undefined {
  if (lines.length < MIN_PROSE_LINES) return undefined
  const ends = lines.map(line => line.x1).sort((a, b) => b - a)
  return ends.find(end => {
    const near = lines.filter(line => line.x1 <= end && line.x1 > end - line.size * RAGGED)
    const width = end - column.x0
    const isWide =
      width > (column.x1 - column.x0) * PROSE_WIDTH && width > getFirst(near).size * PROSE_EM
    return isWide && near.length >= lines.length * PROSE_SHARE
  })
}

/** Returns em. */
function measureLeading(lines: readonly Segment[]): number {
  const distances: number[] = []
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1]
    if (!previous || !isSameSize(previous, line)) continue
    const distance = (line.baseline - previous.baseline) / line.size
    if (distance > 0.8 && distance < 3) distances.push(distance)
  }
  distances.sort((a, b) => a - b)
  return distances[Math.floor(distances.length / 3)] ?? 1.4
}

function continuesParagraph(
  open: readonly Segment[],
  line: Segment,
  leading: number,
  column: Span,
): boolean {
  const previous = getLast(open)
  const distance = (line.baseline - previous.baseline) / line.size
  if (!isSameSize(previous, line) || distance > leading * 1.3 + 0.1 || distance < 0) return false
  if (BULLET.test(line.text) || isSibling(getFirst(open), line)) return false
  if (CONTENTS_ENTRY.test(previous.text)) return false
  if (PARTED.test(previous.text) && /^\p{Ll}/u.test(line.text)) return true
  const hasEnded = isEndingEarly(previous, line, column) || SENTENCE_END.test(previous.text)
  if (hasEnded && (NUMBER.test(line.text) || previous.isBold !== line.isBold)) return false
  if (isCentred(previous, line, column)) return true
  if (isIndented(open, line)) return false
  return !isBrokenEarly(previous, line, column)
}

function isSameSize(a: Segment, b: Segment): boolean {
  return Math.abs(a.size - b.size) <= Math.max(a.size, b.size) * 0.1
}

function isEndingEarly(previous: Segment, line: Segment, column: Span): boolean {
  return measureRoom(previous, column) > estimateFirstWord(line) + line.size
}

function isBrokenEarly(previous: Segment, line: Segment, column: Span): boolean {
  if (!isEndingEarly(previous, line, column)) return false
  const isFarShort = measureRoom(previous, column) > (column.x1 - column.x0) * 0.3
  return isFarShort || SENTENCE_END.test(previous.text)
}

function measureRoom(line: Segment, column: Span): number {
  return column.x1 - line.x1
}

function estimateFirstWord(line: Segment): number {
  const width = (line.x1 - line.x0) / Math.max(1, line.text.length)
  if (isIdeograph(line.text[0])) return width * 2
  return width * (line.text.search(/\s|$/) + 1)
}

function isCentred(previous: Segment, line: Segment, column: Span): boolean {
  const isShort = Math.max(previous.x0, line.x0) - column.x0 > line.size * 2
  const drift = Math.abs(previous.x0 + previous.x1 - line.x0 - line.x1) / 2
  return isShort && drift < line.size * 0.7 && Math.abs(previous.x0 - line.x0) > line.size
}

function isSibling(first: Segment, line: Segment): boolean {
  return (
    NUMBER.test(line.text) &&
    NUMBER.test(first.text) &&
    Math.abs(first.x0 - line.x0) < line.size / 2
  )
}

function isIndented(open: readonly Segment[], line: Segment): boolean {
  const previous = getLast(open)
  const shift = (line.x0 - previous.x0) / line.size
  if (shift > 0.9) return open.length > 1 || !findListMarker(getFirst(open).text) || shift > 4
  return shift < -0.9 && open.length > 1
}
