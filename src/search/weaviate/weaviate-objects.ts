import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import type { IndexRow } from '../../ingest/store/chunk-index.ts'
import { vectorLanguageOf } from '../../text/language.ts'
import type { VectorQuery } from '../index-reader.ts'
import { addLanguageDimensions, toLiftedQuery, writeLifted } from '../lifted-vector.ts'
import { writeDetails } from '../row-details.ts'

/**
 * The mark of a language in a stored vector. With 1 the graph of vectors falls apart by language, and searches miss half; a question
 * has that much the more there, so that dot products are the same.
 */
const MARK = 0.05

/** Weaviate's BM25 leaves out the factor k1 + 1, which makes no difference to an order. */
export const BM25_FACTOR = 2.2

/** Chunks are drawn by the first 28 bits of their id, which is a digest. */
export const DRAWS = 2 ** 28

const ORDINAL_BITS = 32n
const ORDINAL_MASK = (1n << ORDINAL_BITS) - 1n

/** Where an object stands: further windows of a long chunk are numbered from 1 on. */
type Place = { readonly version: number; readonly ordinal: number; readonly window?: number }

/** The same for the same place, so that what is written twice is there once; ids sort by place. Of UUID's version 8. */
function objectId({ version, ordinal, window = 0 }: Place): string {
  const v = hex(version, 12)
  const w = hex(window, 6)
  const o = hex(ordinal, 12)
  return `${v.slice(0, 8)}-${v.slice(8)}-8${w.slice(0, 3)}-8${w.slice(3)}-${o}`
}

/** Names the chunk of an object, whichever of its windows that is. */
export function parseRow(id: string): bigint {
  return (BigInt(parseVersion(id)) << ORDINAL_BITS) | BigInt(Number.parseInt(id.slice(24), 16))
}

export function parseVersion(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The id of a chunk's object. */
export function toObjectId(row: bigint): string {
  return objectId({ version: Number(row >> ORDINAL_BITS), ordinal: Number(row & ORDINAL_MASK) })
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** An object as Weaviate takes it, without its class and tenant. */
export type WeaviateObject = {
  readonly id: string
  readonly properties: Readonly<Record<string, string | number>>
  readonly vector?: readonly number[]
}

export function toChunkObject(row: IndexRow, terms: string): WeaviateObject {
  const properties = { ...placeProperties(row), terms, details: writeDetails(row) }
  return {
    id: objectId(row),
    properties,
    ...(row.vector && { vector: storedVector(row, row.vector) }),
  }
}

/** Of the further windows of a chunk. */
export function windowObjects(row: IndexRow): readonly WeaviateObject[] {
  const chunk = objectId(row)
  return (row.windows ?? []).map((vector, at) => ({
    id: objectId({ ...row, window: at + 1 }),
    properties: { ...placeProperties(row), chunk },
    vector: storedVector(row, vector),
  }))
}

function placeProperties(row: IndexRow): Readonly<Record<string, string | number>> {
  const { version, ordinal, pages, chunkId } = row
  return {
    version,
    ordinal,
    ...(pages && { pageFirst: pages[0], pageLast: pages[1] }),
    language: vectorLanguageOf(toEmbeddedText(row)),
    draw: Number.parseInt(/^chunk_([0-9a-f]{7})/.exec(chunkId)?.[1] ?? '0', 16),
  }
}

function storedVector(row: IndexRow, vector: Float32Array): readonly number[] {
  const stored = new Float32Array(addLanguageDimensions(vector.length))
  writeLifted(stored, 0, vector, vectorLanguageOf(toEmbeddedText(row)), MARK)
  return shortest(stored)
}

/** The vector that stored ones are compared with. */
export function askedVector(query: VectorQuery): readonly number[] {
  return shortest(toLiftedQuery(query, MARK))
}

/** With as many digits as a 32-bit number has. */
function shortest(vector: Float32Array): readonly number[] {
  return Array.from(vector, value => Number(value.toPrecision(9)))
}
