import { CELL_SEPARATOR } from '../../ingest/block.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { type Language, languageOf } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import { FIELD_LINE, type Statement, statementsOf } from '../evidence/statements.ts'
import { IN_OTHER_LANGUAGE } from '../phrases.ts'

/** A stretch of a passage to be quoted. */
export type Quote = { readonly passage: Passage; readonly span: Span }

/** The end of a line, unless a list item is on the next. */
const WRAP =
  /\s*\n\s*(?![-*•·‣▪◦]\s|\d{1,3}[.)、．]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|第[一二三四五六七八九十百]+条|(?:Q|A|问|答)\d{0,3}[:：.])/g

const BLOCK_END = new RegExp(String.raw`\n{2,}|(?<=^${FIELD_LINE})\n(?=${FIELD_LINE}$)`, 'mu')

/** A quote as a person reads it, and, where it is in the other language, that it is. */
export function quoteText(quote: Quote, language: Language): string {
  const text = plainText(quote)
  return languageOf(text) === language ? text : `${IN_OTHER_LANGUAGE[language]}${text}`
}

/** A table row with its columns named, everything else as it stands, unwrapped. */
export function plainText({ passage, span }: Quote): string {
  const rows = statementsOf(passage).filter(
    ({ kind, span: own }) => kind === 'row' && own.start >= span.start && own.end <= span.end,
  )
  return rows.length > 0 ? withRows(passage, span, rows) : unwrap(passage.text.slice(span.start, span.end))
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
  return cells.map((cell, at) => (columns[at] ? `${columns[at]}: ${cell}` : cell)).join('; ')
}

/** Blocks, list items and lines of a header stay on lines of their own. */
function unwrap(text: string): string {
  const blocks = text.split(BLOCK_END).map(block =>
    block
      .replace(WRAP, ' ')
      .replace(/[^\S\n]+/g, ' ')
      .trim(),
  )
  return blocks.filter(Boolean).join('\n')
}
