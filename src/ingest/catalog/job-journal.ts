import type { Failure } from '../../errors.ts'
import type { Statements } from '../catalog.ts'
import type { Stage } from './document.ts'
import type { WantedDocument } from './documents.ts'

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
}

type StageProgress = { readonly stage: Stage; readonly done: number; readonly total?: number }

/**
 * How far the jobs of a run are: noted as it happens, written down a few times a second in one transaction, so that
 * thousands of small documents do not wait for the disk one by one. A crash loses notes only: the queue is elsewhere.
 */
export class JobJournal {
  readonly #catalog: Statements
  readonly #notes = new Map<string, Note>()

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** A document is taken from the queue; after a crash the same job begins again. */
  start(wanted: WantedDocument): void {
    const now = Date.now()
    this.#notes.set(jobId(wanted), { wanted, startedAt: now, stageAt: now, done: 0, isWritten: false })
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
      for (const note of fresh) await upsert(inside, note, 'running', { finishedAt: null })
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
    await upsert(catalog, note, state, { finishedAt: now, error })
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
}

type Ending = { readonly finishedAt: number | null; readonly error?: Failure | undefined }

async function upsert(
  catalog: Statements,
  note: Omit<Note, 'isWritten'>,
  state: string,
  { finishedAt, error }: Ending,
): Promise<void> {
  const { wanted, startedAt, stage, stageAt, done, total } = note
  await catalog.run(
    `INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, stage = excluded.stage, done = excluded.done,
       total = excluded.total, stage_at = excluded.stage_at, started_at = excluded.started_at,
       finished_at = excluded.finished_at, error = excluded.error WHERE jobs.state = 'running'`,
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
  )
}
