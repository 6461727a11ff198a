import type {
  Candidate,
  Found,
  IndexReader,
  Restriction,
  RowScores,
  RowVector,
  TermStatistics,
  VectorQuery,
} from '../index-reader.ts'
import { readLifted } from '../lifted-vector.ts'
import type { RecentRows } from '../recent-rows.ts'
import { type Details, readDetails } from '../row-details.ts'
import type { WeaviateClient } from './weaviate-client.ts'
import {
  BM25_FACTOR,
  buildQueryVector,
  parseRow,
  parseVersion,
  toObjectId,
} from './weaviate-objects.ts'
import {
  BY_PLACE,
  buildCondition,
  buildCountQuery,
  buildGetQuery,
  buildTextCondition,
  buildVectorRanking,
  buildWordRanking,
  type FoundObject,
  isEmpty,
  MAX_ROWS,
  readCounts,
  readObjects,
} from './weaviate-query.ts'
import type { WeaviateTable } from './weaviate-tables.ts'

/** Multiple of the requested rows, so that enough remain after the check of sequences. */
const SIFTED = 4
/** Terms counted and rows fetched per query, so that queries stay short. */
const TERMS_AT_ONCE = 64
const ROWS_AT_ONCE = 500

type WeaviateReaderDeps = {
  readonly client: WeaviateClient
  readonly table: WeaviateTable
  readonly hasWindows: boolean
  readonly recent: RecentRows<Details>
  readonly number: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Has no snapshot: rows removed since opening are not found. Searches notice by the catalog's
 * epoch.
 */
export class WeaviateReader implements IndexReader {
  readonly #parts: WeaviateReaderDeps

  constructor(parts: WeaviateReaderDeps) {
    this.#parts = parts
  }

  withSignal(signal: AbortSignal | undefined): WeaviateReader {
    return new WeaviateReader({ ...this.#parts, signal })
  }

  findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#findByWords(terms, { operator: 'Or', limit, only })
  }

  findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    return this.#findByWords(terms, { operator: 'And', limit, only })
  }

  async scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    return new Map(
      (await this.findByKeyword(terms, rows.length, { rows })).map(({ row, score }) => [
        row,
        score,
      ]),
    )
  }

  /** Compares rows one by one, which is exact. */
  async scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    if (rows.length === 0) return new Map()
    const found = await this.#findNearest(query, MAX_ROWS, { rows })
    return new Map(selectBest(found.rows).map(({ row, score }) => [row, score]))
  }

  async readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    if (rows.length === 0) return new Map()
    const where = buildTextCondition('id', 'ContainsAny', rows.map(toObjectId))
    const hits = await this.#ask({ limit: rows.length, where, fields: '_additional{id vector}' })
    return new Map(
      hits.flatMap(({ _additional: { id, vector } }) =>
        vector?.length ? [[parseRow(id), readLifted(Float32Array.from(vector))]] : [],
      ),
    )
  }

  async readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    const { className, chunks: tenant } = this.#parts.table
    const all = { className, tenant }
    const holders = terms.map(term => ({
      ...all,
      where: buildTextCondition('terms', 'ContainsAll', [term]),
    }))
    const parts = [all, ...holders]
    const counts: number[] = []
    for (let start = 0; start < parts.length; start += TERMS_AT_ONCE) {
      const some = parts.slice(start, start + TERMS_AT_ONCE)
      counts.push(
        ...readCounts(await this.#parts.client.query(buildCountQuery(some), this.#parts.signal)),
      )
    }
    const [rows = 0, ...frequencies] = counts
    return { rows, frequencies }
  }

  async findNearest(
    query: VectorQuery,
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    const { sequences = [], ...rest } = only
    const within = sequences.length > 0 ? { ...rest, rows: await this.#countRows(only) } : only
    if (isEmpty(within)) return []
    for (
      let fetchLimit = Math.min(limit, MAX_ROWS);
      ;
      fetchLimit = Math.min(2 * fetchLimit, MAX_ROWS)
    ) {
      const { rows, isAll } = await this.#findNearest(query, fetchLimit, within)
      const chunks = selectBest(rows)
      if (chunks.length >= limit || isAll || fetchLimit === MAX_ROWS) return chunks.slice(0, limit)
    }
  }

  async readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    if (isEmpty(only)) return []
    const hits = await this.#findWithSequences(limit, only, BY_PLACE)
    return await this.readCandidates(hits.map(hit => toFound(hit, 0)))
  }

  async readCandidates<Row extends Found>(
    found: readonly Row[],
  ): Promise<readonly (Row & Candidate)[]> {
    const details = await this.#readDetails(found.map(({ row }) => row))
    return found.flatMap(row => {
      const own = details.get(row.row)
      return own ? [{ ...own, ...row }] : []
    })
  }

  async #findByWords(
    terms: readonly string[],
    { operator, limit, only }: { operator: 'And' | 'Or'; limit: number; only: Restriction },
  ): Promise<readonly Found[]> {
    if (terms.length === 0 || isEmpty(only)) return []
    const hits = await this.#findWithSequences(limit, only, buildWordRanking(terms, operator))
    return hits.map(hit => toFound(hit, Number(hit._additional.score) * BM25_FACTOR))
  }

  async #findWithSequences(
    limit: number,
    only: Restriction,
    ranking: string,
  ): Promise<readonly FoundObject[]> {
    const { sequences = [] } = only
    const phrases = sequences.map(sequence => sequence.join(' '))
    const fields = `_additional{id score}${phrases.length > 0 ? ' terms' : ''}`
    const first = phrases.length > 0 ? limit * SIFTED : limit
    for (
      let fetchLimit = Math.min(first, MAX_ROWS);
      ;
      fetchLimit = Math.min(fetchLimit * SIFTED, MAX_ROWS)
    ) {
      const hits = await this.#ask({
        limit: fetchLimit,
        ranking,
        where: buildCondition(only),
        fields,
      })
      const matching = hits.filter(({ terms }) =>
        phrases.every(sequence => terms?.includes(sequence)),
      )
      if (matching.length >= limit || hits.length < fetchLimit || fetchLimit === MAX_ROWS)
        return matching.slice(0, limit)
    }
  }

  async #countRows(only: Restriction): Promise<readonly bigint[]> {
    return (await this.#findWithSequences(MAX_ROWS, only, BY_PLACE)).map(hit =>
      parseRow(hit._additional.id),
    )
  }

  async #ask(part: {
    limit: number
    ranking?: string
    where?: string | undefined
    fields: string
  }): Promise<readonly FoundObject[]> {
    const { client, table, signal } = this.#parts
    const { className, chunks: tenant } = table
    return (
      readObjects(
        await client.query(buildGetQuery({ chunks: { className, tenant, ...part } }), signal),
      ).chunks ?? []
    )
  }

  /** Returns up to `limit` chunks and as many further windows. */
  async #findNearest(
    query: VectorQuery,
    limit: number,
    only: Restriction,
  ): Promise<{ rows: readonly Found[]; isAll: boolean }> {
    const { client, table, hasWindows, signal } = this.#parts
    const { className, chunks, windows } = table
    const part = {
      className,
      limit,
      ranking: buildVectorRanking(buildQueryVector(query)),
      fields: '_additional{id distance}',
    }
    const ofWindows = { ...part, tenant: windows, where: buildCondition(only, 'chunk') }
    const parts = {
      chunks: { ...part, tenant: chunks, where: buildCondition(only) },
      ...(hasWindows && { windows: ofWindows }),
    }
    const hits = readObjects(await client.query(buildGetQuery(parts), signal))
    const lists = Object.values(hits).map(list => list ?? [])
    const rows = lists.flat().map(hit => toFound(hit, -(hit._additional.distance ?? 0)))
    return { rows, isAll: lists.every(list => list.length < limit) }
  }

  async #readDetails(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, Details>> {
    const { recent, number } = this.#parts
    const details = new Map<bigint, Details>()
    const keep = (row: bigint, own: Details | undefined) => own && details.set(row, own)
    for (const row of rows) keep(row, recent.get(number, row))
    const missing = [...new Set(rows)].filter(row => !details.has(row))
    for (let start = 0; start < missing.length; start += ROWS_AT_ONCE) {
      const ids = missing.slice(start, start + ROWS_AT_ONCE).map(toObjectId)
      const where = buildTextCondition('id', 'ContainsAny', ids)
      for (const hit of await this.#ask({
        limit: ids.length,
        where,
        fields: '_additional{id} details',
      })) {
        const row = parseRow(hit._additional.id)
        const own = readDetails(hit.details)
        recent.add(number, row, own)
        keep(row, own)
      }
    }
    return details
  }
}

function toFound({ _additional: { id } }: FoundObject, score: number): Found {
  return { row: parseRow(id), version: parseVersion(id), score }
}

/** Keeps the best of each chunk. */
function selectBest(found: readonly Found[]): readonly Found[] {
  const best = new Map<bigint, Found>()
  for (const hit of found) {
    const other = best.get(hit.row)
    if (!other || other.score < hit.score) best.set(hit.row, hit)
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}
