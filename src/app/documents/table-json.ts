import type { Cell, CellValue, Table } from '../../ingest/parse/tables/table.ts'
import { nameTables } from '../../ingest/parse/tables/table-names.ts'
import type { CellJson, TableJson } from '../../wire/table.ts'

export function toTablesJson(document: string, tables: readonly Table[]): readonly TableJson[] {
  const names = nameTables(document, tables)
  return tables.map((table, index) => ({
    name: names[index]!,
    caption: table.caption ?? null,
    headings: table.headings,
    page: table.page ?? null,
    charStart: table.span.start,
    charEnd: table.span.end,
    isCut: table.isCut,
    key: table.key === undefined ? null : (table.columns[table.key]?.name ?? null),
    columns: table.columns.map(({ name, kind, unit, scale, measure, isAmbiguous }) => ({
      name,
      kind,
      unit: unit?.id ?? null,
      scale: scale ?? 1,
      measure: measure ?? null,
      ...(isAmbiguous && { isAmbiguous }),
    })),
    rows: table.rows.map(({ cells }) => cells.map(({ text }) => text)),
    cells: table.rows.map(({ cells }) => cells.map(toCellJson)),
    summaryRows: table.rows.flatMap(({ isSummary }, row) => (isSummary ? [row] : [])),
  }))
}

function toCellJson({ span, value, page, box }: Cell): CellJson {
  return {
    charStart: span.start,
    charEnd: span.end,
    ...(page !== undefined && { page }),
    ...(box && { box }),
    ...(value && toValueJson(value)),
  }
}

function toValueJson(value: CellValue): Pick<CellJson, 'value' | 'upTo' | 'isInexact' | 'unit'> {
  switch (value.kind) {
    case 'time':
      return { value: value.minutes, unit: 'min' }
    case 'flag':
      return { value: value.value }
    case 'date':
      return { value: value.date }
    case 'number': {
      const { upTo, isInexact, unit } = value
      return {
        value: value.value,
        ...(upTo !== undefined && { upTo }),
        ...(isInexact && { isInexact }),
        ...(unit && { unit: unit.id }),
      }
    }
  }
}

/**
 * Writes by RFC 4180. Spreadsheets take cells that start with `=`, `+`, `-` or `@` for
 * formulas: import as text.
 */
export function* writeTableCsv({ columns, rows }: Table): Iterable<string> {
  if (columns.some(({ name }) => name !== '')) yield formatLine(columns.map(({ name }) => name))
  for (const { cells } of rows) yield formatLine(cells.map(({ text }) => text))
}

function formatLine(cells: readonly string[]): string {
  return `${cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}
