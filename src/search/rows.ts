import {
  Field,
  FixedSizeList,
  Float32,
  makeData,
  RecordBatch,
  Struct,
  Table,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import type { IndexRow } from '../ingest/chunk-index.ts'
import type { Language } from '../ingest/language.ts'
import type { Candidate, Found } from './index-reader.ts'
import { rowSchema } from './lance-tables.ts'
import { liftedDimensions, writeLifted } from './lifted-vector.ts'

/** Columns that make a candidate. */
export const CANDIDATE_COLUMNS = [
  'version',
  'ordinal',
  'chunk_id',
  'char_start',
  'char_end',
  'page_first',
  'page_last',
  'tokens',
  'language',
  'headings',
  'context',
]

/** Rows as one Arrow table; vectors are laid out by hand, for converting them one number at a time takes seconds. */
export function rowBatch(rows: readonly IndexRow[], dimensions: number, termsOf: (row: IndexRow) => string): Table {
  const schema = rowSchema(dimensions)
  const values: Readonly<Record<string, (row: IndexRow) => string | number | null>> = {
    key: row => `${row.version}-${row.ordinal}`,
    version: row => row.version,
    ordinal: row => row.ordinal,
    chunk_id: row => row.chunkId,
    char_start: row => row.charStart,
    char_end: row => row.charEnd,
    page_first: row => row.pages?.[0] ?? null,
    page_last: row => row.pages?.[1] ?? null,
    tokens: row => row.tokens,
    language: row => row.language,
    headings: row => JSON.stringify(row.headings),
    context: row => row.context,
    terms: termsOf,
  }
  const columns = schema.fields.map(field => {
    const read = values[field.name]
    return read ? vectorFromArray(rows.map(read), field.type) : vectorColumn(rows, dimensions)
  })
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows.length,
    children: columns.map(column => column.data[0]!),
  }) // vectorFromArray makes one piece
  return new Table(schema, [new RecordBatch(schema, data)])
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

type CandidateRow = {
  version: number
  ordinal: number
  chunk_id: string
  char_start: number
  char_end: number
  page_first: number | null
  page_last: number | null
  tokens: number
  language: Language
  headings: string
  context: string
}

/** A row that was found with its columns, as LanceDB gives them back. */
export function toCandidate<Row extends Found>(row: CandidateRow, found: Row): Row & Candidate {
  return {
    ...found,
    ordinal: row.ordinal,
    chunkId: row.chunk_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    ...(row.page_first !== null && row.page_last !== null && { pages: [row.page_first, row.page_last] as const }),
    tokens: row.tokens,
    language: row.language,
    headings: JSON.parse(row.headings) as string[], // written by rowBatch
    context: row.context,
  }
}

export function byPlace(
  a: Pick<CandidateRow, 'version' | 'ordinal'>,
  b: Pick<CandidateRow, 'version' | 'ordinal'>,
): number {
  return a.version - b.version || a.ordinal - b.ordinal
}
