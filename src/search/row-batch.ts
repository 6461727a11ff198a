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
import type { IndexRow } from '../ingest/chunk-index.ts'
import { liftedDimensions, writeLifted } from './lifted-vector.ts'
import { detailsOf } from './rows.ts'
import { type TermSink, TermWriter } from './term-sink.ts'

/**
 * Columns of a chunk row: what rows are chosen and counted by, and all else that a hit needs in `details`, for a row's columns
 * are read one by one. `dimensions` 32-bit floats a vector and its language's mark, absent where only keywords
 * are indexed.
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
    text('terms'),
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
  const batches: RecordBatch[] = []
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    await standBack()
    batches.push(rowBatch(rows.slice(start, start + BATCH_ROWS), schema, { dimensions, writeTerms }))
  }
  return new Table(schema, batches)
}

/** Terms and vectors are laid out by hand, for converting them one by one takes seconds. */
function rowBatch(
  rows: readonly IndexRow[],
  schema: Schema,
  { dimensions, writeTerms }: Pick<RowTableOptions, 'dimensions' | 'writeTerms'>,
): RecordBatch {
  const values: Readonly<Record<string, (row: IndexRow) => string | number | null>> = {
    version: row => row.version,
    ordinal: row => row.ordinal,
    chunk_id: row => row.chunkId,
    page_first: row => row.pages?.[0] ?? null,
    page_last: row => row.pages?.[1] ?? null,
    language: row => row.language,
    details: detailsOf,
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

function termColumn(rows: readonly IndexRow[], writeTerms: RowTableOptions['writeTerms']): Vector {
  const writer = new TermWriter()
  for (const row of rows) {
    writeTerms(row, writer)
    writer.endText()
  }
  const { offsets: valueOffsets, bytes: data } = writer
  return new Vector([makeData({ type: new Utf8(), length: rows.length, valueOffsets, data })])
}

function vectorColumn(rows: readonly IndexRow[], dimensions: number): Vector {
  const width = liftedDimensions(dimensions)
  const values = new Float32Array(rows.length * width)
  const nullBitmap = new Uint8Array(Math.ceil(rows.length / 8))
  let nullCount = 0
  for (const [index, { vector, language }] of rows.entries()) {
    if (!vector) nullCount++
    else {
      writeLifted(values, index * width, vector, language)
      nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7))
    }
  }
  const child = makeData({ type: new Float32(), data: values })
  const type = new FixedSizeList(width, new Field('item', new Float32(), true))
  return new Vector([makeData({ type, length: rows.length, nullCount, nullBitmap, child })])
}
