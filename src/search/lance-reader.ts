import {
  type Query as LanceQuery,
  type VectorQuery as LanceVectorQuery,
  MatchQuery,
  Operator,
  type Table,
} from '@lancedb/lancedb'
import type { RecordBatch, Vector } from 'apache-arrow'
import { dot } from './dot.ts'
import type { Candidate, Found, IndexReader, Restriction, TermStatistics, VectorQuery } from './index-reader.ts'
import { FULL_TEXT_INDEX } from './lance-tables.ts'
import { liftedQuery } from './lifted-vector.ts'
import { readColumn } from './row-column.ts'
import { RowVersions } from './row-versions.ts'
import { toCandidate } from './rows.ts'

/**
 * One state of a LanceDB table. A search reads nothing of a row but its score, and the version where it is not known
 * yet: fetching columns of a hundred rows costs as much as finding them.
 */
export class LanceReader implements IndexReader {
  readonly #table: Table
  readonly #versions: RowVersions
  #unindexed: Promise<number> | undefined

  /** `table` must stay as it is while it is read: no consistency interval. */
  constructor(table: Table) {
    this.#table = table
    this.#versions = new RowVersions(table)
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
    if (only.rows && only.beforeOrdinal === undefined) {
      return await this.#found(best(await this.#compare(lifted, only.rows), limit))
    }
    const nearest = restrict(this.#table.query().nearestTo(lifted).distanceType('dot'), only)
    const rows = await scored(nearest.select(['_distance']).withRowId().limit(limit), '_distance')
    return await this.#found(rows.map(({ row, score }) => ({ row, score: 1 - score })))
  }

  async first(limit: number, only: Restriction): Promise<readonly Candidate[]> {
    const places = await restrict(this.#table.query(), only).select(['version', 'ordinal']).withRowId().toArray()
    const first = places.toSorted((a, b) => a.version - b.version || a.ordinal - b.ordinal).slice(0, limit)
    return await this.candidates(first.map(({ _rowid, version }) => ({ row: _rowid, version, score: 0 })))
  }

  async candidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]> {
    if (found.length === 0) return []
    const details = new Map<bigint, string>()
    const rows = found.map(({ row }) => row)
    await readColumn(this.#table, rows, 'details', (row, text) => details.set(row, text as string)) // our own column
    return found.flatMap(one => {
      const own = details.get(one.row)
      return own === undefined ? [] : [toCandidate(own, one)]
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
    const query = restrict(this.#table.query().fullTextSearch(match), only).select(['_score']).withRowId()
    const rows = await scored(query.limit(limit + (await this.#unindexedRows())), '_score')
    return await this.#found(best(rows, limit))
  }

  async #found(rows: readonly Score[]): Promise<readonly Found[]> {
    const versions = await this.#versions.of(rows.map(({ row }) => row))
    return rows.map(({ row, score }, at) => ({ row, score, version: versions[at]! })) // a version a row
  }

  async #compare(lifted: Float32Array, rows: readonly bigint[]): Promise<readonly Score[]> {
    if (rows.length === 0) return []
    const scores: Score[] = []
    await readColumn(this.#table, rows, 'vector', (row, value) => {
      const vector = value as Vector | null // of our own column
      if (vector) scores.push({ row, score: dot(lifted, vector.toArray()) })
    })
    return scores
  }

  /** LanceDB puts matches among rows that are not indexed yet before the others, unsorted: all of them must be asked for. */
  #unindexedRows(): Promise<number> {
    this.#unindexed ??= this.#table.indexStats(FULL_TEXT_INDEX).then(stats => stats?.numUnindexedRows ?? 0)
    return this.#unindexed
  }
}

/** A row by name, and its BM25, distance or lift. */
type Score = Pick<Found, 'row' | 'score'>

/** The rows of a query and the numbers in that column. */
async function scored(query: AsyncIterable<RecordBatch>, column: string): Promise<readonly Score[]> {
  const found: Score[] = []
  for await (const batch of query) {
    const names = batch.getChild('_rowid')?.toArray() as BigUint64Array // LanceDB's type of it
    const scores = batch.getChild(column)?.toArray() as Float32Array // and of both scores
    for (const [at, row] of names.entries()) found.push({ row, score: scores[at]! }) // as long
  }
  return found
}

function best<Row extends Score>(found: readonly Row[], limit: number): readonly Row[] {
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
