import { packMessages, unpackMessages } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Statements, Tables } from '../catalog.ts'
import { recordEvents } from './events.ts'

/** `running` without a lease: its process died, and the next one resumes. */
type SourceRunState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

type SourceFailure = { readonly source: string; readonly error: Failure }

export type SourceRun = {
  readonly name: string
  /** Contains its documents, until a run has moved them; empty before the first run. */
  readonly collectionId: string
  readonly state: SourceRunState
  readonly done: number
  readonly startedAt: number
  readonly finishedAt?: number
  readonly totals?: Readonly<Record<string, number>>
  readonly failures: readonly SourceFailure[]
  readonly error?: Failure
}

export type SourceOutcome = Pick<SourceRun, 'totals' | 'failures' | 'error'> &
  Partial<Pick<SourceRun, 'collectionId'>>

type Row = {
  name: string
  collection_id: string
  state: SourceRunState
  done: number
  started_at: number
  finished_at: number | null
  totals: string | null
  failures: string | null
  error: string | null
}

export const SOURCE_JOB = 'sync_'

export function isSourceJob(id: string): boolean {
  return id.startsWith(SOURCE_JOB)
}

/** Few, so that a row stays below 20 KB. */
const MAX_FAILURES = 20

export class SourceRuns {
  static readonly tables: Tables = {
    25: [
      `CREATE TABLE source_runs (
    name TEXT PRIMARY KEY, collection_id TEXT NOT NULL, state TEXT NOT NULL, done INTEGER NOT NULL, started_at INTEGER NOT NULL,
    finished_at INTEGER, totals TEXT, failures TEXT, error TEXT
  ) WITHOUT ROWID`,
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async list(): Promise<readonly SourceRun[]> {
    return (await this.#catalog.all<Row>('SELECT * FROM source_runs ORDER BY name')).map(toRun)
  }

  async find(name: string): Promise<SourceRun | undefined> {
    const row = await this.#catalog.get<Row>('SELECT * FROM source_runs WHERE name = ?', name)
    return row && toRun(row)
  }

  async request(name: string): Promise<void> {
    await this.#catalog.run(
      `INSERT INTO source_runs VALUES (?1, '', 'queued', 0, ?2, NULL, NULL, NULL, NULL) ON CONFLICT (name) DO UPDATE SET
       state = 'queued', done = 0, started_at = excluded.started_at WHERE source_runs.state != 'running'`,
      name,
      Date.now(),
    )
  }

  async start(name: string): Promise<void> {
    await this.#catalog.run(
      `INSERT INTO source_runs VALUES (?1, '', 'running', 0, ?2, NULL, NULL, NULL, NULL) ON CONFLICT (name) DO UPDATE SET
       state = 'running', done = 0, started_at = excluded.started_at, finished_at = NULL`,
      name,
      Date.now(),
    )
  }

  /** Leaves a collection that still has its documents. */
  async setCollection(name: string, collectionId: string): Promise<void> {
    const sql =
      'UPDATE source_runs SET collection_id = ? WHERE name = ? AND collection_id NOT IN (SELECT id FROM collections)'
    await this.#catalog.run(sql, collectionId, name)
  }

  /** Returns false once the run was cancelled. */
  async recordProgress(name: string, done: number): Promise<boolean> {
    const sql = `UPDATE source_runs SET done = ? WHERE name = ? AND state = 'running'`
    return (await this.#catalog.run(sql, done, name)) > 0
  }

  async end(name: string, outcome: SourceOutcome): Promise<void> {
    const { totals, failures, error } = outcome
    const first = failures.slice(0, MAX_FAILURES).map(failure => ({
      ...failure,
      error: packMessages(failure.error),
    }))
    const state = error ? 'failed' : 'completed'
    await this.#catalog.transaction(async inside => {
      const row = await inside.get<{ collection_id: string }>(
        `UPDATE source_runs SET state = ?, finished_at = ?, totals = ?, failures = ?, error = ?, collection_id = coalesce(?, collection_id)
         WHERE name = ? AND state = 'running' RETURNING collection_id`,
        state,
        Date.now(),
        totals ? JSON.stringify(totals) : null,
        JSON.stringify(first),
        error ? JSON.stringify(packMessages(error)) : null,
        outcome.collectionId ?? null,
        name,
      )
      if (row) await recordEnd(inside, SOURCE_JOB + name, { state, error, ...row })
    })
  }

  async forget(name: string): Promise<void> {
    await this.#catalog.run('DELETE FROM source_runs WHERE name = ?', name)
  }
}

type End = Pick<Row, 'collection_id'> & {
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly error?: Failure | undefined
}

async function recordEnd(
  inside: Statements,
  jobId: string,
  { state, error, collection_id: collectionId }: End,
): Promise<void> {
  const collection = collectionId === '' ? {} : { collectionId }
  await recordEvents(inside, [{ type: `job.${state}`, jobId, error, ...collection }])
}

/** The run's process notices with its next document. */
export async function cancelSourceRun(inside: Statements, jobId: string): Promise<void> {
  const sql = `UPDATE source_runs SET state = 'cancelled', finished_at = ?
    WHERE name = ? AND state IN ('queued', 'running') RETURNING collection_id`
  const name = jobId.slice(SOURCE_JOB.length)
  const row = await inside.get<Pick<Row, 'collection_id'>>(sql, Date.now(), name)
  if (row) await recordEnd(inside, jobId, { state: 'cancelled', ...row })
}

export async function retrySourceRun(catalog: Statements, jobId: string): Promise<void> {
  const sql = `UPDATE source_runs SET state = 'queued', done = 0, started_at = ? WHERE name = ?`
  await catalog.run(sql, Date.now(), jobId.slice(SOURCE_JOB.length))
}

function toRun(row: Row): SourceRun {
  const failures = parseOwnJson<SourceFailure[]>(row.failures ?? '[]')
  return {
    name: row.name,
    collectionId: row.collection_id,
    state: row.state,
    done: row.done,
    startedAt: row.started_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.totals && { totals: parseOwnJson<Record<string, number>>(row.totals) }),
    failures: failures.map(({ source, error }) => ({ source, error: unpackMessages(error) })),
    ...(row.error && { error: unpackMessages(parseOwnJson<Failure>(row.error)) }),
  }
}
