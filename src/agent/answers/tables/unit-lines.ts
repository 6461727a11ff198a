import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import { scaledUnit, unitOfLine } from '../../language/scaled-unit.ts'
import { unitsOf } from '../../language/units.ts'
import type { Quote } from '../selection.ts'
import { cellAmount } from './cell-number.ts'
import { unitInHeader } from './columns.ts'
import { asPassage, linesBefore } from './table.ts'

/** Quotes, and behind those from a table whose numbers are in a unit that only a line before it names, that line. */
export async function withUnitLines(
  quotes: readonly Quote[],
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<readonly Quote[]> {
  const shown: Quote[] = []
  for (const quote of quotes) {
    shown.push(quote)
    const line = hasBareNumbers(quote) ? await unitLine(quote, reader, signal) : undefined
    if (line && ![...shown, ...quotes].some(other => holds(other, line))) shown.push(line)
  }
  return shown
}

function hasBareNumbers({ passage, span }: Quote): boolean {
  const rows = unitsOf(passage).filter(
    unit => unit.columns && span.start <= unit.span.start && unit.span.end <= span.end,
  )
  return rows.some(({ text, columns = [] }) =>
    text.split(' | ').some((cell, at) => {
      const amount = at > 0 ? cellAmount(cell.trim()) : undefined
      return amount !== undefined && !amount.written && !scaledUnit(unitInHeader(columns[at] ?? ''))
    }),
  )
}

async function unitLine({ passage, span }: Quote, reader: DocumentReader, signal?: AbortSignal) {
  const before = await linesBefore(passage.documentId, passage.charStart + span.start, reader, signal)
  const line = before.findLast(({ text }) => unitOfLine(text) !== undefined)
  return line && { passage: asPassage(passage, line), span: { start: 0, end: line.text.length } }
}

function holds({ passage, span }: Quote, line: Quote): boolean {
  const start = passage.charStart + span.start
  const { charStart, charEnd } = line.passage
  return passage.documentId === line.passage.documentId && start <= charStart && charEnd <= passage.charStart + span.end
}
