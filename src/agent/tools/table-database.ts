import { AppError } from '../../errors.ts'
import { Child, childEntry } from '../../ingest/isolation/child.ts'
import { residentBytes } from '../../ingest/isolation/resident-memory.ts'

export type SqlValue = string | number | null

/** A table for a query. The rows have the number that they have in their document in front, under `_row`. */
export type SqlTable = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: 'REAL' | 'INTEGER' | 'TEXT' }[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** The number of a row in its document's table. */
export const ROW_COLUMN = '_row'

/** Where a row of an answer comes from. */
export type RowOrigin = { readonly table: string; readonly row: number }

export type SqlAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly values: readonly SqlValue[]; readonly origins: readonly RowOrigin[] }[]
  /** There are more rows. */
  readonly isCut: boolean
}

type SqlLimits = { readonly maxRows: number; readonly timeMs: number; readonly memoryBytes: number }

export type SqlRequest = Pick<SqlLimits, 'maxRows' | 'memoryBytes'> & {
  readonly tables: readonly SqlTable[]
  readonly sql: string
}

export type SqlReply = { readonly answer: SqlAnswer } | { readonly problem: string }

const LOOK_MS = 50

/**
 * Puts one SELECT to these tables, in memory, in a process of its own that is killed on time or memory. Throws `invalid_input`
 * with what SQLite says of the query, `timeout` and `too_large`.
 */
export async function querySqlTables(
  tables: readonly SqlTable[],
  sql: string,
  { timeMs, ...limits }: SqlLimits,
  signal?: AbortSignal,
): Promise<SqlAnswer> {
  const overtime = AbortSignal.timeout(timeMs)
  const child = new Child(childEntry('./table-database-process', import.meta.url), [])
  const watch = setInterval(() => {
    if ((residentBytes(child.id) ?? 0) > limits.memoryBytes) void child.kill()
  }, LOOK_MS)
  const stop = () => void child.kill()
  const ends = AbortSignal.any([overtime, ...(signal ? [signal] : [])])
  ends.addEventListener('abort', stop)
  if (ends.aborted) stop()
  try {
    const reply = await replyOf(child, { tables, sql, ...limits })
    signal?.throwIfAborted()
    if (overtime.aborted) throw tooSlow(timeMs)
    if (!reply) throw tooLarge(child.ending)
    if ('problem' in reply) throw new AppError('invalid_input', `SQLite cannot answer: ${reply.problem}`)
    return reply.answer
  } finally {
    clearInterval(watch)
    ends.removeEventListener('abort', stop)
    await child.kill()
  }
}

/** Undefined when the process ended before it answered. */
function replyOf(child: Child, request: SqlRequest): Promise<SqlReply | undefined> {
  return new Promise(resolve => {
    child.events.once('message', (reply: SqlReply) => resolve(reply)) // from our own module
    void child.ended.then(() => resolve(undefined))
    child.send(request)
  })
}

function tooSlow(timeMs: number): AppError {
  const advice = 'Ask for less at once: join on equal columns, and filter before sorting.'
  return new AppError('timeout', `The query took longer than ${timeMs / 1000} s and was stopped. ${advice}`)
}

function tooLarge(ending: string): AppError {
  const advice = 'Ask for fewer rows or shorter values.'
  return new AppError('too_large', `The query needed too much memory and was stopped (${ending}). ${advice}`)
}
