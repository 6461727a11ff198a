import type { PlacedBlock } from '../../../ingest/block.ts'
import type { DocumentReader } from '../../../ingest/catalog/document.ts'
import type { Span } from '../../../ingest/sentences.ts'
import type { Passage } from '../../../search/passages/context.ts'
import { type ScaledUnit, unitOfLine } from '../../language/scaled-unit.ts'
import { type Unit, unitsOf } from '../../language/units.ts'

/** A row of a table, its header not counted. */
export type Row = { readonly unit: Unit; readonly cells: readonly string[] }

/** A table that some of was found. */
export type Table = {
  /** Its first part; others follow where it goes on on the next page. */
  readonly passage: Passage
  readonly charEnd: number
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** All its rows are here, not only what was found of them. */
  readonly isWhole: boolean
  /** What stands right before it: a caption, or what introduces it. */
  readonly lines: readonly string[]
  /** What its caption or the lines before it say that its numbers are in. */
  readonly unit?: ScaledUnit
}

/** Of a document longer than this, only what was found of a table is looked at. */
const MAX_TOKENS = 150_000
const MAX_TABLES = 48
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
  const { documentId, charStart } = table.passage
  return columns !== undefined && passage.documentId === documentId && charStart <= start && start < table.charEnd
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
  if (isLong(id, reader)) return parts
  const last = Math.max(...parts.map(({ passage }) => passage.charStart))
  const written = await writtenTables(reader.blocks(id, signal), last)
  const tables = new Map<Written, Table>()
  const found = parts.map(part => {
    const own = written.find(({ blocks }) => blocks.some(block => isIn(part, block)))
    if (!own) return part
    const table = tables.get(own) ?? wholeTable(part, own)
    tables.set(own, table)
    return table
  })
  return [...new Set(found)]
}

/** For each place in a document the lines right before the table that stands there; none where it is too long to be read. */
export async function linesBefore(
  documentId: string,
  places: readonly number[],
  reader: DocumentReader,
  signal?: AbortSignal,
): Promise<readonly (readonly PlacedBlock[])[]> {
  if (isLong(documentId, reader)) return []
  const written = await writtenTables(reader.blocks(documentId, signal), Math.max(...places))
  const isAt = (at: number) => (block: PlacedBlock) => block.charStart <= at && at < block.charEnd
  return places.map(at => written.find(({ blocks }) => blocks.some(isAt(at)))?.before ?? [])
}

function isLong(documentId: string, reader: DocumentReader): boolean {
  return (reader.find(documentId)?.tokens ?? Number.POSITIVE_INFINITY) > MAX_TOKENS
}

/** The tables of a document as far as a place, and what that one goes on in. */
async function writtenTables(blocks: AsyncIterable<PlacedBlock>, last: number): Promise<readonly Written[]> {
  const written: Written[] = []
  let before: readonly PlacedBlock[] = []
  let headings: readonly PlacedBlock[] = []
  for await (const block of blocks) {
    const open = before.length === 0 ? written.at(-1) : undefined
    if (block.charStart > last && !open) break
    if (block.kind === 'heading') headings = under(headings, block)
    if (!isTable(block)) {
      before = [...before, block].slice(-MAX_BEFORE)
      continue
    }
    if (open && goesOn(open, block)) written[written.length - 1] = { ...open, blocks: [...open.blocks, block] }
    else written.push({ blocks: [block], before, headings })
    before = []
  }
  return written
}

/** A table as it stands in its document, in several parts where it goes on on the next page, the lines before it, and the headings that it stands under. */
type Written = {
  readonly blocks: readonly PlacedBlock[]
  readonly before: readonly PlacedBlock[]
  readonly headings: readonly PlacedBlock[]
}

/** A table may be told of by its caption and a line before that. */
const MAX_BEFORE = 2

/** It begins with the header of the table right before it. */
function goesOn({ blocks }: Written, { text }: PlacedBlock): boolean {
  const header = blocks[0]!.text.split('\n', 1)[0] // it has a block
  return text.startsWith(`${header}\n`)
}

function under(headings: readonly PlacedBlock[], heading: PlacedBlock): readonly PlacedBlock[] {
  return [...headings.filter(({ level = 1 }) => level < (heading.level ?? 1)), heading]
}

function wholeTable({ passage }: Table, { blocks, before, headings }: Written): Table {
  const over = headings.map(({ text }) => text)
  const tables = blocks.map(block => toTable({ ...asPassage(passage, block), headings: over }))
  const unit = before.toReversed().flatMap(({ text }) => unitOfLine(text) ?? [])[0]
  const rows = tables.flatMap(table => table.rows)
  const charEnd = blocks.at(-1)!.charEnd // it has a block
  const lines = before.map(({ text }) => text)
  return { ...tables[0]!, rows, charEnd, isWhole: true, lines, ...(unit && { unit }) }
}

function isIn({ passage }: Table, { charStart, charEnd }: PlacedBlock): boolean {
  return charStart <= passage.charStart && passage.charStart < charEnd
}

function isTable({ text }: PlacedBlock): boolean {
  return text.split('\n').every(line => line.includes(CELL))
}

function toTable(passage: Passage): Table {
  const units = unitsOf(passage)
  const rows = units.map(unit => ({ unit, cells: unit.text.split(CELL).map(cell => cell.trim()) }))
  return { passage, charEnd: passage.charEnd, columns: units[0]?.columns ?? [], rows, isWhole: false, lines: [] }
}

/** A block of a passage's document as a passage of its own. */
export function asPassage(passage: Passage, { text, charStart, charEnd }: PlacedBlock): Passage {
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
