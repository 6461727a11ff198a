import { CELL_SEPARATOR } from '../ingest/block.ts'
import { isEnded, measureWidth } from '../text/line-width.ts'

/** As `Place: Room Lisbon`, `日期：3月12日`: a line of a header. */
export const FIELD_LINE = String.raw`\p{L}[^\n:：.,;。，；]{0,24}(?:[:：] +|：)\S[^\n]{0,90}`

/** A line that begins a list item, a clause or a turn stands by itself. */
const OWN_LINE =
  /^\s*(?:[-*•·‣▪◦]\s|\d{1,3}[.)、．]|[\u2460-\u2473]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|第[一二三四五六七八九十百]+条|(?:Q|A|问|答)\d{0,3}[:：.])/

const BLOCK_END = new RegExp(String.raw`\n{2,}|(?<=^${FIELD_LINE})\n(?=${FIELD_LINE}$)`, 'mu')

/** Words of a document as a person reads them: blocks, rows, items and lines that were ended on purpose on lines of their own, others unwrapped. */
export function unwrap(text: string, widthBefore = 0): string {
  const blocks = text.split(BLOCK_END).filter(block => block.trim() !== '')
  return blocks.map((block, at) => unwrapBlock(block, at === 0 ? widthBefore : 0)).join('\n')
}

/** What is set in stays so; so much stands before it in its first line. */
function unwrapBlock(block: string, widthBefore: number): string {
  const lines = block.split('\n').filter(line => line.trim() !== '')
  const ends = lines.map((line, at) => measureWidth(line.trim()) + (at === 0 ? widthBefore : 0))
  const width = ends.reduce((most, end) => Math.max(most, end), 0)
  const indent = /^ {2,}(?=\S)/.exec(block)?.[0] ?? ''
  const text = lines.map((line, at) => {
    const next = lines[at + 1]
    const isKept = next !== undefined && (standApart(line, next) || isEnded(ends[at]!, next, width)) // as many
    return line.replace(/\s+/g, ' ').trim() + (next === undefined ? '' : isKept ? '\n' : ' ')
  })
  return indent + text.join('')
}

function standApart(line: string, next: string): boolean {
  return OWN_LINE.test(next) || (line.includes(CELL_SEPARATOR) && next.includes(CELL_SEPARATOR))
}
