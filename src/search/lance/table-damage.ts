import { MatchQuery, type Table } from '@lancedb/lancedb'
import type { Vector } from 'apache-arrow'
import { toAppError } from '../../errors.ts'
import { isOutsideFailure } from '../index-damage.ts'
import { COLUMNS } from './lance-tables.ts'

/** Upkeep in another process takes files away that a table was opened with: it is opened again before it is called damaged. */
const TRIES = 2

/** How much is said of what LanceDB says, which may name every function that it went through. */
const MAX_CHARACTERS = 160

/**
 * Why a table cannot be read to its end, in LanceDB's words: it has our columns, all of all rows are read, a batch at a time, and what
 * is indexed by words and by vectors is asked for its first row once. Undefined where all of that goes well. Throws what says
 * nothing of the table: `cancelled`, and what the system refuses, as files to be opened or memory.
 */
export async function findTableDamage(
  open: () => Promise<Table | undefined>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      const table = await open()
      if (table) await readThrough(table, signal)
      return undefined
    } catch (error) {
      const named = toAppError(error)
      if (signal?.aborted || named.code !== 'internal' || isOutsideFailure(named)) throw error
      if (tries === TRIES) return shortened(named.message)
    }
  }
}

function shortened(message: string): string {
  const [said = ''] = message.split('\n', 1)
  return said.length > MAX_CHARACTERS ? `${said.slice(0, MAX_CHARACTERS)}…` : said
}

/** Throws if columns are missing. LanceDB reads a manifest of zeros as a table without columns, without an error. */
async function requireColumns(table: Table): Promise<void> {
  const present = new Set((await table.schema()).fields.map(({ name }) => name))
  const missing = COLUMNS.filter(name => !present.has(name))
  if (missing.length > 0) throw new Error(`its manifest lacks the columns ${missing.join(', ')}.`)
}

async function readThrough(table: Table, signal?: AbortSignal): Promise<void> {
  await requireColumns(table)
  let term: string | undefined
  let vector: Float32Array | undefined
  for await (const batch of table.query()) {
    signal?.throwIfAborted()
    const [terms] = (batch.getChild('terms') ?? []) as Iterable<string | null> // our own columns, as of row-batch.ts
    const [first] = (batch.getChild('vector') ?? []) as Iterable<Vector | null>
    term ||= terms?.split(' ', 1)[0]
    vector ??= first?.toArray() as Float32Array | undefined
  }
  const byWord = (one: string) =>
    table.query().fullTextSearch(new MatchQuery(one, 'terms')).select(['_score'])
  if (term) await byWord(term).limit(1).toArray()
  if (vector)
    await table
      .query()
      .nearestTo(vector)
      .distanceType('dot')
      .select(['_distance'])
      .limit(1)
      .toArray()
}
