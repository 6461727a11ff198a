import { LANGUAGES, type Language } from '../../text/language.ts'
import type { CountedVector, StatisticRows, TermSample } from '../table-statistics.ts'
import type { WeaviateClient } from './weaviate-client.ts'
import { DRAWS } from './weaviate-objects.ts'
import {
  buildComparison,
  buildCountQuery,
  buildGetQuery,
  buildLanguageCondition,
  type FoundObject,
  joinConditions,
  MAX_ROWS,
  readCounts,
  readObjects,
} from './weaviate-query.ts'
import type { WeaviateTable } from './weaviate-tables.ts'

/** Vectors per language, so that statistics stay cheap; more would not change the mean. */
const DRAWN_VECTORS = 20_000
/** Vectors per request, so that a response stays near 1 MB. */
const VECTORS_AT_ONCE = 256
/** Factor of drawn ids, so that enough chunks are among them. */
const SPARE = 1.25

type WeaviateRowsDeps = {
  readonly client: WeaviateClient
  readonly table: WeaviateTable
  readonly hasWindows: boolean
}

/** Reads a table's rows; of a large one those with the lowest ids. */
export class WeaviateRows implements StatisticRows {
  readonly #parts: WeaviateRowsDeps

  constructor(parts: WeaviateRowsDeps) {
    this.#parts = parts
  }

  /** Differs each time, because Weaviate does not number its states. */
  async getRevision(): Promise<string> {
    return `weaviate-${Date.now()}-${process.pid}`
  }

  async *readVectors(signal?: AbortSignal): AsyncIterable<readonly CountedVector[]> {
    const { chunks, windows } = this.#parts.table
    for (const tenant of this.#parts.hasWindows ? [chunks, windows] : [chunks]) {
      for (const spoken of LANGUAGES) yield* this.#readLanguage(tenant, spoken, signal)
    }
  }

  async readTerms(size: number, signal?: AbortSignal): Promise<TermSample> {
    const { table } = this.#parts
    const tenant = table.chunks
    const chunks = await this.#count(tenant, undefined, signal)
    for (let share = (SPARE * size) / Math.max(chunks, 1); ; share *= 2) {
      const below = Math.min(Math.ceil(share * DRAWS), DRAWS)
      const hits = await this.#get(
        tenant,
        { where: buildComparison('draw', 'LessThan', below), fields: '_additional{id} terms draw' },
        signal,
      )
      if (hits.length < Math.min(size, chunks) && below < DRAWS) continue
      const lowest = hits.toSorted(buildDrawCondition).slice(0, size)
      return {
        chunks,
        sampled: lowest.length,
        texts: listDrawn(lowest.map(({ terms }) => terms ?? '')),
      }
    }
  }

  async *#readLanguage(
    tenant: string,
    spoken: Language,
    signal?: AbortSignal,
  ): AsyncIterable<readonly CountedVector[]> {
    const all = await this.#count(tenant, buildLanguageCondition(spoken), signal)
    if (all === 0) return
    const below = Math.ceil(Math.min(1, DRAWN_VECTORS / all) * DRAWS)
    const step = Math.ceil((VECTORS_AT_ONCE / all) * DRAWS)
    const drawn = await this.#count(tenant, drawRange(spoken, 0, below), signal)
    for (let from = 0; from < below; from += step) {
      const where = drawRange(spoken, from, Math.min(from + step, below))
      const hits = await this.#get(tenant, { where, fields: '_additional{id vector}' }, signal)
      yield hits.flatMap(({ _additional: { vector } }) =>
        vector?.length
          ? [
              {
                language: spoken,
                vector: Float32Array.from(vector.slice(0, -LANGUAGES.length)),
                count: all / drawn,
              },
            ]
          : [],
      )
    }
  }

  async #get(
    tenant: string,
    selection: { readonly where: string | undefined; readonly fields: string },
    signal?: AbortSignal,
  ): Promise<readonly FoundObject[]> {
    const { client, table } = this.#parts
    const part = { className: table.className, tenant, limit: MAX_ROWS, ...selection }
    return readObjects(await client.query(buildGetQuery({ rows: part }), signal)).rows ?? []
  }

  async #count(tenant: string, where: string | undefined, signal?: AbortSignal): Promise<number> {
    const { client, table } = this.#parts
    const count = { className: table.className, tenant, ...(where && { where }) }
    return readCounts(await client.query(buildCountQuery([count]), signal))[0] ?? 0
  }
}

function drawRange(spoken: Language, from: number, below: number): string | undefined {
  return joinConditions([
    buildLanguageCondition(spoken),
    buildComparison('draw', 'GreaterThanEqual', from),
    buildComparison('draw', 'LessThan', below),
  ])
}

function buildDrawCondition(a: FoundObject, b: FoundObject): number {
  return (a.draw ?? 0) - (b.draw ?? 0) || (a._additional.id < b._additional.id ? -1 : 1)
}

async function* listDrawn(texts: readonly string[]): AsyncIterable<readonly string[]> {
  yield texts
}
