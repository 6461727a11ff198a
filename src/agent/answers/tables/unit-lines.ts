import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import { PassageUnits } from '../../language/passage-units.ts'
import { scaledUnit, unitOfLine } from '../../language/scaled-unit.ts'
import type { Unit } from '../../language/units.ts'
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
  const units = new PassageUnits()
  const bare = quotes.filter(quote => hasBareNumbers(units.within(quote)))
  const lines = await unitLines(bare, reader, signal)
  const shown: Quote[] = []
  for (const quote of quotes) {
    shown.push(quote)
    const line = lines.get(quote)
    if (line && ![...shown, ...quotes].some(other => holds(other, line))) shown.push(line)
  }
  return shown
}

function hasBareNumbers(units: readonly Unit[]): boolean {
  const rows = units.filter(unit => unit.columns)
  return rows.some(({ text, columns = [] }) =>
    text.split(' | ').some((cell, at) => {
      const amount = at > 0 ? cellAmount(cell.trim()) : undefined
      return amount !== undefined && !amount.written && !scaledUnit(unitInHeader(columns[at] ?? ''))
    }),
  )
}

/** Of each quote the line that names its unit; a document is read once. */
async function unitLines(quotes: readonly Quote[], reader: DocumentReader, signal?: AbortSignal) {
  const lines = new Map<Quote, Quote>()
  for (const id of new Set(quotes.map(({ passage }) => passage.documentId))) {
    const own = quotes.filter(({ passage }) => passage.documentId === id)
    const before = await linesBefore(id, own.map(placeOf), reader, signal)
    for (const [at, quote] of own.entries()) {
      const line = before[at]?.findLast(({ text }) => unitOfLine(text) !== undefined)
      if (line) lines.set(quote, { passage: asPassage(quote.passage, line), span: { start: 0, end: line.text.length } })
    }
  }
  return lines
}

function placeOf({ passage, span }: Quote): number {
  return passage.charStart + span.start
}

function holds({ passage, span }: Quote, line: Quote): boolean {
  const start = passage.charStart + span.start
  const { charStart, charEnd } = line.passage
  return passage.documentId === line.passage.documentId && start <= charStart && charEnd <= passage.charStart + span.end
}
