import { CELL_SEPARATOR } from '../../ingest/block.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { type Language, languageOf } from '../../text/language.ts'
import { isEnded, widthOf } from '../../text/line-width.ts'
import type { Span } from '../../text/sentences.ts'
import { FIELD_LINE, type Statement, statementsOf } from '../evidence/statements.ts'
import { IN_OTHER_LANGUAGE } from '../phrases.ts'

/** A stretch of a passage to be quoted. */
export type Quote = { readonly passage: Passage; readonly span: Span }

/** A line that begins a list item, a clause or a turn stands by itself. */
const OWN_LINE =
  /^\s*(?:[-*•·‣▪◦]\s|\d{1,3}[.)、．]|[\u2460-\u2473]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|第[一二三四五六七八九十百]+条|(?:Q|A|问|答)\d{0,3}[:：.])/

const BLOCK_END = new RegExp(String.raw`\n{2,}|(?<=^${FIELD_LINE})\n(?=${FIELD_LINE}$)`, 'mu')

/** A quote as a person reads it, and, where it is in the other language, that it is. */
export function quoteText(quote: Quote, language: Language): string {
  const text = plainText(quote)
  return languageOf(text) === language ? text : `${IN_OTHER_LANGUAGE[language]}${text}`
}

/** A table row with its columns named and without its empty cells, everything else as it stands, unwrapped. */
export function plainText({ passage, span }: Quote): string {
  const rows = statementsOf(passage).filter(
    ({ kind, span: own }) => kind === 'row' && own.start >= span.start && own.end <= span.end,
  )
  return rows.length > 0 ? withRows(passage, span, rows) : unwrappedSpan(passage, span)
}

/** Lines that are all set in alike lose their indent; the first may begin in the middle of one. */
function unwrappedSpan({ text }: Passage, { start, end }: Span): string {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const own = text.slice(start, end)
  return before.trim() === '' ? unwrap(own.replaceAll(`\n${before}`, '\n')) : unwrap(own, widthOf(before.trim()))
}

function withRows(passage: Passage, span: Span, rows: readonly Statement[]): string {
  const lines: string[] = []
  let from = span.start
  for (const row of rows) {
    lines.push(unwrap(passage.text.slice(from, row.span.start)), rowText(row))
    from = row.span.end
  }
  return [...lines, unwrap(passage.text.slice(from, span.end))].filter(Boolean).join('\n')
}

function rowText({ text, columns }: Statement): string {
  const cells = text.split(CELL_SEPARATOR)
  if (columns.length === 0 && cells.length === 2) return cells.join(/[:：]$/.test(cells[0]!) ? ' ' : ': ') // of two
  if (cells.length !== columns.length) return text
  const named = cells.map((cell, at) => (columns[at] ? `${columns[at]}: ${cell}` : cell))
  return named.filter((_, at) => cells[at]?.trim()).join('; ')
}

/** Words of a document as a person reads them: blocks, rows, items and lines that were ended on purpose on lines of their own, others unwrapped. */
export function unwrap(text: string, widthBefore = 0): string {
  const blocks = text.split(BLOCK_END).filter(block => block.trim() !== '')
  return blocks.map((block, at) => unwrappedBlock(block, at === 0 ? widthBefore : 0)).join('\n')
}

/** What is set in stays so; so much stands before it in its first line. */
function unwrappedBlock(block: string, widthBefore: number): string {
  const lines = block.split('\n').filter(line => line.trim() !== '')
  const ends = lines.map((line, at) => widthOf(line.trim()) + (at === 0 ? widthBefore : 0))
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
