import {
  type Query as LanceQuery,
  type VectorQuery as LanceVectorQuery,
  MatchQuery,
  Operator,
  type Table,
} from '@lancedb/lancedb'
import { dot } from './dot.ts'
import type { Candidate, Found, IndexReader, Restriction, TermStatistics, VectorQuery } from './index-reader.ts'
import { FULL_TEXT_INDEX } from './lance-tables.ts'
import { liftedQuery } from './lifted-vector.ts'
import { byPlace, CANDIDATE_COLUMNS, toCandidate } from './rows.ts'

/**
 * One state of a LanceDB table. A search reads no more of a row than its version: fetching columns of a hundred rows
 * costs more than finding them.
 */
export class LanceReader implements IndexReader {
  readonly #table: Table
  #unindexed: Promise<number> | undefined

  /** `table` must stay as it is while it is read: no consistency interval. */
  constructor(table: Table) {
    this.#table = table
  }

  async keyword(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return await this.#match(terms, Operator.Or, limit, only)
  }

  async holding(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]> {
    return await this.#match(terms, Operator.And, limit, only)
  }

  async statistics(terms: readonly string[]): Promise<TermStatistics> {
    const rows = await this.#table.countRows()
    const counts = terms.map(async term => {
      const holders = this.#table.query().fullTextSearch(new MatchQuery(term, 'terms')).select(['version', '_score'])
      return (await holders.limit(Math.max(rows, 1)).toArrow()).numRows
    })
    return { rows, frequencies: await Promise.all(counts) }
  }

  /** The dot product; LanceDB's distance is one minus it. Few given rows are fetched and compared here: that is exact. */
  async vector(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]> {
    const lifted = liftedQuery(query)
    if (only.rows && only.beforeOrdinal === undefined) return best(await this.#compare(lifted, only.rows), limit)
    const nearest = restrict(this.#table.query().nearestTo(lifted).distanceType('dot'), only)
    const rows = await nearest.select(['version', '_distance']).withRowId().limit(limit).toArray()
    return rows.map(row => ({ row: row._rowid, version: row.version, score: 1 - row._distance }))
  }

  async first(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    const places = await restrict(this.#table.query(), only).select(['version', 'ordinal']).withRowId().toArray()
    const first = places.toSorted(byPlace).slice(0, limit)
    return await this.candidates(first.map(({ _rowid, version }) => ({ row: _rowid, version, score: 0 })))
  }

  async candidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    if (found.length === 0) return []
    const taken = this.#table.takeRowIds(found.map(({ row }) => row)).select(CANDIDATE_COLUMNS)
    const rows = await taken.withRowId().toArray()
    const byRow = new Map(rows.map(row => [row._rowid as bigint, row])) // what LanceDB calls a row's address
    return found.flatMap(one => {
      const row = byRow.get(one.row)
      return row ? [toCandidate(row, one)] : []
    })
  }

  async #match(
    terms: readonly string[],
    operator: Operator,
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]> {
    if (terms.length === 0) return []
    const match = new MatchQuery(terms.join(' '), 'terms', { operator })
    const query = restrict(this.#table.query().fullTextSearch(match), only)
    const scored = query.select(['version', '_score']).withRowId()
    const rows = await scored.limit(limit + (await this.#unindexedRows())).toArray()
    return best(
      rows.map(row => ({ row: row._rowid, version: row.version, score: row._score })),
      limit,
    )
  }

  async #compare(lifted: Float32Array, rows: readonly bigint[]): Promise<readonly Found[]> {
    if (rows.length === 0) return []
    const taken = await this.#table.takeRowIds(rows).select(['version', 'vector']).withRowId().toArray()
    return taken.flatMap(({ _rowid: row, version, vector }) =>
      vector ? [{ row, version, score: dot(lifted, vector.toArray()) }] : [],
    )
  }

  /** LanceDB puts matches among rows that are not indexed yet before the others, unsorted: all of them must be asked for. */
  #unindexedRows(): Promise<number> {
    this.#unindexed ??= this.#table.indexStats(FULL_TEXT_INDEX).then(stats => stats?.numUnindexedRows ?? 0)
    return this.#unindexed
  }
}

function best(found: readonly Found[], limit: number): readonly Found[] {
  return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
}

function restrict<Builder extends LanceQuery | LanceVectorQuery>(query: Builder, only: Restriction): Builder {
  const where = conditions(only).join(' AND ')
  return where ? (query.where(where) as Builder) : query // `where` gives back the builder it was called on
}

/** Terms have letters and digits only, all else are numbers: nothing to escape. */
function conditions({ versions, rows, sequences, pages, beforeOrdinal }: Restriction): readonly string[] {
  return [
    versions && versionCondition(versions),
    rows && (rows.length > 0 ? `_rowid IN (${rows.join(', ')})` : 'version = -1'),
    ...(sequences ?? []).map(sequence => `terms LIKE '%${sequence.join(' ')}%'`),
    pages && `page_last >= ${pages[0]} AND page_first <= ${pages[1]}`,
    beforeOrdinal !== undefined && `ordinal < ${beforeOrdinal}`,
  ].filter(condition => typeof condition === 'string')
}

/** Runs of consecutive numbers, as folders that were indexed in one go are; more of them than this are listed singly. */
const MAX_RUNS = 32

function versionCondition(versions: readonly number[]): string {
  const runs = runsOf(versions)
  if (runs.length === 0) return 'version = -1'
  if (runs.length > MAX_RUNS) return `version IN (${versions.join(', ')})`
  return `(${runs.map(([first, last]) => `version BETWEEN ${first} AND ${last}`).join(' OR ')})`
}

function runsOf(ascending: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const number of ascending) {
    const run = runs.at(-1)
    if (run && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}
