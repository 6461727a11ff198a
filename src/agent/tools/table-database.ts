import { AppError } from '../../errors.ts'
import { Child, getChildEntry } from '../../system/child.ts'
import { readResidentBytes } from '../../system/living-process.ts'
import type { SqlAnswer, SqlReply, SqlRequest, SqlTable } from './table-query.ts'

type SqlLimits = Pick<SqlRequest, 'maxRows' | 'memoryBytes'> & { readonly timeMs: number }

const LOOK_MS = 50

/**
 * Runs one SELECT in a limited process. Throws `invalid_input` with SQLite's message,
 * `timeout`, `too_large`.
 */
export async function querySqlTables(
  tables: readonly SqlTable[],
  sql: string,
  { timeMs, ...limits }: SqlLimits,
  signal?: AbortSignal,
): Promise<SqlAnswer> {
  const overtime = AbortSignal.timeout(timeMs)
  const child = new Child(getChildEntry('./table-database-process', import.meta.url), [])
  const watch = setInterval(() => {
    if ((readResidentBytes(child.id) ?? 0) > limits.memoryBytes) void child.kill()
  }, LOOK_MS)
  const stop = () => void child.kill()
  const ends = AbortSignal.any([overtime, ...(signal ? [signal] : [])])
  ends.addEventListener('abort', stop)
  if (ends.aborted) stop()
  try {
    const reply = await awaitReply(child, { tables, sql, ...limits })
    signal?.throwIfAborted()
    if (overtime.aborted) throw createTimeoutError(timeMs)
    if (!reply) throw createMemoryError(child.ending)
    if ('problem' in reply)
      throw new AppError('invalid_input', `SQLite cannot answer: ${reply.problem}`)
    return reply.answer
  } finally {
    clearInterval(watch)
    ends.removeEventListener('abort', stop)
    await child.kill()
  }
}

/** Undefined if the process ended early. */
function awaitReply(child: Child, request: SqlRequest): Promise<SqlReply | undefined> {
  return new Promise(resolve => {
    child.events.once('message', (reply: SqlReply) => resolve(reply))
    void child.ended.then(() => resolve(undefined))
    child.send(request)
  })
}

function createTimeoutError(timeMs: number): AppError {
  const advice = 'Ask for less at once: join on equal columns, and filter before sorting.'
  return new AppError(
    'timeout',
    `The query took longer than ${timeMs / 1000} s and was stopped. ${advice}`,
  )
}

function createMemoryError(ending: string): AppError {
  const advice = 'Ask for fewer rows or shorter values.'
  return new AppError(
    'too_large',
    `The query needed too much memory and was stopped (${ending}). ${advice}`,
  )
}
