import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements, Tables } from '../catalog.ts'

export type BatchStatus =
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'finalizing'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled'

export type BatchFault = {
  readonly code: string
  readonly message: string
  readonly line?: number
  readonly param?: string
}

/** Whoever created a batch, with whose rights its requests are answered. */
type BatchCaller = {
  /** Undefined on a service without keys. */
  readonly keyId?: string | undefined
  /** Address of the service as the caller wrote it, for links in answers. */
  readonly origin: string
}

export type BatchUsage = {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

type BatchDetails = BatchCaller & {
  readonly endpoint: string
  readonly inputFileId: string
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly outputLifetimeMs?: number | undefined
  readonly expiresAt: number
  readonly total?: number
  readonly model?: string | undefined
  readonly usage?: BatchUsage
  readonly errors?: readonly BatchFault[]
  readonly outputFileId?: string | undefined
  readonly errorFileId?: string | undefined
  /** When each status began. */
  readonly reachedAt: Readonly<Partial<Record<BatchStatus, number>>>
}

export type NewBatch = Omit<BatchDetails, 'expiresAt' | 'reachedAt'>

export type BatchSelection = {
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly order: 'asc' | 'desc'
}

export type Batch = {
  readonly id: string
  readonly status: BatchStatus
  readonly createdAt: number
  readonly completed: number
  readonly failed: number
  readonly bytes: number
  readonly details: BatchDetails
}

export type BatchResult = {
  readonly line: number
  readonly isError: boolean
  readonly text: string
  readonly usage?: BatchUsage | undefined
}

type Row = {
  id: string
  status: BatchStatus
  created_at: number
  completed: number
  failed: number
  bytes: number
  details: string
}

/** OpenAI's only completion window, 24 hours. */
const WINDOW_MS = 24 * 60 * 60 * 1000

/** Long, so that a caller who comes back after weeks finds the ids of the output files. */
const KEEP_MS = 90 * 24 * 60 * 60 * 1000

/** Protects the store: each has an input file of up to 200 MB and as many results. */
const MAX_UNFINISHED = 100

const UNFINISHED = `status IN ('validating', 'in_progress', 'finalizing', 'cancelling')`

export class Batches {
  static readonly tables: Tables = {
    26: [
      `CREATE TABLE batches (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, created_at INTEGER NOT NULL, completed INTEGER NOT NULL,
    failed INTEGER NOT NULL, bytes INTEGER NOT NULL, details TEXT NOT NULL
  ) WITHOUT ROWID`,
      `CREATE INDEX batches_unfinished ON batches (created_at) WHERE ${UNFINISHED}`,
      `CREATE TABLE batch_results (
    batch_id TEXT NOT NULL, line INTEGER NOT NULL, is_error INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (batch_id, line)
  )`,
    ],
    27: ['CREATE INDEX batches_by_age ON batches (created_at, id)'],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Throws `rate_limited`. */
  async add(batch: NewBatch): Promise<Batch> {
    const id = createId('batch_')
    const createdAt = Date.now()
    const details: BatchDetails = { ...batch, expiresAt: createdAt + WINDOW_MS, reachedAt: {} }
    return await this.#catalog.transaction(async inside => {
      const count = `SELECT count(*) AS n FROM batches WHERE ${UNFINISHED}`
      if (((await inside.get<{ n: number }>(count))?.n ?? 0) >= MAX_UNFINISHED)
        throw new AppError(
          'rate_limited',
          localizable`${MAX_UNFINISHED} batches are under way. Create others when one has ended.`,
        )
      const sql = `INSERT INTO batches VALUES (?, 'validating', ?, 0, 0, 0, ?)`
      await inside.run(sql, id, createdAt, JSON.stringify(details))
      return await this.get(id, inside)
    })
  }

  /** Throws `not_found`. */
  async get(id: string, inside: Statements = this.#catalog): Promise<Batch> {
    const batch = await findBatch(inside, id)
    if (batch) return batch
    throw new AppError('not_found', localizable`There is no batch ${id}.`, { about: id })
  }

  async find(id: string): Promise<Batch | undefined> {
    return await findBatch(this.#catalog, id)
  }

  /** Returns the first `limit` selected batches, or the last if only `before` is given. */
  async list({ after, before, order }: BatchSelection, limit: number): Promise<readonly Batch[]> {
    const isBackward = before !== undefined && after === undefined
    const isAscending = (order === 'asc') !== isBackward
    const place = '(SELECT created_at, id FROM batches WHERE id = ?)'
    const [later, earlier] = order === 'asc' ? ['>', '<'] : ['<', '>']
    const conditions = [
      ...(after === undefined ? [] : [`(created_at, id) ${later} ${place}`]),
      ...(before === undefined ? [] : [`(created_at, id) ${earlier} ${place}`]),
    ]
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
    const direction = isAscending ? 'ASC' : 'DESC'
    const sql = `SELECT * FROM batches ${where} ORDER BY created_at ${direction}, id ${direction} LIMIT ?`
    const values = [after, before, limit].filter(value => value !== undefined)
    const batches = (await this.#catalog.all<Row>(sql, ...values)).map(fromRow)
    return isBackward ? batches.toReversed() : batches
  }

  async listUnfinished(): Promise<readonly string[]> {
    const sql = `SELECT id FROM batches WHERE ${UNFINISHED} ORDER BY created_at, id`
    return (await this.#catalog.all<{ id: string }>(sql)).map(row => row.id)
  }

  /** Returns false if the batch has none of the statuses `from`, as after a cancellation. */
  async move(
    id: string,
    from: readonly BatchStatus[],
    to: BatchStatus,
    changes: Partial<BatchDetails> = {},
  ): Promise<boolean> {
    return await this.#catalog.transaction(
      async inside => await moveBatch(inside, id, { from, to, changes }),
    )
  }

  /** Throws `conflict` if it has ended. */
  async cancel(id: string): Promise<Batch> {
    return await this.#catalog.transaction(async inside => {
      const from = ['validating', 'in_progress'] as const
      const isChanged = await moveBatch(inside, id, { from, to: 'cancelling' })
      const batch = await this.get(id, inside)
      if (isChanged || batch.status === 'cancelling') return batch
      throw new AppError(
        'conflict',
        localizable`Batch ${id} cannot be cancelled: it is ${batch.status}.`,
      )
    })
  }

  /** Stores the result of a line once: a later one is ignored. */
  async record(id: string, { line, isError, text, usage }: BatchResult): Promise<void> {
    const sql = 'INSERT INTO batch_results VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
    const counter = isError ? 'failed' : 'completed'
    await this.#catalog.transaction(async inside => {
      if ((await inside.run(sql, id, line, isError ? 1 : 0, text)) === 0) return
      await inside.run(
        `UPDATE batches SET ${counter} = ${counter} + 1, bytes = bytes + ? WHERE id = ?`,
        Buffer.byteLength(text),
        id,
      )
      if (usage) await addUsage(inside, id, usage)
    })
  }

  async listDoneLines(id: string): Promise<ReadonlySet<number>> {
    const sql = 'SELECT line FROM batch_results WHERE batch_id = ?'
    return new Set((await this.#catalog.all<{ line: number }>(sql, id)).map(row => row.line))
  }

  async *readResults(id: string, isError: boolean): AsyncGenerator<string> {
    const sql = `SELECT line, text FROM batch_results
      WHERE batch_id = ? AND is_error = ? AND line > ? ORDER BY line LIMIT 1`
    for (let last = 0; ; ) {
      const row = await this.#catalog.get<{ line: number; text: string }>(
        sql,
        id,
        isError ? 1 : 0,
        last,
      )
      if (!row) return
      yield row.text
      last = row.line
    }
  }

  /** Forgets batches that ended long ago; their files stay. */
  async prune(): Promise<void> {
    const sql = `DELETE FROM batches WHERE NOT (${UNFINISHED}) AND created_at < ?`
    await this.#catalog.run(sql, Date.now() - KEEP_MS)
  }
}

type Move = {
  readonly from: readonly BatchStatus[]
  readonly to: BatchStatus
  readonly changes?: Partial<BatchDetails>
}

/** Works inside of a transaction, which may also store what the batch made. */
export async function moveBatch(
  inside: Statements,
  id: string,
  { from, to, changes }: Move,
): Promise<boolean> {
  const batch = await findBatch(inside, id)
  if (!batch || !from.includes(batch.status)) return false
  const reachedAt = { ...batch.details.reachedAt, [to]: Date.now() }
  const details: BatchDetails = { ...batch.details, ...changes, reachedAt }
  const sql = 'UPDATE batches SET status = ?, details = ? WHERE id = ?'
  await inside.run(sql, to, JSON.stringify(details), id)
  return true
}

/** Call it in the transaction that stores the output files. */
export async function deleteResults(inside: Statements, id: string): Promise<void> {
  await inside.run('DELETE FROM batch_results WHERE batch_id = ?', id)
}

export async function setFailedCount(
  inside: Statements,
  id: string,
  failed: number,
): Promise<void> {
  await inside.run('UPDATE batches SET failed = ? WHERE id = ?', failed, id)
}

async function addUsage(inside: Statements, id: string, added: BatchUsage): Promise<void> {
  const batch = await findBatch(inside, id)
  if (!batch) return
  const { usage: sum = NO_USAGE } = batch.details
  const usage: BatchUsage = {
    inputTokens: sum.inputTokens + added.inputTokens,
    cachedTokens: sum.cachedTokens + added.cachedTokens,
    outputTokens: sum.outputTokens + added.outputTokens,
    reasoningTokens: sum.reasoningTokens + added.reasoningTokens,
  }
  const details: BatchDetails = { ...batch.details, usage }
  await inside.run('UPDATE batches SET details = ? WHERE id = ?', JSON.stringify(details), id)
}

export const NO_USAGE: BatchUsage = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}

async function findBatch(inside: Statements, id: string): Promise<Batch | undefined> {
  const row = await inside.get<Row>('SELECT * FROM batches WHERE id = ?', id)
  return row && fromRow(row)
}

function fromRow({ created_at, details, ...row }: Row): Batch {
  return { ...row, createdAt: created_at, details: parseOwnJson<BatchDetails>(details) }
}
