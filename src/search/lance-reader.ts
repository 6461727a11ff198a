import { type Query as LanceQuery, MatchQuery, Operator, type Table, type VectorQuery } from '@lancedb/lancedb'
import type { Candidate, IndexReader, Restriction } from './index-reader.ts'
import { FULL_TEXT_INDEX, type LanceTables } from './lance-tables.ts'
import { CANDIDATE_COLUMNS, toCandidate } from './rows.ts'

/** The reading side of the LanceDB index. */
export class LanceReader implements IndexReader {
  readonly #tables: LanceTables

  constructor(tables: LanceTables) {
    this.#tables = tables
  }

  async keyword(
    collectionId: string,
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    if (terms.length === 0) return []
    return await this.#read(collectionId, async table => {
      const match = new MatchQuery(terms.join(' '), 'terms', { operator: Operator.Or })
      const query = restrict(table.query().fullTextSearch(match), only)
      const scored = query.select([...CANDIDATE_COLUMNS, '_score']).limit(limit + (await unindexedRows(table)))
      const rows = (await scored.toArray()).toSorted((a, b) => b._score - a._score).slice(0, limit)
      return rows.map(row => toCandidate(row, row._score))
    })
  }

  /** The dot product of unit vectors; LanceDB's distance is one minus it. */
  async vector(
    collectionId: string,
    vector: Float32Array,
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]> {
    return await this.#read(collectionId, async table => {
      const nearest = table.query().nearestTo(vector).distanceType('dot').bypassVectorIndex()
      const query = restrict(nearest, only)
      const rows = await query
        .select([...CANDIDATE_COLUMNS, '_distance'])
        .limit(limit)
        .toArray()
      return rows.map(row => toCandidate(row, 1 - row._distance))
    })
  }

  async first(collectionId: string, limit: number, only: Restriction): Promise<readonly Candidate[]> {
    const candidates = await this.#read(collectionId, async table => {
      const rows = await restrict(table.query(), only).select(CANDIDATE_COLUMNS).toArray()
      return rows.map(row => toCandidate(row, 0))
    })
    return candidates.toSorted((a, b) => a.version - b.version || a.ordinal - b.ordinal).slice(0, limit)
  }

  /** A table that was dropped or made anew by another process meanwhile is opened once more. */
  async #read<Result>(
    collectionId: string,
    read: (table: Table) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]> {
    const table = await this.#tables.find(collectionId)
    if (!table) return []
    try {
      return await read(table)
    } catch (error) {
      this.#tables.forget(collectionId)
      const reopened = await this.#tables.find(collectionId)
      if (!reopened) return []
      return await read(reopened).catch(() => {
        throw error
      })
    }
  }
}

/** LanceDB puts matches among rows that are not indexed yet before the others, unsorted: all of them must be asked for. */
async function unindexedRows(table: Table): Promise<number> {
  return (await table.indexStats(FULL_TEXT_INDEX))?.numUnindexedRows ?? 0
}

function restrict<Builder extends LanceQuery | VectorQuery>(query: Builder, only: Restriction): Builder {
  const where = conditions(only).join(' AND ')
  return where ? (query.where(where) as Builder) : query // `where` gives back the builder it was called on
}

/** Keys and languages are ours, of digits, letters and hyphens: nothing to escape. */
function conditions({ versions, keys, language, pages, beforeOrdinal }: Restriction): readonly string[] {
  return [
    versions && versionCondition(versions),
    keys && `key IN (${keys.map(key => `'${key}'`).join(', ') || "''"})`,
    language && `language = '${language}'`,
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
