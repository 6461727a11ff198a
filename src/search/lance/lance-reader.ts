import {
  type Query as LanceQuery,
  type VectorQuery as LanceVectorQuery,
  MatchQuery,
  Operator,
  type Table,
} from '@lancedb/lancedb'
import type { RecordBatch, Vector } from 'apache-arrow'
import { dot } from '../../ingest/embed/vector.ts'
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
import { readLifted, toLiftedQuery } from '../lifted-vector.ts'
import type { RecentReads } from '../recent-rows.ts'
import { type Details, readDetails } from '../row-details.ts'
import { findRuns } from '../version-runs.ts'
import { FirstAlone } from './first-alone.ts'
import { FULL_TEXT_INDEX, IS_CHUNK } from './lance-tables.ts'
import { isLongQuery, listRepeated, splitByCounts } from './repeated-terms.ts'
import { RowColumn } from './row-column.ts'
import { RowVersions } from './row-versions.ts'
import { RowWindows } from './row-windows.ts'
import {
  buildNearestQuery,
  isDivided,
  listVectorIndexes,
  type VectorIndex,
} from './vector-index.ts'

/** Minimum rows that a long query finds before it scores them with its repetitions. */
const MIN_CANDIDATES = 200

/** Bounds the scores of one vector to 1 MiB. */
const MAX_REPEATED_SCORES = 16_384

/**
 * Snapshot of a LanceDB table. Reads only scores and unknown versions, because columns cost as
 * much as finding the rows.
 */
export class LanceReader implements IndexReader {
  readonly #table: Table
  readonly #versions: RowVersions
  readonly #vectors: RowColumn<Float32Array | null>
  readonly #details: RowColumn<Details>
  readonly #fullText = new FirstAlone()
  readonly #repeatedScores = new WeakMap<VectorQuery, Map<bigint, number>>()
  #unindexed: Promise<number> | undefined
  #windows: Promise<RowWindows> | undefined
  #vectorIndexes: Promise<readonly VectorIndex[]> | undefined

  /** `table` must be pinned to a version. */
  constructor(table: Table, recent: RecentReads) {
    this.#table = table
    this.#versions = new RowVersions(table)
    const reader = recent.readers++
    const readVector = (value: unknown) =>
      ((value as Vector | null)?.toArray() as Float32Array | undefined) ?? null
    this.#vectors = new RowColumn({
      table,
      column: 'vector',
      recent: recent.vectors,
      reader,
      read: readVector,
    })
    this.#details = new RowColumn({
      table,
      column: 'details',
      recent: recent.details,
      reader,
      read: readDetails,
    })
  }

  async findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    if (terms.length === 0) return []
    const scores = isLongQuery(terms)
      ? await this.#findByLayers(terms, limit, only)
      : await this.#findWithAnyTerm(terms, limit, only)
    return await this.#toFound(selectBest(scores, limit))
  }

  async findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    if (terms.length === 0) return []
    const query = this.#findMatching(terms, Operator.And, only).limit(
      limit + (await this.#countUnindexedRows()),
    )
    return await this.#toFound(selectBest(await this.#scoreRows(query), limit))
  }

  async scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    if (terms.length === 0 || rows.length === 0) return new Map()
    if (isLongQuery(terms)) return await this.#scoreByLayers(terms, rows)
    const rated = await this.#findWithAnyTerm(terms, rows.length, { rows })
    return new Map(rated.map(({ row, score }) => [row, score]))
  }

  async #findByLayers(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Score[]> {
    const candidates = Math.max(2 * limit, MIN_CANDIDATES)
    const rows = new Set<bigint>()
    for (const some of [[...new Set(terms)], listRepeated(terms)]) {
      if (some.length === 0) continue
      for (const { row } of await this.#findWithAnyTerm(some, candidates, only)) rows.add(row)
    }
    const scores = await this.#scoreByLayers(terms, [...rows])
    return [...scores].map(([row, score]) => ({ row, score }))
  }

  async #scoreByLayers(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores> {
    const scores = new Map<bigint, number>()
    for (const { terms: some, factor } of splitByCounts(terms))
      for (const { row, score } of await this.#findWithAnyTerm(some, rows.length, { rows }))
        scores.set(row, factor * score + (scores.get(row) ?? 0))
    return scores
  }

  async scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores> {
    if (!query.isRepeated) return await this.#compare(toLiftedQuery(query), rows)
    const stored = this.#repeatedScores.get(query)
    const isFull = stored === undefined || stored.size > MAX_REPEATED_SCORES
    const cached = isFull ? new Map<bigint, number>() : stored // others still read the full one
    this.#repeatedScores.set(query, cached)
    const uncached = rows.filter(row => !cached.has(row))
    for (const [row, score] of await this.#compare(toLiftedQuery(query), uncached))
      cached.set(row, score)
    const scores = new Map<bigint, number>()
    for (const row of rows) {
      const score = cached.get(row)
      if (score !== undefined) scores.set(row, score)
    }
    return scores
  }

  async readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>> {
    const stored = await this.#vectors.readValues(rows)
    return new Map(
      rows.flatMap((row, index) => (stored[index] ? [[row, readLifted(stored[index])]] : [])),
    )
  }

  async readStatistics(terms: readonly string[]): Promise<TermStatistics> {
    const rows = await this.#table.countRows(IS_CHUNK)
    const counts = terms.map(async term => {
      const holders = this.#table
        .query()
        .fullTextSearch(new MatchQuery(term, 'terms'))
        .select(['version', '_score'])
      const count = async () => ({
        length: (await holders.limit(Math.max(rows, 1)).toArrow()).numRows,
      })
      return (await this.#fullText.ask(count)).length
    })
    return { rows, frequencies: await Promise.all(counts) }
  }

  async findNearest(
    query: VectorQuery,
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    const lifted = toLiftedQuery(query)
    if (only.rows && only.beforeOrdinal === undefined) {
      const scores = await this.#compare(lifted, only.rows)
      const compared = [...scores].map(([row, score]) => ({ row, score }))
      return await this.#toFound(selectBest(compared, limit))
    }
    const windows = await this.#loadWindows()
    const within = {
      ...only,
      ...(only.rows && { rows: only.rows.flatMap(row => windows.listRows(row)) }),
    }
    for (let fetchLimit = limit; ; fetchLimit *= 2) {
      const rows = await this.#findNearest(lifted, fetchLimit, within)
      const chunks = windows.selectBest(rows)
      if (chunks.length >= limit || rows.length < fetchLimit)
        return await this.#toFound(chunks.slice(0, limit))
    }
  }

  /** Probes all partitions if few rows are allowed or too few were found. */
  async #findNearest(
    lifted: Float32Array,
    limit: number,
    within: Restriction,
  ): Promise<readonly Score[]> {
    const indexes = await this.#loadVectorIndexes()
    const ask = async (probedShare?: number) => {
      const { query, toLift: liftOf } = buildNearestQuery(this.#table, lifted, {
        indexes,
        ...(probedShare && { probedShare }),
      })
      const nearest = restrict(query, within).select(['_distance']).withRowId().limit(limit)
      return (await collectScores(nearest, '_distance')).map(({ row, score }) => ({
        row,
        score: liftOf(score),
      }))
    }
    if (!isDivided(indexes) || buildConditions(within).length > 0) return await ask(1)
    const found = await ask()
    return found.length < limit ? await ask(1) : found
  }

  async readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    const places = await restrict(this.#table.query(), only, IS_CHUNK)
      .select(['version', 'ordinal'])
      .withRowId()
      .toArray()
    const first = places
      .toSorted((a, b) => a.version - b.version || a.ordinal - b.ordinal)
      .slice(0, limit)
    return await this.readCandidates(
      first.map(({ _rowid, version }) => ({ row: _rowid, version, score: 0 })),
    )
  }

  async readCandidates<Row extends Found>(
    found: readonly Row[],
  ): Promise<readonly (Row & Candidate)[]> {
    if (found.length === 0) return []
    const details = await this.#details.readValues(found.map(({ row }) => row))
    return found.flatMap((row, index) => {
      const own = details[index]
      return own ? [{ ...own, ...row }] : []
    })
  }

  /** Queries unindexed rows with distinct terms, because LanceDB multiplies repeated ones. */
  async #findWithAnyTerm(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Score[]> {
    const distinct = new Set(terms)
    const unindexed = await this.#countUnindexedRows()
    const ask = (some: readonly string[]) =>
      this.#findMatching(some, Operator.Or, only).limit(limit + unindexed)
    if (unindexed === 0 || distinct.size === terms.length) return await this.#scoreRows(ask(terms))
    const indexed = await this.#scoreRows(ask(terms).fastSearch())
    const all = await this.#scoreRows(ask([...distinct]))
    return [...new Map([...all, ...indexed].map(score => [score.row, score])).values()]
  }

  #scoreRows(query: LanceQuery): Promise<readonly Score[]> {
    return this.#fullText.ask(() => collectScores(query, '_score'))
  }

  #findMatching(terms: readonly string[], operator: Operator, only: Restriction): LanceQuery {
    const match = new MatchQuery(terms.join(' '), 'terms', { operator })
    return restrict(this.#table.query().fullTextSearch(match), only).select(['_score']).withRowId()
  }

  async #toFound(rows: readonly Score[]): Promise<readonly Found[]> {
    const versions = await this.#versions.readVersions(rows.map(({ row }) => row))
    return rows.map(({ row, score }, index) => ({ row, score, version: versions[index]! }))
  }

  async #compare(lifted: Float32Array, rows: readonly bigint[]): Promise<RowScores> {
    if (rows.length === 0) return new Map()
    const windows = await this.#loadWindows()
    const all = windows.isEmpty ? rows : rows.flatMap(chunk => windows.listRows(chunk))
    const vectors = await this.#vectors.readValues(all)
    const scores = new Map<bigint, number>()
    for (let index = 0; index < all.length; index++) {
      const vector = vectors[index]
      if (!vector) continue
      const chunk = windows.findChunk(all[index]!)
      const score = dot(lifted, vector)
      if (score > (scores.get(chunk) ?? Number.NEGATIVE_INFINITY)) scores.set(chunk, score)
    }
    return scores
  }

  #loadWindows(): Promise<RowWindows> {
    this.#windows ??= RowWindows.load(this.#table)
    return this.#windows
  }

  #loadVectorIndexes(): Promise<readonly VectorIndex[]> {
    this.#vectorIndexes ??= listVectorIndexes(this.#table)
    return this.#vectorIndexes
  }

  /** Counts all: LanceDB returns unindexed matches first and unsorted. */
  #countUnindexedRows(): Promise<number> {
    this.#unindexed ??= this.#table
      .indexStats(FULL_TEXT_INDEX)
      .then(stats => stats?.numUnindexedRows ?? 0)
    return this.#unindexed
  }
}

type Score = Pick<Found, 'row' | 'score'>

async function collectScores(
  query: AsyncIterable<RecordBatch>,
  column: string,
): Promise<readonly Score[]> {
  const found: Score[] = []
  for await (const batch of query) {
    const names: BigUint64Array = batch.getChild('_rowid')?.toArray()
    const scores: Float32Array = batch.getChild(column)?.toArray()
    for (let index = 0; index < names.length; index++)
      found.push({ row: names[index]!, score: scores[index]! })
  }
  return found
}

function selectBest<Row extends Score>(found: readonly Row[], limit: number): readonly Row[] {
  return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
}

function restrict<Builder extends LanceQuery | LanceVectorQuery>(
  query: Builder,
  only: Restriction,
  ...more: readonly string[]
): Builder {
  const where = [...buildConditions(only), ...more].join(' AND ')
  return where ? (query.where(where) as Builder) : query
}

/** Needs no escaping: terms have letters and digits only. */
function buildConditions({
  versions,
  rows,
  sequences,
  pages,
  beforeOrdinal,
}: Restriction): readonly string[] {
  return [
    versions && buildVersionCondition(versions),
    rows && (rows.length > 0 ? `_rowid IN (${rows.join(', ')})` : 'version = -1'),
    ...(sequences ?? []).map(sequence => `terms LIKE '%${sequence.join(' ')}%'`),
    pages && `page_last >= ${pages[0]} AND page_first <= ${pages[1]}`,
    beforeOrdinal !== undefined && `ordinal < ${beforeOrdinal}`,
  ].filter(condition => typeof condition === 'string')
}

/** Ranges in a condition, so that it stays short; others are listed. */
const MAX_RUNS = 32

export function buildVersionCondition(versions: readonly number[]): string {
  const runs = findRuns(versions)
  if (runs.length === 0) return 'version = -1'
  if (runs.length > MAX_RUNS) return `version IN (${versions.join(', ')})`
  return `(${runs.map(([first, last]) => `version BETWEEN ${first} AND ${last}`).join(' OR ')})`
}
