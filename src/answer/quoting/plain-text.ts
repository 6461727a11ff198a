import { CELL_SEPARATOR } from '../../ingest/block.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { measureWidth } from '../../text/line-width.ts'
import type { Span } from '../../text/sentences.ts'
import { type Statement, toStatements } from '../statements.ts'
import { unwrap } from '../unwrap.ts'

/** Formats rows with column names and without empty cells; unwraps other text. */
export function toPlainText({
  passage,
  span,
}: {
  readonly passage: Passage
  readonly span: Span
}): string {
  const rows = toStatements(passage).filter(
    ({ kind, span: own }) => kind === 'row' && own.start >= span.start && own.end <= span.end,
  )
  return rows.length > 0 ? withRows(passage, span, rows) : unwrapSpan(passage, span)
}

function unwrapSpan({ text }: Passage, { start, end }: Span): string {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const own = text.slice(start, end)
  return before.trim() === ''
    ? unwrap(own.replaceAll(`\n${before}`, '\n'))
    : unwrap(own, measureWidth(before.trim()))
}

function withRows(passage: Passage, span: Span, rows: readonly Statement[]): string {
  const lines: string[] = []
  let from = span.start
  for (const row of rows) {
    lines.push(unwrap(passage.text.slice(from, row.span.start)), formatRow(row))
    from = row.span.end
  }
  return [...lines, unwrap(passage.text.slice(from, span.end))].filter(Boolean).join('\n')
}

function formatRow({ text, columns }: Statement): string {
  const cells = text.split(CELL_SEPARATOR)
  if (columns.length === 0 && cells.length === 2)
    return cells.join(/[:：]$/.test(cells[0]!) ? ' ' : ': ')
  if (cells.length !== columns.length) return text
  const named = cells.map((cell, index) => (columns[index] ? `${columns[index]}: ${cell}` : cell))
  return named.filter((_, index) => cells[index]?.trim()).join('; ')
}
