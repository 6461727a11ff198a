import { nativePlaces, typedColumn } from '../../ingest/parse/tables/columns.ts'
import type { Cell, CellValue, Column, Table, TableRow } from '../../ingest/parse/tables/table.ts'
import { calendarNameOf, datesIn } from '../../text/dates.ts'

/** A table of more cells is taken as it is: to read so many again takes some 10 ms. */
const MAX_CELLS = 600

type Series = { readonly column: Column; readonly values: readonly (CellValue | undefined)[] }

/**
 * A data sheet with its things as rows, where they are its columns: one of models, with a row for the weight and one for the voltage.
 * Undefined of any other table. It is one if more of its cells are of a kind and a unit with those beside them than with those above them.
 */
export function turned(table: Table): Table | undefined {
  if (!TURNED.has(table)) TURNED.set(table, turnedAnew(table))
  return TURNED.get(table)
}

/** Tables are asked again and again, and kept while they are. */
const TURNED = new WeakMap<Table, Table | undefined>()

function turnedAnew(table: Table): Table | undefined {
  const { columns, rows } = table
  const things = columns.slice(1)
  const cells = things.length * rows.length
  if (!canBeTurned(table) || rows.some(({ isSummary }) => isSummary)) return undefined
  const down = things.map((column, at) => ({
    column,
    values: rows.map(({ cells }) => cells[at + 1]?.value),
  }))
  const alikeDown = alike(down)
  if (alikeDown === cells) return undefined
  const across = rows.map(row => typedRow(row, table))
  return alike(across) > alikeDown ? turnedTable(table, across) : undefined
}

/** A table whose columns are times, as years are, with these as rows: which of them is meant can be asked, too. Undefined of any other. */
export function byTimes(table: Table): Table | undefined {
  const isTime = ({ name }: Column) => calendarNameOf(name) !== undefined || isDate(name)
  if (!canBeTurned(table) || !table.columns.slice(1).every(isTime)) return undefined
  return turnedTable(
    table,
    table.rows.map(row => typedRow(row, table)),
  )
}

function isDate(name: string): boolean {
  const [date] = datesIn(name)
  return date !== undefined && date.span.end - date.span.start === name.length
}

function canBeTurned({ columns, rows, isCut }: Table): boolean {
  const things = columns.slice(1)
  if (isCut || things.length < 2 || rows.length < 2 || things.length * rows.length > MAX_CELLS)
    return false
  return things.every(({ name }) => name !== '')
}

function turnedTable(table: Table, across: readonly Series[]): Table {
  const name = { name: table.columns[0]!.name, kind: 'text' as const } // one that can be turned has it
  return {
    ...table,
    columns: [name, ...across.map(({ column }) => column)],
    rows: table.columns.slice(1).map((thing, at) => asRow(thing, at, { table, across })),
    key: 0,
  }
}

function typedRow({ cells: [name, ...others] }: TableRow, { notation }: Table): Series {
  return typedColumn(
    name?.text ?? '',
    others.map(({ text }) => text),
    { notation, native: nativePlaces(others) },
  )
}

/** Cells that say something of one kind, and numbers of one unit or one measure. */
function alike(all: readonly Series[]): number {
  return all
    .filter(({ column, values }) => column.measure !== undefined || !values.some(hasUnit))
    .flatMap(({ values }) => values.filter(value => value !== undefined)).length
}

function hasUnit(value: CellValue | undefined): boolean {
  return value?.kind === 'number' && value.unit !== undefined
}

type Turning = { readonly table: Table; readonly across: readonly Series[] }

function asRow(thing: Column, at: number, { table, across }: Turning): TableRow {
  const start = { start: table.span.start, end: table.span.start } // a header's cells have no places
  const cells = table.rows.map(({ cells }, nth): Cell => {
    const { value: _, ...cell } = cells[at + 1]! // as many cells as columns
    const value = across[nth]?.values[at]
    return { ...cell, ...(value && { value }) }
  })
  return { cells: [{ text: thing.name, span: start }, ...cells], isSummary: false }
}
