import { createRequire } from 'node:module'
import type * as arrow from 'apache-arrow'
import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import type { IndexRow } from '../../ingest/store/chunk-index.ts'
import { getItem } from '../../system/items.ts'
import { detectVectorLanguage } from '../../text/language.ts'
import { addLanguageDimensions, writeLifted } from '../lifted-vector.ts'
import { NO_DETAILS, writeDetails } from '../row-details.ts'

/** LanceDB's own Arrow: loading another takes a tenth of a second. */
const {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} = createRequire(import.meta.url)('apache-arrow') as typeof arrow

/** A chunk, or a further window of one, found by its vector only. */
type StoredRow = {
  readonly row: IndexRow
  readonly vector: Float32Array | undefined
  readonly window: number | null
}

/**
 * Filtered or counted columns are separate, the rest is in `details`. Windows of a long chunk are
 * rows from 0; the first has the terms.
 */
export function buildRowSchema(dimensions: number): arrow.Schema {
  const createTextField = (name: string) => new Field(name, new Utf8(), false)
  const createIntegerField = (name: string, isNullable = false) =>
    new Field(name, new Int32(), isNullable)
  return new Schema([
    createIntegerField('version'),
    createIntegerField('ordinal'),
    createTextField('chunk_id'),
    createIntegerField('page_first', true),
    createIntegerField('page_last', true),
    createTextField('details'),
    new Field('terms', new Utf8(), true),
    createIntegerField('window', true),
    new Field(
      'vector',
      new FixedSizeList(addLanguageDimensions(dimensions), new Field('item', new Float32(), true)),
      true,
    ),
  ])
}

/** Limits of a batch, so that the thread is blocked for milliseconds only. */
const BATCH_ROWS = 32
const BATCH_CHARS = 64 * 1024

type RowTableOptions = {
  readonly dimensions: number
  readonly listTerms: (row: IndexRow) => readonly string[]
  readonly standBack: () => Promise<void>
}

/** Omits the vector column if no row has one. */
export async function buildRowTable(
  rows: readonly IndexRow[],
  { dimensions, listTerms, standBack }: RowTableOptions,
): Promise<arrow.Table> {
  const { fields } = buildRowSchema(dimensions)
  const schema = new Schema(
    rows.some(row => row.vector) ? fields : fields.filter(({ name }) => name !== 'vector'),
  )
  const stored = rows.flatMap(listStoredRows)
  const batches: arrow.RecordBatch[] = []
  for (let start = 0, end = 0; start < stored.length; start = end) {
    await standBack()
    end = batchEnd(stored, start)
    batches.push(buildRowBatch(stored.slice(start, end), schema, { dimensions, listTerms }))
  }
  return new Table(schema, batches)
}

function batchEnd(stored: readonly StoredRow[], start: number): number {
  let chars = 0
  for (const [index, { row }] of stored.slice(start, start + BATCH_ROWS).entries()) {
    chars += row.text.length
    if (chars > BATCH_CHARS && index > 0) return start + index
  }
  return Math.min(start + BATCH_ROWS, stored.length)
}

function listStoredRows(row: IndexRow): readonly StoredRow[] {
  const { vector, windows = [] } = row
  if (windows.length === 0) return [{ row, vector, window: null }]
  return [vector, ...windows].map((vector, window) => ({ row, vector, window }))
}

function isChunk({ window }: StoredRow): boolean {
  return !window
}

type RowValue = (stored: StoredRow) => number | string | null

const VALUES: Readonly<Record<string, RowValue>> = {
  version: ({ row }) => row.version,
  ordinal: ({ row }) => row.ordinal,
  page_first: ({ row }) => row.pages?.[0] ?? null,
  page_last: ({ row }) => row.pages?.[1] ?? null,
  window: ({ window }) => window,
  chunk_id: ({ row }) => row.chunkId,
  details: stored => (isChunk(stored) ? writeDetails(stored.row) : NO_DETAILS),
}

function buildRowBatch(
  rows: readonly StoredRow[],
  schema: arrow.Schema,
  { dimensions, listTerms }: Pick<RowTableOptions, 'dimensions' | 'listTerms'>,
): arrow.RecordBatch {
  const values: typeof VALUES = {
    ...VALUES,
    terms: stored => (isChunk(stored) ? listTerms(stored.row).join(' ') : null),
  }
  const children = schema.fields.map(({ name, type }) => {
    const getValue = values[name]
    return getValue
      ? getItem(vectorFromArray(rows.map(getValue), type).data, 0)
      : buildVectorColumn(rows, dimensions)
  })
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows.length, children }),
  )
}

/** Lays out the vectors by hand, several times as fast. */
function buildVectorColumn(rows: readonly StoredRow[], dimensions: number): arrow.Data {
  const width = addLanguageDimensions(dimensions)
  const values = new Float32Array(rows.length * width)
  const nullBitmap = new Uint8Array(Math.ceil(rows.length / 8))
  let nullCount = rows.length
  for (const [index, { vector, row }] of rows.entries()) {
    if (!vector) continue
    writeLifted(values, index * width, vector, detectVectorLanguage(toEmbeddedText(row)))
    nullBitmap[index >> 3]! |= 1 << (index & 7)
    nullCount--
  }
  const child = makeData({ type: new Float32(), data: values })
  const type = new FixedSizeList(width, new Field('item', new Float32(), true))
  return makeData({ type, length: rows.length, nullCount, nullBitmap, child })
}
