import { toEmbeddedText } from '../../ingest/embed/embedded-text.ts'
import type { IndexRow } from '../../ingest/store/chunk-index.ts'
import { detectVectorLanguage } from '../../text/language.ts'
import type { VectorQuery } from '../index-reader.ts'
import { addLanguageDimensions, toLiftedQuery, writeLifted } from '../lifted-vector.ts'
import { writeDetails } from '../row-details.ts'

/**
 * Language mark. With 1 the HNSW graph separates by language and searches miss half. Queries
 * scale it back (bench/index-engines.ts).
 */
const MARK = 0.05

/** BM25's factor k1 + 1, which Weaviate leaves out (Robertson 1994). */
export const BM25_FACTOR = 2.2

/** Draws: the first 28 bits of a chunk id, a digest, so that a draw is random. */
export const DRAWS = 2 ** 28

const ORDINAL_BITS = 32n
const ORDINAL_MASK = (1n << ORDINAL_BITS) - 1n

/** Further windows of a long chunk are numbered from 1. */
type Place = { readonly version: number; readonly ordinal: number; readonly window?: number }

/**
 * Builds a UUID version 8 (RFC 9562) by place, so that repeated writes are one; ids sort by
 * place.
 */
function buildObjectId({ version, ordinal, window = 0 }: Place): string {
  const v = toHex(version, 12)
  const w = toHex(window, 6)
  const o = toHex(ordinal, 12)
  return `${v.slice(0, 8)}-${v.slice(8)}-8${w.slice(0, 3)}-8${w.slice(3)}-${o}`
}

/** Returns the chunk's row, the same for all of its windows. */
export function parseRow(id: string): bigint {
  return (BigInt(parseVersion(id)) << ORDINAL_BITS) | BigInt(Number.parseInt(id.slice(24), 16))
}

export function parseVersion(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function toObjectId(row: bigint): string {
  return buildObjectId({
    version: Number(row >> ORDINAL_BITS),
    ordinal: Number(row & ORDINAL_MASK),
  })
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

export type WeaviateObject = {
  readonly id: string
  readonly properties: Readonly<Record<string, string | number>>
  readonly vector?: readonly number[]
}

export function toChunkObject(row: IndexRow, terms: string): WeaviateObject {
  const properties = { ...placeProperties(row), terms, details: writeDetails(row) }
  return {
    id: buildObjectId(row),
    properties,
    ...(row.vector && { vector: buildStoredVector(row, row.vector) }),
  }
}

export function buildWindowObjects(row: IndexRow): readonly WeaviateObject[] {
  const chunk = buildObjectId(row)
  return (row.windows ?? []).map((vector, index) => ({
    id: buildObjectId({ ...row, window: index + 1 }),
    properties: { ...placeProperties(row), chunk },
    vector: buildStoredVector(row, vector),
  }))
}

function placeProperties(row: IndexRow): Readonly<Record<string, string | number>> {
  const { version, ordinal, pages, chunkId } = row
  return {
    version,
    ordinal,
    ...(pages && { pageFirst: pages[0], pageLast: pages[1] }),
    language: detectVectorLanguage(toEmbeddedText(row)),
    draw: Number.parseInt(/^chunk_([0-9a-f]{7})/.exec(chunkId)?.[1] ?? '0', 16),
  }
}

function buildStoredVector(row: IndexRow, vector: Float32Array): readonly number[] {
  const stored = new Float32Array(addLanguageDimensions(vector.length))
  writeLifted(stored, 0, vector, detectVectorLanguage(toEmbeddedText(row)), MARK)
  return roundToFloat(stored)
}

export function buildQueryVector(query: VectorQuery): readonly number[] {
  return roundToFloat(toLiftedQuery(query, MARK))
}

function roundToFloat(vector: Float32Array): readonly number[] {
  return Array.from(vector, value => Number(value.toPrecision(9)))
}
