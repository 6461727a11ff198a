import type { Failure } from '../../../errors.ts'
import type { Statements } from '../catalog.ts'
import type { Stage } from './document.ts'
import type { WantedDocument } from './documents.ts'
import { isAlive, LEASE_ROW, type LeaseRow } from './lease.ts'

/** Names one indexing of one document: whoever wants something else of it starts another job. */
export function jobId({ id, revision }: Pick<WantedDocument, 'id' | 'revision'>): string {
  return `job_${id.slice('doc_'.length)}_${revision}`
}

type Note = {
  readonly wanted: WantedDocument
  readonly startedAt: number
  stage?: Stage
  /** When the stage began: what its speed is worked out from. */
  stageAt: number
  done: number
  total?: number
  isWritten: boolean
  /** What a helper said that had it before. */
  verdict?: Verdict
}

/** Why a helper could not prepare a document, and what it tried: to try the same again would be no use. */
export type Verdict = { readonly failure: Failure; readonly attempt: string }

type StageProgress = { readonly stage: Stage; readonly done: number; readonly total?: number }

/** A queue that others work on, too: the writer of the collection, who publishes, or a helper, by the name of its lease. */
type SharedQueue = { readonly collectionId: string; readonly helper?: string | undefined }

type RunningRow = { id: string; document_id: string; worker: string | null; is_wanted: number } & (
  | LeaseRow
  | { token: null }
)

/** What is being worked on in a collection, and whether whoever does so lives, and the document is still wanted so. */
const RUNNING = `SELECT ${LEASE_ROW}, jobs.id, jobs.document_id, jobs.worker, EXISTS (SELECT 1 FROM documents
    WHERE documents.id = jobs.document_id AND status = 'in_progress'
    AND jobs.id = 'job_' || substr(documents.id, 5) || '_' || revision) AS is_wanted
  FROM jobs LEFT JOIN leases ON leases.name = jobs.worker WHERE collection_id = ? AND state = 'running'`

/**
 * How far the jobs of a run are: noted as it happens, written down a few times a second in one transaction, so that
 * thousands of small documents do not wait for the disk one by one. A crash loses notes only: the queue is elsewhere.
 * Where others work on the same queue, a running job is its worker's claim to the document, written down at once. Claims save work
 * and nothing else: what is prepared twice is the same, and is published once, by the writer.
 */
export class JobJournal {
  readonly #catalog: Statements
  readonly #shared: SharedQueue | undefined
  readonly #notes = new Map<string, Note>()

  constructor(catalog: Statements, shared?: SharedQueue) {
    this.#catalog = catalog
    this.#shared = shared
  }

  /** A document is taken from the queue; after a crash the same job begins again. False where another has it who shares the queue. */
  async start(wanted: WantedDocument): Promise<boolean> {
    const now = Date.now()
    const note: Note = { wanted, startedAt: now, stageAt: now, done: 0, isWritten: !!this.#shared }
    if (this.#shared) {
      const claimed = await this.#claim(wanted, now)
      if (!claimed) return false
      if (claimed.error) note.verdict = JSON.parse(claimed.error) as Verdict // written by handOver
    }
    this.#notes.set(jobId(wanted), note)
    return true
  }

  /** Of a document that this run has begun with. */
  verdictOn(wanted: WantedDocument): Verdict | undefined {
    return this.#notes.get(jobId(wanted))?.verdict
  }

  /**
   * Documents that others have who share the queue: living helpers, and for a helper the writer, too, also what is prepared and
   * waits for it. What a helper that died had is free again.
   */
  async others(): Promise<ReadonlySet<string>> {
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

  /** A helper is done with it, whatever came of it: the writer's turn, who finds the verdict when it begins. */
  async handOver(wanted: WantedDocument, verdict?: Verdict): Promise<void> {
    this.#notes.delete(jobId(wanted))
    const sql = `UPDATE jobs SET worker = NULL, error = ? WHERE id = ? AND state = 'running' AND worker = ?`
    await this.#catalog.run(
      sql,
      verdict ? JSON.stringify(verdict) : null,
      jobId(wanted),
      this.#shared?.helper,
    )
  }

  progress(wanted: WantedDocument, { stage, done, total }: StageProgress): void {
    const note = this.#notes.get(jobId(wanted))
    if (!note) return
    if (note.stage !== stage) note.stageAt = Date.now()
    Object.assign(note, { stage, done, total, isWritten: false })
  }

  /** Show other processes where the jobs are. One that was cancelled meanwhile stays so. */
  async writeDown(): Promise<void> {
    const fresh = [...this.#notes.values()].filter(note => !note.isWritten)
    if (fresh.length === 0) return
    await this.#catalog.transaction(async inside => {
      for (const note of fresh) {
        const isOurs = this.#notes.get(jobId(note.wanted)) === note // still: it may have been put back while this one waited
        if (isOurs) await this.#upsert(inside, note, 'running', { finishedAt: null })
      }
    })
    for (const note of fresh) note.isWritten = true
  }

  /** Call inside the transaction that decides how the document ended. */
  async finish(
    catalog: Statements,
    wanted: WantedDocument,
    state: 'completed' | 'failed',
    error?: Failure,
  ): Promise<void> {
    const now = Date.now()
    const note = this.#notes.get(jobId(wanted)) ?? { wanted, startedAt: now, stageAt: now, done: 0 }
    await this.#upsert(catalog, note, state, { finishedAt: now, error })
    this.#notes.delete(jobId(wanted))
  }

  /** A part of it is done, and the rest waits its turn in the queue. */
  async putBack(catalog: Statements, wanted: WantedDocument): Promise<void> {
    this.#notes.delete(jobId(wanted))
    await catalog.run(`DELETE FROM jobs WHERE id = ? AND state = 'running'`, jobId(wanted))
  }

  /** Nothing came of it: something else is wanted of the document, or it is gone. */
  async drop(catalog: Statements, wanted: WantedDocument): Promise<void> {
    this.#notes.delete(jobId(wanted))
    const sql = `UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'running'`
    await catalog.run(sql, Date.now(), jobId(wanted))
  }

  /** The run ends: what it did not finish waits again. */
  async release(): Promise<void> {
    const ids = [...this.#notes.keys()]
    this.#notes.clear()
    const sql = `DELETE FROM jobs WHERE state = 'running' AND id IN (SELECT value FROM json_each(?))`
    if (ids.length > 0) await this.#catalog.run(sql, JSON.stringify(ids))
  }

  /** One that ended though the document is still wanted so, as where a lease was lost, begins again; what was handed over keeps its verdict. */
  async #claim(
    wanted: WantedDocument,
    now: number,
  ): Promise<{ readonly error: string | null } | undefined> {
    const sql = `INSERT INTO jobs (id, document_id, collection_id, source, state, done, stage_at, started_at, worker)
      SELECT ?1, documents.id, collection_id, source, 'running', 0, CAST(?2 AS BIGINT), CAST(?2 AS BIGINT), ?3 FROM documents
      WHERE documents.id = ?4 AND revision = ?5 AND status = 'in_progress'
      ON CONFLICT (id) DO UPDATE SET state = 'running', stage = NULL, done = 0, total = NULL, stage_at = excluded.stage_at,
      started_at = excluded.started_at, finished_at = NULL, error = CASE WHEN jobs.state = 'running' THEN jobs.error END,
      worker = excluded.worker
      WHERE jobs.state <> 'running' OR coalesce(jobs.worker, '') = coalesce(excluded.worker, '') RETURNING error`
    const { id, revision } = wanted
    return await this.#catalog.get(
      sql,
      jobId(wanted),
      now,
      this.#shared?.helper ?? null,
      id,
      revision,
    )
  }

  /** Helpers that died have nothing; nor is anybody to have what was handed over and is not wanted any more. */
  #isOver(row: RunningRow): boolean {
    if (row.worker !== null) return row.token === null || !isAlive(row)
    return this.#shared?.helper === undefined && row.is_wanted === 0 && !this.#notes.has(row.id)
  }

  /** Nothing where the job has ended, or another is to write how far it is. */
  async #upsert(
    catalog: Statements,
    note: Omit<Note, 'isWritten'>,
    state: string,
    { finishedAt, error }: Ending,
  ): Promise<void> {
    const { wanted, startedAt, stage, stageAt, done, total } = note
    await catalog.run(
      `INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, stage = excluded.stage, done = excluded.done,
       total = excluded.total, stage_at = excluded.stage_at, started_at = excluded.started_at,
       finished_at = excluded.finished_at, error = excluded.error WHERE jobs.state = 'running'
       AND (excluded.state <> 'running' OR coalesce(jobs.worker, '') = coalesce(excluded.worker, ''))`,
      jobId(wanted),
      wanted.id,
      wanted.collectionId,
      wanted.source,
      state,
      stage ?? null,
      done,
      total ?? null,
      stageAt,
      startedAt,
      finishedAt,
      error ? JSON.stringify(error) : null,
      this.#shared?.helper ?? null,
    )
  }
}

type Ending = { readonly finishedAt: number | null; readonly error?: Failure | undefined }
