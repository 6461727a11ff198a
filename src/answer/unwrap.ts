import { CELL_SEPARATOR } from '../ingest/block.ts'
import { isEnded, measureWidth } from '../text/line-width.ts'

/** Header line such as `Place: Room Lisbon`, `日期：3月12日`. */
export const FIELD_LINE = String.raw`\p{L}[^\n:：.,;。，；]{0,24}(?:[:：] +|：)\S[^\n]{0,90}`

/** Items, clauses and turns stay on their line. */
const OWN_LINE =
  /^\s*(?:[-*•·‣▪◦]\s|\d{1,3}[.)、．]|[\u2460-\u2473]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|第[一二三四五六七八九十百]+条|(?:Q|A|问|答)\d{0,3}[:：.])/

const BLOCK_END = new RegExp(String.raw`\n{2,}|(?<=^${FIELD_LINE})\n(?=${FIELD_LINE}$)`, 'mu')

/** Keeps blocks, rows, items and deliberate line ends. */
export function unwrap(text: string, widthBefore = 0): string {
  const blocks = text.split(BLOCK_END).filter(block => block.trim() !== '')
  return blocks.map((block, index) => unwrapBlock(block, index === 0 ? widthBefore : 0)).join('\n')
}

/** Keeps an indent; `widthBefore` columns precede its first line. */
function unwrapBlock(block: string, widthBefore: number): string {
  const lines = block.split('\n').filter(line => line.trim() !== '')
  const ends = lines.map(
    (line, index) => measureWidth(line.trim()) + (index === 0 ? widthBefore : 0),
  )
  const width = ends.reduce((longest, end) => Math.max(longest, end), 0)
  const indent = /^ {2,}(?=\S)/.exec(block)?.[0] ?? ''
  const text = lines.map((line, index) => {
    const next = lines[index + 1]
    const hasBreak =
      next !== undefined && (areApart(line, next) || isEnded(ends[index]!, next, width))
    return line.replace(/\s+/g, ' ').trim() + (next === undefined ? '' : hasBreak ? '\n' : ' ')
  })
  return indent + text.join('')
}

function areApart(line: string, next: string): boolean {
  return OWN_LINE.test(next) || (line.includes(CELL_SEPARATOR) && next.includes(CELL_SEPARATOR))
}
