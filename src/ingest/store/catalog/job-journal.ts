import { packMessages } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements } from '../catalog.ts'
import type { Stage } from './document.ts'
import type { RequestedDocument } from './documents.ts'
import { recordEvents } from './events.ts'
import { isAlive, LEASE_ROW, type LeaseRow } from './lease.ts'

export function toJobId({ id, revision }: Pick<RequestedDocument, 'id' | 'revision'>): string {
  return `job_${id.slice('doc_'.length)}_${revision}`
}

type Note = {
  readonly requested: RequestedDocument
  readonly startedAt: number
  stage?: Stage
  /** Start of the stage; estimates its speed. */
  stageAt: number
  done: number
  total?: number
  isWritten: boolean
  verdict?: Verdict
}

/**
 * Why a helper could not prepare a document, and the key of the attempt, which would fail
 * again.
 */
export type Verdict = { readonly failure: Failure; readonly attempt: string }

type StageProgress = { readonly stage: Stage; readonly done: number; readonly total?: number }

/** `helper` is this process's lease; the writer has none. */
type SharedQueue = { readonly collectionId: string; readonly helper?: string | undefined }

type RunningRow = { id: string; document_id: string; worker: string | null; is_wanted: number } & (
  | LeaseRow
  | { token: null }
)

/** Also returns whether the document is still requested unchanged. */
const RUNNING = `SELECT ${LEASE_ROW}, jobs.id, jobs.document_id, jobs.worker, EXISTS (SELECT 1 FROM documents
    WHERE documents.id = jobs.document_id AND status = 'in_progress'
    AND jobs.id = 'job_' || substr(documents.id, 5) || '_' || revision) AS is_wanted
  FROM jobs LEFT JOIN leases ON leases.name = jobs.worker WHERE collection_id = ? AND state = 'running'`

/**
 * Writes progress a few times a second. In a shared queue a running job is a claim, written at
 * once. Claims only save work: equal output is published once.
 */
export class JobJournal {
  readonly #catalog: Statements
  readonly #shared: SharedQueue | undefined
  readonly #notes = new Map<string, Note>()

  constructor(catalog: Statements, shared?: SharedQueue) {
    this.#catalog = catalog
    this.#shared = shared
  }

  /** Claims the document in a shared queue. Returns false if another process has it. */
  async start(requested: RequestedDocument): Promise<boolean> {
    const now = Date.now()
    const note: Note = {
      requested,
      startedAt: now,
      stageAt: now,
      done: 0,
      isWritten: !!this.#shared,
    }
    if (this.#shared) {
      const claimed = await this.#claim(requested, now)
      if (!claimed) return false
      if (claimed.error) note.verdict = parseOwnJson<Verdict>(claimed.error)
    }
    this.#notes.set(toJobId(requested), note)
    return true
  }

  findVerdict(requested: RequestedDocument): Verdict | undefined {
    return this.#notes.get(toJobId(requested))?.verdict
  }

  /**
   * Lists claims of living helpers, and removes those of dead ones; for a helper, also the
   * writer's and prepared documents.
   */
  async refreshClaims(): Promise<ReadonlySet<string>> {
    if (!this.#shared) return new Set()
    const { collectionId, helper = null } = this.#shared
    const running = await this.#catalog.all<RunningRow>(RUNNING, collectionId)
    const over = new Set(running.filter(row => this.#isOver(row)).map(({ id }) => id))
    const sql = `DELETE FROM jobs WHERE state = 'running' AND id IN (SELECT value FROM json_each(?))`
    if (over.size > 0) await this.#catalog.run(sql, JSON.stringify([...over]))
    const had = running.filter(
      ({ id, worker, is_wanted }) => worker !== helper && is_wanted === 1 && !over.has(id),
    )
    return new Set(had.map(row => row.document_id))
  }

  /** Leaves a document that a helper prepared, or could not, to the writer. */
  async handOver(requested: RequestedDocument, verdict?: Verdict): Promise<void> {
    this.#notes.delete(toJobId(requested))
    const sql = `UPDATE jobs SET worker = NULL, error = ? WHERE id = ? AND state = 'running' AND worker = ?`
    await this.#catalog.run(
      sql,
      verdict ? JSON.stringify(verdict) : null,
      toJobId(requested),
      this.#shared?.helper,
    )
  }

  noteProgress(requested: RequestedDocument, { stage, done, total }: StageProgress): void {
    const note = this.#notes.get(toJobId(requested))
    if (!note) return
    if (note.stage !== stage) note.stageAt = Date.now()
    Object.assign(note, { stage, done, total, isWritten: false })
  }

  /** Keeps a cancelled job cancelled. */
  async writeDown(): Promise<void> {
    const fresh = [...this.#notes.values()].filter(note => !note.isWritten)
    if (fresh.length === 0) return
    await this.#catalog.transaction(async inside => {
      for (const note of fresh) {
        const isOurs = this.#notes.get(toJobId(note.requested)) === note // it may have been put back meanwhile
        if (isOurs) await this.#upsert(inside, note, 'running', { finishedAt: null })
      }
    })
    for (const note of fresh) note.isWritten = true
  }

  /** Call it inside the transaction that decides how the document ended. */
  async finish(
    catalog: Statements,
    requested: RequestedDocument,
    state: 'completed' | 'failed',
    error?: Failure,
  ): Promise<void> {
    const now = Date.now()
    const note = this.#notes.get(toJobId(requested)) ?? {
      requested,
      startedAt: now,
      stageAt: now,
      done: 0,
    }
    await this.#upsert(catalog, note, state, { finishedAt: now, error })
    this.#notes.delete(toJobId(requested))
    const facts = { ...getFacts(requested), error }
    await recordEvents(catalog, [
      { type: `document.${state}`, ...facts },
      { type: `job.${state}`, jobId: toJobId(requested), ...facts },
    ])
  }

  /** Forgets the job of a document that stays queued. */
  async putBack(catalog: Statements, requested: RequestedDocument): Promise<void> {
    this.#notes.delete(toJobId(requested))
    await catalog.run(`DELETE FROM jobs WHERE id = ? AND state = 'running'`, toJobId(requested))
  }

  async drop(catalog: Statements, requested: RequestedDocument): Promise<void> {
    this.#notes.delete(toJobId(requested))
    const sql = `UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'running'`
    if ((await catalog.run(sql, Date.now(), toJobId(requested))) === 0) return
    const event = { jobId: toJobId(requested), ...getFacts(requested) }
    await recordEvents(catalog, [{ type: 'job.cancelled', ...event }])
  }

  /** Forgets all jobs, whose documents stay queued. */
  async release(): Promise<void> {
    const ids = [...this.#notes.keys()]
    this.#notes.clear()
    const sql = `DELETE FROM jobs WHERE state = 'running' AND id IN (SELECT value FROM json_each(?))`
    if (ids.length > 0) await this.#catalog.run(sql, JSON.stringify(ids))
  }

  /** Restarts a job that ended with its document unchanged; a handed-over one keeps its verdict. */
  async #claim(
    requested: RequestedDocument,
    now: number,
  ): Promise<{ readonly error: string | null } | undefined> {
    const sql = `INSERT INTO jobs (id, document_id, collection_id, source, state, done, stage_at, started_at, worker)
      SELECT ?1, documents.id, collection_id, source, 'running', 0, CAST(?2 AS BIGINT), CAST(?2 AS BIGINT), ?3 FROM documents
      WHERE documents.id = ?4 AND revision = ?5 AND status = 'in_progress'
      ON CONFLICT (id) DO UPDATE SET state = 'running', stage = NULL, done = 0, total = NULL, stage_at = excluded.stage_at,
      started_at = excluded.started_at, finished_at = NULL, error = CASE WHEN jobs.state = 'running' THEN jobs.error END,
      worker = excluded.worker
      WHERE jobs.state <> 'running' OR coalesce(jobs.worker, '') = coalesce(excluded.worker, '') RETURNING error`
    const { id, revision } = requested
    return await this.#catalog.get(
      sql,
      toJobId(requested),
      now,
      this.#shared?.helper ?? null,
      id,
      revision,
    )
  }

  #isOver(row: RunningRow): boolean {
    if (row.worker !== null) return row.token === null || !isAlive(row)
    return this.#shared?.helper === undefined && row.is_wanted === 0 && !this.#notes.has(row.id)
  }

  async #upsert(
    catalog: Statements,
    note: Omit<Note, 'isWritten'>,
    state: string,
    { finishedAt, error }: Ending,
  ): Promise<void> {
    const { requested, startedAt, stage, stageAt, done, total } = note
    await catalog.run(
      `INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, stage = excluded.stage, done = excluded.done,
       total = excluded.total, stage_at = excluded.stage_at, started_at = excluded.started_at,
       finished_at = excluded.finished_at, error = excluded.error WHERE jobs.state = 'running'
       AND (excluded.state <> 'running' OR coalesce(jobs.worker, '') = coalesce(excluded.worker, ''))`,
      toJobId(requested),
      requested.id,
      requested.collectionId,
      requested.source,
      state,
      stage ?? null,
      done,
      total ?? null,
      stageAt,
      startedAt,
      finishedAt,
      error ? JSON.stringify(packMessages(error)) : null,
      this.#shared?.helper ?? null,
    )
  }
}

function getFacts({ id, collectionId, source }: RequestedDocument) {
  return { documentId: id, collectionId, source }
}

type Ending = { readonly finishedAt: number | null; readonly error?: Failure | undefined }
