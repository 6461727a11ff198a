import type { VectorQuery as LanceVectorQuery } from '@lancedb/lancedb'
import { Index, type Table } from '@lancedb/lancedb'
import { LIFTED_SQUARE } from '../lifted-vector.ts'
import { VECTOR_INDEX } from './lance-tables.ts'

/**
 * Vectors from which they are divided: 13 instead of 15 ms at 97,210, 33 instead of 83 at ten
 * times as many (bench/scale.ts).
 */
export const DIVIDED_VECTORS = 100_000

/**
 * Partitions per square root of the vectors, so that a query compares as many centres as
 * vectors.
 */
const PARTITIONS_A_ROOT = 2

/**
 * Sampled vectors per partition and rounds of k-means, so that a million take 154 s of CPU and
 * 371 MiB.
 */
const TRAINING = { sampleRate: 64, maxIterations: 20 }

/**
 * Share of partitions probed: .981 of the best ten of 16,384 passages are found
 * (bench/vector-partitions.ts).
 */
const PROBED_SHARE = 0.3

/**
 * Factor on the query's length, which brings the orders by distance and by dot product together
 * (bench/vector-partitions.ts).
 */
const STRETCH = 16

/** One partition means an exact search. */
export type VectorIndex = { readonly name: string; readonly partitions: number }

/** Lists two only if building one was interrupted. */
export async function listVectorIndexes(table: Table): Promise<readonly VectorIndex[]> {
  const names = (await table.listIndices()).map(({ name }) => name)
  return names
    .filter(isVectorIndex)
    .map(name => ({ name, partitions: Number(name.slice(VECTOR_INDEX.length + 1) || 1) }))
}

function isVectorIndex(name: string): boolean {
  return name === VECTOR_INDEX || name.startsWith(`${VECTOR_INDEX}_`)
}

export function choosePartitions(vectors: number, dividedVectors: number): number {
  return vectors < dividedVectors ? 1 : Math.round(PARTITIONS_A_ROOT * Math.sqrt(vectors))
}

/** Returns whether partitions should be made, or at least halve or double. */
export function isOutgrown(
  { partitions }: VectorIndex,
  rows: number,
  dividedVectors: number,
): boolean {
  if (partitions === 1) return rows >= dividedVectors
  const needed = choosePartitions(rows, 0)
  return needed >= 2 * partitions || 2 * needed <= partitions
}

/** Replaces an existing index, which serves until then. `optimize` adds later rows. */
export async function indexVectors(table: Table, partitions: number): Promise<void> {
  const older = await listVectorIndexes(table)
  const name = partitions === 1 ? VECTOR_INDEX : `${VECTOR_INDEX}_${partitions}`
  const config =
    partitions === 1
      ? Index.ivfFlat({ distanceType: 'dot', numPartitions: 1 })
      : Index.ivfFlat({ distanceType: 'l2', numPartitions: partitions, ...TRAINING })
  await table.createIndex('vector', { config, name })
  for (const olderIndex of older)
    if (olderIndex.name !== name) await table.dropIndex(olderIndex.name)
}

type NearestQuery = {
  readonly query: LanceVectorQuery
  readonly toLift: (distance: number) => number
}

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
      toLift: distance => 1 - distance,
    }
  }
  const stretched = lifted.map(value => value * STRETCH)
  const square = stretched.reduce((sum, value) => sum + value * value, LIFTED_SQUARE)
  const probes = Math.ceil(probedShare * indexes[0]!.partitions)
  const query = table.query().nearestTo(stretched).distanceType('l2').nprobes(probes)
  return { query, toLift: distance => (square - distance) / (2 * STRETCH) }
}

/** Returns whether a search may miss rows; of two indexes the exact one is used. */
export function isDivided(indexes: readonly VectorIndex[]): boolean {
  return indexes.length > 0 && indexes.every(({ partitions }) => partitions > 1)
}
