import { getFirst, getItem, getLast } from '../../../system/items.ts'
import { type Box, CELL_SEPARATOR, type PlacedBlock } from '../../block.ts'
import { findHeaderUnit, findLineUnit, findNativeCells, typeColumn } from './columns.ts'
import { findTableHeader } from './header.ts'
import {
  decideMoneyNotation,
  decideTableNotation,
  gatherEvidence,
  joinEvidence,
  type NotationEvidence,
} from './notation.ts'
import { readTableNotes } from './notes.ts'
import { groupPairs } from './pairs.ts'
import type { Cell, CellValue, Column, Table, TableRow } from './table.ts'

/** Cells per document, so that a question about a huge sheet is answered in time. */
export const MAX_CELLS = 100_000
/** Characters, so that a paragraph is no caption. */
const MAX_CAPTION = 200
const ENDS_SENTENCE = /[.。!！?？]["'”’」』）)]*$/u
/** Blocks searched for a caption, so that another table's is not taken. */
const MAX_BEFORE = 2

/** Blocks searched for notes, so that a document without any costs little. */
const MAX_AFTER = 12

type Written = {
  readonly blocks: PlacedBlock[]
  readonly before: readonly PlacedBlock[]
  readonly after: PlacedBlock[]
  readonly headings: readonly string[]
}

export async function readTables(
  blocks: AsyncIterable<PlacedBlock>,
  signal?: AbortSignal,
): Promise<readonly Table[]> {
  const written = await collectTables(blocks, signal)
  let room = MAX_CELLS
  const gathered = written.map(table => {
    const cells = gather(table, room)
    room -= cells.rows.length * cells.names.length
    return cells
  })
  const document = joinEvidence(gathered.map(({ evidence }) => evidence))
  return gathered.map(table => typeTable(table, document))
}

async function collectTables(
  blocks: AsyncIterable<PlacedBlock>,
  signal?: AbortSignal,
): Promise<readonly Written[]> {
  const written: Written[] = []
  let before: readonly PlacedBlock[] = []
  let headings: readonly PlacedBlock[] = []
  for await (const block of blocks) {
    signal?.throwIfAborted()
    if (block.kind === 'heading')
      headings = [...headings.filter(({ level = 1 }) => level < (block.level ?? 1)), block]
    if (block.kind !== 'table') {
      before = [...before, block].slice(-MAX_BEFORE)
      keepBehind(written.at(-1), block)
      continue
    }
    const last = before.length === 0 || block.isContinued ? written.at(-1) : undefined
    if (last && continuesTable(last, block)) last.blocks.push(block)
    else
      written.push({
        blocks: [block],
        before,
        after: [],
        headings: headings.map(({ text }) => text),
      })
    before = []
  }
  return written
}

function keepBehind(table: Written | undefined, block: PlacedBlock): void {
  if (table && table.after.length < MAX_AFTER && table.after.at(-1)?.kind !== 'heading')
    table.after.push(block)
}

function continuesTable({ blocks }: Written, { text, isContinued }: PlacedBlock): boolean {
  if (isContinued) return true
  const header = getFirst(blocks).text.split('\n', 1)[0]
  return text.startsWith(`${header}\n`)
}

type Gathered = {
  readonly written: Written
  readonly names: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly isCut: boolean
  readonly evidence: NotationEvidence
}

function gather(written: Written, maxCells: number): Gathered {
  const { blocks } = written
  const parts = blocks.map(splitCellRows)
  const texts = (row: readonly Cell[]) => row.map(({ text }) => text)
  const header = findTableHeader((parts[0] ?? []).map(texts))
  const repeated = (nth: number) => (blocks[nth]?.isContinued ? 0 : Math.max(1, header.rows))
  const under = parts.flatMap((rows, nth) => rows.slice(nth === 0 ? header.rows : repeated(nth)))
  const all = header.pairs > 1 ? under.flatMap(row => groupPairs(row)) : under
  const rows = all.slice(0, Math.max(0, Math.floor(maxCells / Math.max(1, header.names.length))))
  const evidence = gatherEvidence(
    rows.flatMap(row => texts(row.filter(({ isNative }) => !isNative))),
  )
  return { written, names: header.names, rows, isCut: rows.length < all.length, evidence }
}

function typeColumns({ written, names, rows, evidence }: Gathered, document: NotationEvidence) {
  const notation = decideTableNotation(
    evidence,
    document,
    written.blocks[0]?.numbers === 'semicolons',
  )
  const unit = written.before.toReversed().flatMap(({ text }) => findLineUnit(text) ?? [])[0]
  const isOpen = notation === undefined && evidence.open.point > 0
  const texts = () => [
    ...names.map(findHeaderUnit),
    ...rows.flatMap(row => row.map(({ text }) => text)),
  ]
  const moneyNotation = isOpen ? decideMoneyNotation(texts(), unit?.unit) : undefined
  const typed = names.map((name, index) =>
    typeColumn(
      name,
      rows.map(row => row[index]?.text ?? ''),
      { unit, notation, moneyNotation, native: findNativeCells(rows.map(row => row[index])) },
    ),
  )
  const money = moneyNotation && { notation: moneyNotation, isCertain: false }
  return { notation: notation ?? money, typed }
}

function typeTable(gathered: Gathered, document: NotationEvidence): Table {
  const { rows: gatheredRows, names, isCut } = gathered
  const { blocks, before, after, headings } = gathered.written
  const { notation, typed } = typeColumns(gathered, document)
  const rows = gatheredRows.map((cells, nth) => ({
    cells: typed.map(({ values }, index) =>
      withValue(cells[index] ?? createEmptyCell(cells), values[nth]),
    ),
    isSummary: isSummary(cells[0]?.text ?? '', names[0] ?? ''),
  }))
  const columns = typed.map(({ column }) => column)
  const key = findKey(columns, rows)
  const near = before.slice(before.findLastIndex(({ kind }) => kind === 'heading') + 1)
  const caption = findCaption(near)
  const titles = near.map(({ text }) => text).filter(text => text === caption || isTitle(text))
  const first = getFirst(blocks)
  const last = getLast(blocks)
  return {
    ...(caption !== undefined && { caption }),
    titles,
    headings,
    columns,
    rows,
    notes: readTableNotes(after, gatheredRows),
    ...(notation && { notation }),
    span: { start: first.charStart, end: last.charEnd },
    ...(key >= 0 && { key }),
    ...(first.page !== undefined && { page: first.page }),
    isCut,
  }
}

function withValue(cell: Cell, value: CellValue | undefined): Cell {
  return value ? { ...cell, value } : cell
}

function createEmptyCell(cells: readonly Cell[]): Cell {
  const end = cells.at(-1)?.span.end ?? 0
  return { text: '', span: { start: end, end } }
}

function splitCellRows(block: PlacedBlock): readonly (readonly Cell[])[] {
  const { text, rows, charStart, page, lines = [], numbers, textNumbers = [] } = block
  const asText = new Set(textNumbers.map(String))
  const isNative = (row: number, column: number) =>
    numbers === 'native' && (asText.size === 0 || !asText.has(String([row, column])))
  let offset = 0
  return text.split('\n').map((line, nth) => {
    const cells = listCellTexts(line, rows?.[nth])
    let start = offset
    offset += line.length + 1
    return cells.map((cell, column) => {
      const box = findBox(lines, start, start + cell.length)
      const span = { start: charStart + start, end: charStart + start + cell.length }
      start += cell.length + CELL_SEPARATOR.length
      const native = isNative(nth, column) ? { isNative: true as const } : {}
      return {
        text: cell,
        span,
        ...native,
        ...(page !== undefined && { page }),
        ...(box && { box }),
      }
    })
  })
}

/** Prefers the parser's cells, since a text may contain the separator. */
function listCellTexts(line: string, row: readonly string[] | undefined): readonly string[] {
  const cells = row?.map(cell => cell.replace(/\s+/gu, ' ').trim())
  return cells?.join(CELL_SEPARATOR) === line ? cells : line.split(CELL_SEPARATOR)
}

function findBox(
  lines: NonNullable<PlacedBlock['lines']>,
  start: number,
  end: number,
): Box | undefined {
  const boxes = lines.filter(line => line.start < end && start < line.end).map(({ box }) => box)
  return boxes.length === 0 ? undefined : boxes.reduce(union)
}

function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

const SUMMARY =
  /^(?:(?:grand |sub-?)?totals?(?: ?\(.{0,40})?|sum|average|mean|median|overall|all|合计|总计|小计|共计|总和|总数|平均(?:值|数)?|全部)\s*[:：]?$/iu
const ALL_OF = /^(?:all|total) (\p{L}{3,40})$/iu

/** `Total`, or `All regions` under `Region`. */
function isSummary(cell: string, column: string): boolean {
  if (SUMMARY.test(cell)) return true
  const things = ALL_OF.exec(cell.toLowerCase())?.[1]
  const thing = column.toLowerCase()
  return things !== undefined && [thing, `${thing}s`, thing.replace(/y$/, 'ies')].includes(things)
}

/** Prefers a text column without repetitions, else any such column. */
function findKey(columns: readonly Column[], rows: readonly TableRow[]): number {
  const isDistinct = columns.map((_, index) => {
    const texts = rows.map(({ cells }) => getItem(cells, index).text)
    return (
      texts.every(text => text !== '') && new Set(texts).size === texts.length && texts.length > 1
    )
  })
  const ofTexts = columns.findIndex(({ kind }, index) => kind === 'text' && isDistinct[index])
  return ofTexts >= 0 ? ofTexts : isDistinct.indexOf(true)
}

function isTitle(text: string): boolean {
  return text.length <= MAX_CAPTION && !ENDS_SENTENCE.test(text.trim())
}

function findCaption(near: readonly PlacedBlock[]): string | undefined {
  const caption = near.findLast(({ kind }) => kind === 'caption') ?? near.at(-1)
  return caption && caption.text.length <= MAX_CAPTION ? caption.text : undefined
}
