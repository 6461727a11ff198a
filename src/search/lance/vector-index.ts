import type { VectorQuery as LanceVectorQuery } from '@lancedb/lancedb'
import { Index, type Table } from '@lancedb/lancedb'
import { LIFTED_SQUARE } from '../lifted-vector.ts'
import { VECTOR_INDEX } from './lance-tables.ts'

/**
 * From so many vectors on they are divided. Of 97,210 a look at all takes 15 ms of CPU, one at the nearest partitions 13, of ten times
 * as many 83 and 33.
 */
export const DIVIDED_VECTORS = 100_000

/** Partitions for each root of the number of vectors, so that a question compares about as many centres as vectors of one. */
const PARTITIONS_A_ROOT = 2

/** Vectors a partition that its centre is worked out from, and rounds of that. With these a million are divided in 154 s of CPU and 371 MiB. */
const TRAINING = { sampleRate: 64, maxIterations: 20 }

/**
 * The share of the partitions that a question looks at. A question resembles no passage much, so its nearest lie scattered:
 * of 16,384 passages in two languages, embedded by the shipped model, .981 of the best ten are there, the more the more passages there are
 * (bench/vector-partitions.ts).
 */
const PROBED_SHARE = 0.3

/**
 * How many times as long a question is asked. Partitions are made by distance, since by dot product, where all vectors of a model point
 * much the same way, they all but coincide. The nearest centre is not the one with the largest dot product, though: it is
 * the nearer to that the longer the question. Among vectors of one length the order stays.
 */
const STRETCH = 16

/** An index of the vectors: all in one partition and searched whole, or in many. */
export type VectorIndex = { readonly name: string; readonly partitions: number }

/** Those of a table; two only where making one was cut off before the other was dropped. */
export async function vectorIndexes(table: Table): Promise<readonly VectorIndex[]> {
  const names = (await table.listIndices()).map(({ name }) => name)
  return names
    .filter(isVectorIndex)
    .map(name => ({ name, partitions: Number(name.slice(VECTOR_INDEX.length + 1) || 1) }))
}

function isVectorIndex(name: string): boolean {
  return name === VECTOR_INDEX || name.startsWith(`${VECTOR_INDEX}_`)
}

/** Partitions for so many vectors. */
export function choosePartitions(vectors: number, dividedVectors: number): number {
  return vectors < dividedVectors ? 1 : Math.round(PARTITIONS_A_ROOT * Math.sqrt(vectors))
}

/** Whether a table of so many rows is to have half as many partitions, or twice as many, or any for the first time. */
export function isOutgrown(
  { partitions }: VectorIndex,
  rows: number,
  dividedVectors: number,
): boolean {
  if (partitions === 1) return rows >= dividedVectors
  const wanted = choosePartitions(rows, 0)
  return wanted >= 2 * partitions || 2 * wanted <= partitions
}

/** Index the vectors in so many partitions, instead of what index of them there is: it serves until then. Later rows are added by `optimize`. */
export async function indexVectors(table: Table, partitions: number): Promise<void> {
  const older = await vectorIndexes(table)
  const name = partitions === 1 ? VECTOR_INDEX : `${VECTOR_INDEX}_${partitions}`
  const config =
    partitions === 1
      ? Index.ivfFlat({ distanceType: 'dot', numPartitions: 1 })
      : Index.ivfFlat({ distanceType: 'l2', numPartitions: partitions, ...TRAINING })
  await table.createIndex('vector', { config, name })
  for (const one of older) if (one.name !== name) await table.dropIndex(one.name)
}

/** A question to a table: how it is put to LanceDB, and what a distance is as a lift. */
type NearestQuery = {
  readonly query: LanceVectorQuery
  readonly liftOf: (distance: number) => number
}

/** Rows by lift. `probedShare` of the partitions are looked at, where there are several; 1 for all. */
export function buildNearestQuery(
  table: Table,
  lifted: Float32Array,
  {
    indexes,
    probedShare = PROBED_SHARE,
  }: { readonly indexes: readonly VectorIndex[]; readonly probedShare?: number },
): NearestQuery {
  if (!isDivided(indexes)) {
    return {
      query: table.query().nearestTo(lifted).distanceType('dot'),
      liftOf: distance => 1 - distance,
    }
  }
  const asked = lifted.map(value => value * STRETCH)
  const square = asked.reduce((sum, value) => sum + value * value, LIFTED_SQUARE)
  const probes = Math.ceil(probedShare * indexes[0]!.partitions) // there is one
  const query = table.query().nearestTo(asked).distanceType('l2').nprobes(probes)
  return { query, liftOf: distance => (square - distance) / (2 * STRETCH) }
}

/** A search may miss rows. Of two indexes the one that is searched whole serves. */
export function isDivided(indexes: readonly VectorIndex[]): boolean {
  return indexes.length > 0 && indexes.every(({ partitions }) => partitions > 1)
}
