import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { toTablesJson, writeTableCsv } from '../app/documents/table-json.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { OcrMode } from '../ingest/parse/parser.ts'
import { MAX_CELLS, readTables } from '../ingest/parse/tables/read-tables.ts'
import type { Table } from '../ingest/parse/tables/table.ts'
import type { TableListJson } from '../wire/table.ts'
import { type AddCommand, createOcrOption, formatExample, getAllOptions } from './command.ts'
import { formatCount, type GlobalOptions, joinLines, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, openOptions, withExisting } from './session.ts'

/** Tables that a message names, so that it stays readable. */
const MAX_NAMED = 10

type Options = {
  readonly collection?: string
  readonly csv?: boolean
  readonly table?: string
  readonly password?: string
  readonly ocr?: OcrMode
}

export const addTables: AddCommand = program => {
  program
    .command('tables')
    .description('show the tables of a file or document, with the type and unit of each column')
    .argument('<file>', 'file to parse, or the id, path or base name of a document')
    .option('-c, --collection <name>', 'collection of the document')
    .option('--csv', 'print one table as CSV, with its cells as written')
    .option('--table <number>', 'number of the table, starting at 1')
    .option('--password <password>', 'password of an encrypted file')
    .addOption(createOcrOption())
    .addHelpText(
      'after',
      formatExample('passim tables prices.xlsx', 'passim tables report.pdf --csv --table 2'),
    )
    .action(async (file: string, _options, command: Command) =>
      showTables(file, getAllOptions<Options>(command)),
    )
}

async function showTables(file: string, options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  const { name, found } = await findTables(file, options)
  const table = options.table === undefined ? undefined : Number(options.table)
  if (table !== undefined && !(Number.isInteger(table) && table >= 1 && table <= found.length))
    throw new AppError(
      'invalid_input',
      localizable`${file} has no table ${options.table}, only ${found.length}.`,
    )
  const selected = table === undefined ? found : found.slice(table - 1, table)
  const all = toTablesJson(name, found)
  const json = table === undefined ? all : all.slice(table - 1, table)
  for (const { name, rows } of json.filter(({ isCut }) => isCut))
    output.writeFailure(output.sentences.tableCut(name, rows.length, MAX_CELLS))
  if (options.csv) {
    const only = requireOne(file, selected, () => listNames(name, found))
    for (const line of writeTableCsv(only)) output.writeDocumentText(line)
    return
  }
  output.writeResult<TableListJson>(
    { tables: json },
    () =>
      json.map((one, index) => formatTable(one, table ?? index + 1)).join('\n\n') ||
      getUserSentences().none.tables,
  )
}

function requireOne(file: string, tables: readonly Table[], listAll: () => string): Table {
  const [only, second] = tables
  if (!only) throw new AppError('invalid_input', localizable`${file} has no tables.`)
  if (!second) return only
  throw new AppError(
    'invalid_input',
    localizable`${file} has ${tables.length} tables. Choose one with --table: ${listAll()}.`,
  )
}

function listNames(document: string, tables: readonly Table[]): string {
  const names = toTablesJson(document, tables.slice(0, MAX_NAMED)).map(
    ({ name }, index) => `${index + 1} ${name}`,
  )
  return [...names, ...(tables.length > MAX_NAMED ? [`… ${tables.length}`] : [])].join(', ')
}

/** Parses an existing path; other arguments name documents. */
async function findTables(
  file: string,
  { collection, password, ocr, ...options }: Options & GlobalOptions,
): Promise<{ readonly name: string; readonly found: readonly Table[] }> {
  if (collection === undefined && existsSync(file)) {
    const { withFileParser } = await import('../app/indexing/parse-file.ts')
    const signal = createInterruption()
    const found = await withFileParser(openOptions(options), ({ parser }) =>
      parser.run(file, { password, ocr, signal }, (_report, blocks) => readTables(blocks, signal)),
    )
    return { name: file, found }
  }
  return await withExisting(options, async (passim, signal) => {
    const scope =
      collection === undefined
        ? await passim.collections.list()
        : [await passim.scope.findCollection(collection)]
    const { id, name } = await passim.scope.findDocument(file, scope)
    return { name, found: await passim.library.readTables(id, signal) }
  })
}

function formatTable(table: ReturnType<typeof toTablesJson>[number], number: number): string {
  const { name, caption, page, columns, rows, isCut } = table
  const { named, work } = getUserSentences()
  const words = work.tables
  const size = formatCount(rows.length, 'row') + (isCut ? words.cut : '')
  const place = page === null ? '' : words.page(page)
  const title = `${number}. ${named(name + place, size)}`
  const head = caption ? `${title} · ${caption}` : title
  const kinds = columns.map(column => named(column.name || words.noName, describeKind(column)))
  return [joinLines(head), kinds.join(' | '), ...rows.map(row => row.join(' | '))].join('\n')
}

/** Cells are as written, so their factor belongs to the unit: `10,000 CNY` for 万元. */
function formatUnit(unit: string | null, scale: number): string {
  return [scale > 1 ? scale.toLocaleString('en') : '', unit ?? ''].filter(Boolean).join(' ')
}

function describeKind({
  kind,
  unit,
  scale,
  isAmbiguous,
}: ReturnType<typeof toTablesJson>[number]['columns'][number]): string {
  const words = getUserSentences().work.tables
  return isAmbiguous ? words.ambiguous : words.kind(kind, formatUnit(unit, scale))
}
