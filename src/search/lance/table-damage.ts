import { MatchQuery, type Table } from '@lancedb/lancedb'
import type { Vector } from 'apache-arrow'
import { toAppError } from '../../errors.ts'
import { isOutsideFailure } from '../index-damage.ts'
import { COLUMNS } from './lance-tables.ts'

/** Attempts before a table counts as damaged, so that upkeep may replace files meanwhile. */
const TRIES = 2

/** Cuts the stack of LanceDB's message, so that it stays readable. */
const MAX_CHARACTERS = 160

/**
 * Returns LanceDB's reason if a column, row or index cannot be read. Throws other errors, such
 * as `cancelled`.
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
      if (tries === TRIES) return shortenMessage(named.message)
    }
  }
}

function shortenMessage(message: string): string {
  const [firstLine = ''] = message.split('\n', 1)
  return firstLine.length > MAX_CHARACTERS ? `${firstLine.slice(0, MAX_CHARACTERS)}…` : firstLine
}

/** Throws if columns are missing: LanceDB reads a manifest of zeros. */
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
    const [terms] = (batch.getChild('terms') ?? []) as Iterable<string | null>
    const [first] = (batch.getChild('vector') ?? []) as Iterable<Vector | null>
    term ||= terms?.split(' ', 1)[0]
    vector ??= first?.toArray() as Float32Array | undefined
  }
  const findByTerm = (term: string) =>
    table.query().fullTextSearch(new MatchQuery(term, 'terms')).select(['_score'])
  if (term) await findByTerm(term).limit(1).toArray()
  if (vector)
    await table
      .query()
      .nearestTo(vector)
      .distanceType('dot')
      .select(['_distance'])
      .limit(1)
      .toArray()
}
