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

type BatchDetails = BatchCaller & {
  readonly endpoint: string
  readonly inputFileId: string
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly outputLifetimeMs?: number | undefined
  readonly expiresAt: number
  readonly total?: number
  readonly errors?: readonly BatchFault[]
  readonly outputFileId?: string | undefined
  readonly errorFileId?: string | undefined
  /** When each status began. */
  readonly reachedAt: Readonly<Partial<Record<BatchStatus, number>>>
}

export type NewBatch = Omit<BatchDetails, 'expiresAt' | 'reachedAt'>

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
      return await this.#get(inside, id)
    })
  }

  /** Throws `not_found`. */
  async get(id: string): Promise<Batch> {
    return await this.#get(this.#catalog, id)
  }

  async list(): Promise<readonly Batch[]> {
    return (await this.#catalog.all<Row>('SELECT * FROM batches ORDER BY created_at, id')).map(
      fromRow,
    )
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
      const batch = await this.#get(inside, id)
      if (isChanged || batch.status === 'cancelling') return batch
      throw new AppError(
        'conflict',
        localizable`Batch ${id} cannot be cancelled: it is ${batch.status}.`,
      )
    })
  }

  /** Stores the result of a line once: a later one is ignored. */
  async record(id: string, { line, isError, text }: BatchResult): Promise<void> {
    const sql = 'INSERT INTO batch_results VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
    const counter = isError ? 'failed' : 'completed'
    await this.#catalog.transaction(async inside => {
      if ((await inside.run(sql, id, line, isError ? 1 : 0, text)) === 0) return
      await inside.run(
        `UPDATE batches SET ${counter} = ${counter} + 1, bytes = bytes + ? WHERE id = ?`,
        Buffer.byteLength(text),
        id,
      )
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

  async #get(inside: Statements, id: string): Promise<Batch> {
    const batch = await findBatch(inside, id)
    if (batch) return batch
    throw new AppError('not_found', localizable`There is no batch ${id}.`, { about: id })
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

async function findBatch(inside: Statements, id: string): Promise<Batch | undefined> {
  const row = await inside.get<Row>('SELECT * FROM batches WHERE id = ?', id)
  return row && fromRow(row)
}

function fromRow({ created_at, details, ...row }: Row): Batch {
  return { ...row, createdAt: created_at, details: parseOwnJson<BatchDetails>(details) }
}
