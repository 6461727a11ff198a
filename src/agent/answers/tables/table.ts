import type { PlacedBlock } from '../../../ingest/block.ts'
import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import type { Span } from '../../../ingest/sentences.ts'
import type { Passage } from '../../../search/passages/context.ts'
import { type Unit, unitsOf } from '../../language/units.ts'

/** A row of a table, its header not counted. */
export type Row = { readonly unit: Unit; readonly cells: readonly string[] }

/** A table that some of was found. */
export type Table = {
  readonly passage: Passage
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Of a document longer than this, only what was found of a table is looked at. */
const MAX_TOKENS = 150_000
const MAX_TABLES = 12
const CELL = ' | '

/** The tables that passages have rows of, best passage first: whole where their document is not too long to be read. */
export async function tablesIn(
  passages: readonly Passage[],
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<readonly Table[]> {
  const parts = passages.flatMap(partialTables).slice(0, MAX_TABLES)
  const documents = new Set(parts.map(({ passage }) => passage.documentId))
  const whole = new Map<string, readonly Table[]>()
  for (const id of documents) {
    const own = parts.filter(({ passage }) => passage.documentId === id)
    whole.set(id, await wholeTables(own, reader, signal))
  }
  return [...documents].flatMap(id => whole.get(id) ?? [])
}

/** Whether a unit is a row of the table. */
export function isRowOf({ passage, columns, span }: Unit, table: Table): boolean {
  const start = passage.charStart + span.start
  const { documentId, charStart, charEnd } = table.passage
  return columns !== undefined && passage.documentId === documentId && charStart <= start && start < charEnd
}

/** What stands in a passage of its tables. */
function partialTables(passage: Passage): readonly Table[] {
  const rows = unitsOf(passage).filter(unit => unit.columns)
  return [...new Set(rows.map(({ block }) => block))].map(block => {
    const own = rows.filter(row => row.block === block)
    return toTable(slice(passage, { start: own[0]!.span.start, end: own.at(-1)!.span.end }, own[0]!.columns ?? [])) // it has a row
  })
}

async function wholeTables(parts: readonly Table[], reader: DocumentReader, signal?: AbortSignal) {
  const id = parts[0]!.passage.documentId // a document of a part
  if ((reader.find(id)?.tokens ?? Number.POSITIVE_INFINITY) > MAX_TOKENS) return parts
  const last = Math.max(...parts.map(({ passage }) => passage.charStart))
  const tables = new Map<number, Table>()
  for await (const block of reader.blocks(id, signal)) {
    if (block.charStart > last) break
    const part = parts.find(({ passage }) => block.charStart <= passage.charStart && passage.charStart < block.charEnd)
    if (part && isTable(block)) tables.set(block.charStart, toTable(asPassage(part.passage, block)))
  }
  const isIn = ({ passage }: Table, { passage: part }: Table) =>
    passage.charStart <= part.charStart && part.charStart < passage.charEnd
  const found = parts.map(part => [...tables.values()].find(table => isIn(table, part)) ?? part)
  return [...new Set(found)]
}

function isTable({ text }: PlacedBlock): boolean {
  return text.split('\n').every(line => line.includes(CELL))
}

function toTable(passage: Passage): Table {
  const units = unitsOf(passage)
  const rows = units.map(unit => ({ unit, cells: unit.text.split(CELL).map(cell => cell.trim()) }))
  return { passage, columns: units[0]?.columns ?? [], rows }
}

/** A table's block as a passage of its own. */
function asPassage(passage: Passage, { text, charStart, charEnd }: PlacedBlock): Passage {
  const context = withoutHeader(passage.context)
  return part(passage, { text, charStart, charEnd, context })
}

/** Rows of a passage as a passage of their own, the header in its context. */
function slice(passage: Passage, { start, end }: Span, columns: readonly string[]): Passage {
  const context = [withoutHeader(passage.context), columns.join(CELL)].filter(Boolean).join('\n')
  const [charStart, charEnd] = [passage.charStart + start, passage.charStart + end]
  return part(passage, { text: passage.text.slice(start, end), charStart, charEnd, context })
}

function part(passage: Passage, own: Pick<Passage, 'text' | 'charStart' | 'charEnd' | 'context'>): Passage {
  const first =
    passage.parts.find(({ charStart, charEnd }) => charStart <= own.charStart && own.charStart < charEnd) ??
    passage.parts.find(({ charStart, charEnd }) => charStart < own.charEnd && own.charStart < charEnd)
  const headings = first?.headings ?? passage.headings
  return { ...passage, ...own, headings, parts: [{ ...(first ?? passage), ...own, headings }] }
}

function withoutHeader(context: string): string {
  return context
    .split('\n')
    .filter(line => !line.includes(CELL))
    .join('\n')
}
