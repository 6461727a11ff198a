import {
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
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import type { IndexRow } from '../../ingest/chunk-index.ts'
import { type TermSink, TermWriter } from '../analysis/term-sink.ts'
import { liftedDimensions, writeLifted } from '../lifted-vector.ts'
import { detailsOf, NO_DETAILS } from './rows.ts'

/** A chunk, or a further window of one: by that it is found by its vector alone. */
type StoredRow = { readonly row: IndexRow; readonly vector: Float32Array | undefined; readonly window: number | null }

/**
 * Columns of a chunk row: what rows are chosen and counted by, and all else that a hit needs in `details`, for a row's columns
 * are read one by one. `dimensions` 32-bit floats a vector and its language's mark, absent where only keywords
 * are indexed. A chunk that is embedded in windows has a row for each, numbered in `window`, from 0 on; the first has its terms.
 */
export function rowSchema(dimensions: number): Schema {
  const text = (name: string) => new Field(name, new Utf8(), false)
  const integer = (name: string, isNullable = false) => new Field(name, new Int32(), isNullable)
  return new Schema([
    integer('version'),
    integer('ordinal'),
    text('chunk_id'),
    integer('page_first', true),
    integer('page_last', true),
    text('language'),
    text('details'),
    new Field('terms', new Utf8(), true),
    integer('window', true),
    new Field('vector', new FixedSizeList(liftedDimensions(dimensions), new Field('item', new Float32(), true)), true),
  ])
}

/** Rows laid out at a time: a few milliseconds of this thread. */
const BATCH_ROWS = 32

export type RowTableOptions = {
  readonly dimensions: number
  readonly writeTerms: (row: IndexRow, sink: TermSink) => void
  /** Awaited before each step, so that this thread can do other work. */
  readonly standBack: () => Promise<void>
}

/** Rows as one Arrow table. Where none has a vector that column is left out: LanceDB takes what is missing for null. */
export async function rowTable(
  rows: readonly IndexRow[],
  { dimensions, writeTerms, standBack }: RowTableOptions,
): Promise<Table> {
  const { fields } = rowSchema(dimensions)
  const schema = new Schema(rows.some(row => row.vector) ? fields : fields.filter(({ name }) => name !== 'vector'))
  const stored = rows.flatMap(storedRows)
  const batches: RecordBatch[] = []
  for (let start = 0; start < stored.length; start += BATCH_ROWS) {
    await standBack()
    batches.push(rowBatch(stored.slice(start, start + BATCH_ROWS), schema, { dimensions, writeTerms }))
  }
  return new Table(schema, batches)
}

function storedRows(row: IndexRow): readonly StoredRow[] {
  const { vector, windows = [] } = row
  if (windows.length === 0) return [{ row, vector, window: null }]
  return [vector, ...windows].map((vector, window) => ({ row, vector, window }))
}

function isChunk({ window }: StoredRow): boolean {
  return !window
}

/** Terms and vectors are laid out by hand, for converting them one by one takes seconds. */
function rowBatch(
  rows: readonly StoredRow[],
  schema: Schema,
  { dimensions, writeTerms }: Pick<RowTableOptions, 'dimensions' | 'writeTerms'>,
): RecordBatch {
  const values: Readonly<Record<string, (stored: StoredRow) => string | number | null>> = {
    version: ({ row }) => row.version,
    ordinal: ({ row }) => row.ordinal,
    chunk_id: ({ row }) => row.chunkId,
    page_first: ({ row }) => row.pages?.[0] ?? null,
    page_last: ({ row }) => row.pages?.[1] ?? null,
    language: ({ row }) => row.language,
    details: stored => (isChunk(stored) ? detailsOf(stored.row) : NO_DETAILS),
    window: ({ window }) => window,
  }
  const columns = schema.fields.map(field => {
    const read = values[field.name]
    if (read) return vectorFromArray(rows.map(read), field.type)
    return field.name === 'terms' ? termColumn(rows, writeTerms) : vectorColumn(rows, dimensions)
  })
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows.length,
    children: columns.map(column => column.data[0]!),
  }) // vectorFromArray makes one piece
  return new RecordBatch(schema, data)
}

function termColumn(rows: readonly StoredRow[], writeTerms: RowTableOptions['writeTerms']): Vector {
  const writer = new TermWriter()
  for (const stored of rows) {
    if (isChunk(stored)) writeTerms(stored.row, writer)
    writer.endText()
  }
  const { offsets: valueOffsets, bytes: data } = writer
  const validity = validityOf(rows, isChunk)
  return new Vector([makeData({ type: new Utf8(), length: rows.length, ...validity, valueOffsets, data })])
}

function vectorColumn(rows: readonly StoredRow[], dimensions: number): Vector {
  const width = liftedDimensions(dimensions)
  const values = new Float32Array(rows.length * width)
  for (const [index, { vector, row }] of rows.entries()) {
    if (vector) writeLifted(values, index * width, vector, row.language)
  }
  const validity = validityOf(rows, ({ vector }) => vector !== undefined)
  const child = makeData({ type: new Float32(), data: values })
  const type = new FixedSizeList(width, new Field('item', new Float32(), true))
  return new Vector([makeData({ type, length: rows.length, ...validity, child })])
}

/** Which of the rows have a value, as Arrow has it. */
function validityOf(rows: readonly StoredRow[], hasValue: (stored: StoredRow) => boolean) {
  const nullBitmap = new Uint8Array(Math.ceil(rows.length / 8))
  let nullCount = 0
  for (const [index, stored] of rows.entries()) {
    if (hasValue(stored))
      nullBitmap[index >> 3]! |= 1 << (index & 7) // within
    else nullCount++
  }
  return { nullCount, nullBitmap }
}
