import { setTimeout as sleep } from 'node:timers/promises'
import { localizable, unpackMessages } from '../../../errors/localizable.ts'
import { AppError, type Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements, Tables } from '../catalog.ts'
import { toEngineSql } from './collections.ts'
import type { Stage } from './document.ts'
import { recordEvents } from './events.ts'
import { toJobId } from './job-journal.ts'
import { getSourceLease, getWriterLease, hasWorker, isLeased } from './lease.ts'
import { endReEmbedding, retryReEmbedding } from './re-embeddings.ts'
import { cancelSourceRun, isSourceJob, retrySourceRun, SOURCE_JOB } from './source-runs.ts'

/** Long, so that users can see what happened. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Short, so that progress looks steady. */
const WATCH_MS = 250

type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export type Job = {
  readonly id: string
  readonly documentId?: string
  readonly collectionId: string
  readonly source: string
  readonly state: JobState
  readonly stage?: Stage
  /** Pages, chunks or rows done in this stage. */
  readonly done: number
  readonly total?: number
  readonly secondsLeft?: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly error?: Failure
}

type Row = {
  id: string
  document_id: string | null
  collection_id: string
  source: string
  state: JobState
  stage: Stage | null
  done: number
  total: number | null
  stage_at: number
  started_at: number
  finished_at: number | null
  error: string | null
}

/** Adds queued jobs, which have no rows of their own: the documents' status is the queue. */
const JOBS = `SELECT * FROM jobs UNION ALL
  SELECT 'job_' || substr(id, 5) || '_' || revision, id, collection_id, source, 'queued', NULL, 0, NULL, 0, created_at, NULL, NULL, NULL
  FROM documents WHERE status = 'in_progress'
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = 'job_' || substr(documents.id, 5) || '_' || documents.revision)
  UNION ALL SELECT re_embeddings.id, NULL, collection_id,
  'collection ' || name || CASE WHEN before_id = re_embeddings.embedder_id
    THEN ', to be moved into ' || ${toEngineSql('re_embeddings.table_id')} ELSE ', to be embedded with ' || re_embeddings.embedder_id END,
  state, stage, done, total, stage_at, started_at, finished_at, error, NULL
  FROM re_embeddings JOIN collections ON collections.id = collection_id
  UNION ALL SELECT '${SOURCE_JOB}' || name, NULL, collection_id, 'source ' || name,
  state, NULL, done, NULL, started_at, started_at, finished_at, error, NULL FROM source_runs`

const LISTED =
  "(collection_id = ?1 OR ?1 IS NULL AND (collection_id = '' OR collection_id IN (SELECT id FROM collections WHERE hidden = 0)))"

const AFTER = '(SELECT started_at FROM every WHERE id = ?3)'
const LATER = `(started_at < ${AFTER} OR started_at = ${AFTER} AND id > ?3)`

export type JobCount = { readonly total: number; readonly unattended: number }

type IsWorkedOn = (catalog: Statements, collectionId: string) => Promise<boolean>

const isWritten: IsWorkedOn = async (catalog, collectionId) =>
  await isLeased(catalog, getWriterLease(collectionId))

/** Jobs as every process sees them; `JobJournal` records them. */
export class Jobs {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE jobs (
    id TEXT PRIMARY KEY, document_id TEXT NOT NULL, collection_id TEXT NOT NULL, source TEXT NOT NULL,
    state TEXT NOT NULL, stage TEXT, done INTEGER NOT NULL, total INTEGER, stage_at INTEGER NOT NULL,
    started_at INTEGER NOT NULL, finished_at INTEGER, error TEXT
  ) WITHOUT ROWID`,
      'CREATE INDEX jobs_by_time ON jobs (collection_id, started_at)',
    ],
    /** Lease of a running job's helper; null for the writer. */
    19: [
      'ALTER TABLE jobs ADD COLUMN worker TEXT',
      `CREATE INDEX jobs_running ON jobs (collection_id) WHERE state = 'running'`,
    ],
  }

  readonly #catalog: Statements
  readonly #isWorkedOn: IsWorkedOn

  constructor(catalog: Statements, isWorkedOn: IsWorkedOn = isWritten) {
    this.#isWorkedOn = isWorkedOn
    this.#catalog = catalog
  }

  async forget(documentIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM jobs WHERE document_id IN (SELECT value FROM json_each(?))'
    await this.#catalog.run(sql, JSON.stringify(documentIds))
  }

  async find(id: string, inside: Statements = this.#catalog): Promise<Job | undefined> {
    return (
      await this.#readJobs(
        inside,
        async () => await inside.all<Row>(`SELECT * FROM (${JOBS}) AS every WHERE id = ?`, id),
      )
    )[0]
  }

  /** Newest first, by default of all collections that users made. */
  async list(
    collectionId: string | undefined,
    limit: number,
    after?: string,
  ): Promise<readonly Job[]> {
    const later = after === undefined ? '' : `AND ${LATER}`
    const sql = `WITH every AS (${JOBS}) SELECT * FROM every WHERE ${LISTED} ${later} ORDER BY started_at DESC, id LIMIT ?2`
    const place = after === undefined ? [] : [after]
    return await this.#readJobs(
      this.#catalog,
      async () => await this.#catalog.all<Row>(sql, collectionId ?? null, limit, ...place),
    )
  }

  /** Also counts those that wait although nobody works on them. */
  async count(collectionId: string | undefined): Promise<JobCount> {
    const sql = `SELECT collection_id, count(*) AS total, sum(CASE WHEN substr(id, 1, 5) != '${SOURCE_JOB}' AND state IN (SELECT value FROM json_each(?2)) THEN 1 ELSE 0 END) AS open
      FROM (${JOBS}) AS every WHERE ${LISTED} GROUP BY collection_id`
    type Count = { collection_id: string; total: number; open: number }
    const rows = await this.#catalog.all<Count>(
      sql,
      collectionId ?? null,
      JSON.stringify(['queued', 'running']),
    )
    const unattended = await this.#findUnattended(
      this.#catalog,
      rows.map(row => row.collection_id),
    )
    const idle = (await hasWorker(this.#catalog))
      ? []
      : rows.filter(row => unattended.has(row.collection_id))
    return {
      total: sum(rows.map(({ total }) => total)),
      unattended: sum(idle.map(({ open }) => open)),
    }
  }

  async listRunning(collectionId: string): Promise<readonly Job[]> {
    const sql = `SELECT * FROM jobs WHERE collection_id = ? AND state = 'running' ORDER BY started_at, id`
    return (await this.#catalog.all<Row>(sql, collectionId)).map(toJob)
  }

  /**
   * Removes a document from the queue, even during work. Throws `conflict` if the job has
   * ended.
   */
  async cancel(id: string): Promise<Job> {
    return await this.#catalog.transaction(async inside => await this.#cancel(inside, id))
  }

  async cancelDocuments(documentIds: readonly string[]): Promise<void> {
    const sql = `SELECT id, revision FROM documents
      WHERE status = 'in_progress' AND id IN (SELECT value FROM json_each(?))`
    await this.#catalog.transaction(async inside => {
      const waiting = await inside.all<{ id: string; revision: number }>(
        sql,
        JSON.stringify(documentIds),
      )
      for (const document of waiting) await this.#cancel(inside, toJobId(document))
    })
  }

  async retry(id: string): Promise<Job> {
    return await this.#catalog.transaction(async inside => {
      const job = await this.#get(inside, id)
      if (job.state !== 'failed' && job.state !== 'cancelled')
        throw createEndedError(job, 'tried again')
      if (job.documentId === undefined) {
        await (isSourceJob(id) ? retrySourceRun : retryReEmbedding)(inside, id)
        return await this.#get(inside, id)
      }
      const changed = await inside.run(
        `UPDATE documents SET status = 'in_progress', revision = revision + 1, error = NULL, failed_stages = NULL
         WHERE id = ? AND status IN ('failed', 'cancelled')`,
        job.documentId,
      )
      if (changed === 0) throw createEndedError(job, 'tried again')
      const row = await inside.get<Row>(
        `SELECT * FROM (${JOBS}) AS every WHERE document_id = ? AND state = 'queued'`,
        job.documentId,
      )
      return toJob(row!)
    })
  }

  /**
   * Queues the jobs of a killed process again. Requires the writer lease; living helpers
   * continue.
   */
  async releaseAbandoned(collectionId: string): Promise<void> {
    await this.#catalog.run(
      `DELETE FROM jobs WHERE state = 'running' AND collection_id = ?
       AND (worker IS NULL OR NOT EXISTS (SELECT 1 FROM leases WHERE leases.name = worker))`,
      collectionId,
    )
  }

  async prune(): Promise<void> {
    await this.#catalog.run(
      `DELETE FROM jobs WHERE finished_at < ? OR NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = jobs.document_id)`,
      Date.now() - KEEP_MS,
    )
  }

  async #cancel(inside: Statements, id: string): Promise<Job> {
    const job = await this.#get(inside, id)
    if (hasEnded(job)) throw createEndedError(job, 'cancelled')
    if (job.documentId === undefined) {
      if (isSourceJob(id)) await cancelSourceRun(inside, id)
      else await endReEmbedding(inside, id, 'cancelled')
      return await this.#get(inside, id)
    }
    const sql = `UPDATE documents SET status = 'cancelled', revision = revision + 1
      WHERE id = ?1 AND status = 'in_progress' AND ?2 = 'job_' || substr(id, 5) || '_' || revision`
    if ((await inside.run(sql, job.documentId, id)) === 0) throw createEndedError(job, 'cancelled')
    await inside.run(
      `INSERT INTO jobs VALUES (?, ?, ?, ?, 'cancelled', NULL, 0, NULL, ?, ?, ?, NULL, NULL)
       ON CONFLICT (id) DO UPDATE SET state = 'cancelled', finished_at = excluded.finished_at`,
      job.id,
      job.documentId,
      job.collectionId,
      job.source,
      Date.now(),
      Date.now(),
      Date.now(),
    )
    const { documentId, collectionId, source } = job
    await recordEvents(inside, [
      { type: 'job.cancelled', jobId: id, documentId, collectionId, source },
    ])
    return await this.#get(inside, id)
  }

  /**
   * Shows running jobs of a killed process as queued. Reads those twice: a run releases its
   * lease after its last job.
   */
  async #readJobs(
    inside: Statements,
    read: () => Promise<readonly Row[]>,
  ): Promise<readonly Job[]> {
    const first = await read()
    const before = await this.#findAbandoned(inside, first)
    const rows = before.size > 0 ? await read() : first
    const abandoned = before.size > 0 ? await this.#findAbandoned(inside, rows) : before
    return rows.map(row =>
      toJob(
        abandoned.has(row.id)
          ? { ...row, state: 'queued', stage: null, done: 0, total: null }
          : row,
      ),
    )
  }

  async #findAbandoned(inside: Statements, rows: readonly Row[]): Promise<ReadonlySet<string>> {
    const running = rows.filter(({ state }) => state === 'running')
    const written = running.filter(({ id }) => !isSourceJob(id))
    const unattended = await this.#findUnattended(
      inside,
      written.map(row => row.collection_id),
    )
    const abandoned = new Set(
      written.filter(row => unattended.has(row.collection_id)).map(({ id }) => id),
    )
    for (const { id } of running) {
      if (isSourceJob(id) && !(await isLeased(inside, getSourceLease(id.slice(SOURCE_JOB.length)))))
        abandoned.add(id)
    }
    return abandoned
  }

  async #findUnattended(
    inside: Statements,
    collectionIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const unattended = new Set<string>()
    for (const id of new Set(collectionIds))
      if (!(await this.#isWorkedOn(inside, id))) unattended.add(id)
    return unattended
  }

  async #get(inside: Statements, id: string): Promise<Job> {
    const job = await this.find(id, inside)
    if (job) return job
    throw new AppError('not_found', localizable`There is no job ${id}.`, {
      about: id,
      advice: 'See passim jobs.',
    })
  }
}

export function hasEnded({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'queued' && state !== 'running'
}

export async function* watchJob(jobs: Jobs, id: string, signal: AbortSignal): AsyncGenerator<Job> {
  let last: Job | undefined
  for (;;) {
    signal.throwIfAborted()
    const job = (await jobs.find(id)) ?? (last && { ...last, state: 'cancelled' as const })
    if (!job) return
    if (JSON.stringify(job) !== JSON.stringify(last)) yield job
    if (hasEnded(job)) return
    last = job
    await sleep(WATCH_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

function createEndedError(job: Job, what: string): AppError {
  return new AppError(
    'conflict',
    localizable`Job ${job.id} cannot be ${what}: it is ${job.state}, or its document has changed since.`,
  )
}

function toJob(row: Row): Job {
  const elapsedMs = Date.now() - row.stage_at
  const remainingSeconds =
    row.state === 'running' && row.total && row.done > 0
      ? ((elapsedMs / row.done) * (row.total - row.done)) / 1000
      : undefined
  return {
    id: row.id,
    ...(row.document_id !== null && { documentId: row.document_id }),
    collectionId: row.collection_id,
    source: row.source,
    state: row.state,
    ...(row.stage && { stage: row.stage }),
    done: row.done,
    ...(row.total !== null && { total: row.total }),
    ...(remainingSeconds !== undefined && { secondsLeft: Math.round(remainingSeconds) }),
    ...(row.state !== 'queued' && { startedAt: row.started_at }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.state === 'failed' &&
      row.error && { error: unpackMessages(parseOwnJson<Failure>(row.error)) }), // in a running job it is a helper's verdict
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
