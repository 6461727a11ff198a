import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { getMessages, localizable } from '../../../errors/localizable.ts'
import { AppError, toAppError } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import { isRunning, readPidSpace, readProcessStart } from '../../../system/living-process.ts'
import { CATALOG_NOW, type Statements, type Tables } from '../catalog.ts'

/** Without a heartbeat, so that others wait no longer for a dead holder on another host. */
const LEASE_MS = 30_000
/** Two beats may fail, so that a short outage does not end a lease. */
const HEARTBEAT_MS = 10_000
/** Without a renewal the holder stops, so that it ends before another may begin. */
const KEEP_MS = 25_000
/** Short, so that a free lease is soon acquired. */
const POLL_MS = 100

export type LeaseRow = {
  token: string
  host: string
  boot_id: string
  pid: number
  started: string
  ms_left: number
}

/** `lost` aborts before another process may acquire it. */
export type Lease = {
  readonly lost: AbortSignal
  readonly isInherited: boolean
  release(): Promise<void>
}

export type LeaseWait = {
  readonly signal?: AbortSignal | undefined
  /** Called once if another process has it. */
  readonly onWait?: ((holder: { host: string; pid: number }) => void) | undefined
  /** Default: the lease's name. */
  readonly label?: string | undefined
  /** Throw `conflict` instead of waiting. */
  readonly noWait?: boolean | undefined
  /** Checked while waiting; true ends the wait. */
  readonly isPointless?: (() => Promise<boolean>) | undefined
}

export class Leases {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE leases (
    name TEXT PRIMARY KEY, token TEXT NOT NULL, host TEXT NOT NULL, boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL, started TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
    ],
  }

  readonly #catalog: Statements
  readonly #releases = new Set<() => Promise<void>>()

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /**
   * Returns undefined while a living process holds it. Replaces a holder that died on this
   * host.
   */
  async tryAcquire(name: string): Promise<Lease | undefined> {
    const holder = await findHolder(this.#catalog, name) // without a write, as waiting processes poll
    if (holder && isAlive(holder)) return undefined
    const token = createId('')
    const before = await this.#catalog.transaction(async inside => {
      const row = await findHolder(inside, name)
      if (row && isAlive(row)) return 'held'
      await writeLease(inside, name, token)
      return row ? 'dead' : 'free'
    })
    return before === 'held' ? undefined : this.#hold(name, token, before === 'dead')
  }

  async acquire(name: string, options: LeaseWait): Promise<Lease | undefined> {
    const { signal, onWait, noWait, isPointless, label = name } = options
    for (let waited = false; ; waited = true) {
      const lease = await this.tryAcquire(name)
      if (lease) return lease
      const holder = await findHolder(this.#catalog, name)
      if (noWait)
        throw createBusyError(label, holder?.pid, 'It continues with the queued documents.')
      if (!waited && holder) onWait?.(holder)
      if (waited && (await isPointless?.())) return undefined
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  async requireFree(name: string, label: string): Promise<void> {
    const row = await findHolder(this.#catalog, name)
    if (row && isAlive(row))
      throw createBusyError(label, row.pid, 'Nothing was queued; try again later.')
  }

  /** For a copy of a catalog that is in use. */
  async forgetAll(): Promise<void> {
    await this.#catalog.run('DELETE FROM leases')
  }

  /** Call it before the catalog is closed. */
  async releaseAll(): Promise<void> {
    for (const release of [...this.#releases]) await release()
  }

  /** Returns an error if a busy or full catalog may answer at the next beat. */
  async #renew(name: string, token: string): Promise<'taken' | AppError | undefined> {
    try {
      const sql = `UPDATE leases SET expires_at = ${CATALOG_NOW} + ? WHERE name = ? AND token = ?`
      return (await this.#catalog.run(sql, LEASE_MS, name, token)) > 0 ? undefined : 'taken'
    } catch (error) {
      const cause = toAppError(error)
      const { code } = cause
      return new AppError(
        code === 'internal' ? 'conflict' : code,
        localizable`Cannot keep ${name}: ${getMessages(cause).message}.`,
        { cause: error },
      )
    }
  }

  #hold(name: string, token: string, isInherited: boolean): Lease {
    const lost = new AbortController()
    let failure = new AppError(
      'store_unavailable',
      localizable`Cannot keep ${name}: the catalog does not answer.`,
    )
    let isBeating = false
    const lose = (reason: AppError) => {
      stop()
      lost.abort(reason)
    }
    const keepFor = (ms: number) => setTimeout(() => lose(failure), ms).unref()
    let deadline = keepFor(KEEP_MS)
    const beat = async () => {
      const startedAt = performance.now()
      const problem = await this.#renew(name, token)
      if (lost.signal.aborted || !this.#releases.has(release)) return
      if (problem === 'taken')
        return lose(new AppError('conflict', localizable`Another process took over ${name}.`))
      if (problem) {
        failure = problem
        return
      }
      clearTimeout(deadline)
      deadline = keepFor(KEEP_MS - (performance.now() - startedAt))
    }
    const timer = setInterval(() => {
      if (isBeating) return
      isBeating = true
      void beat().finally(() => {
        isBeating = false
      })
    }, HEARTBEAT_MS).unref()
    const stop = () => {
      clearInterval(timer)
      clearTimeout(deadline)
    }
    const release = async () => {
      stop()
      if (this.#releases.delete(release))
        await this.#catalog.run('DELETE FROM leases WHERE name = ? AND token = ?', name, token)
    }
    this.#releases.add(release)
    return { lost: lost.signal, isInherited, release }
  }
}

export async function isLeased(catalog: Statements, name: string): Promise<boolean> {
  const row = await findHolder(catalog, name)
  return row !== undefined && isAlive(row)
}

export const LEASE_ROW = `leases.*, leases.expires_at - ${CATALOG_NOW} AS ms_left`

async function findHolder(catalog: Statements, name: string): Promise<LeaseRow | undefined> {
  return await catalog.get<LeaseRow>(`SELECT ${LEASE_ROW} FROM leases WHERE name = ?`, name)
}

async function writeLease(catalog: Statements, name: string, token: string): Promise<void> {
  await catalog.run(
    `INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ${CATALOG_NOW} + ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token,
     host = excluded.host, boot_id = excluded.boot_id, pid = excluded.pid, started = excluded.started, expires_at = excluded.expires_at`,
    name,
    token,
    hostname(),
    readPidSpace(),
    process.pid,
    readProcessStart(process.pid) ?? '',
    LEASE_MS,
  )
}

function createBusyError(label: string, pid: number | undefined, advice: string): AppError {
  return new AppError('conflict', localizable`Process ${pid} is working as the ${label}. ${advice}`)
}

/**
 * Judges by boot, pid and start time on this host, else, as for a container of the same name, by
 * the clock.
 */
export function isAlive(row: LeaseRow): boolean {
  if (row.host !== hostname()) return row.ms_left > 0
  if (row.boot_id !== readPidSpace()) return row.ms_left > 0 && row.ms_left <= LEASE_MS
  if (row.started) return readProcessStart(row.pid) === row.started
  return row.ms_left > 0 && isRunning(row.pid)
}

export function getWriterLease(collectionId: string): string {
  return `writer of collection ${collectionId}`
}

export function getHelperLease(collectionId: string, number: number): string {
  return `helper ${number} of collection ${collectionId}`
}

export function getSourceLease(name: string): string {
  return `source ${name}`
}

/** Stored in leases, where other versions look for it. */
const WORKER_PREFIX = 'attendant '

export function getWorkerLease(number: number): string {
  return `${WORKER_PREFIX}${number}`
}

export function runLease(collectionId: string, number: number): string {
  return `${formatRunPrefix(collectionId)}${number}`
}

function formatRunPrefix(collectionId: string): string {
  return `run on collection ${collectionId} `
}

export async function hasWorker(catalog: Statements): Promise<boolean> {
  return (await countAcquired(catalog, WORKER_PREFIX)) > 0
}

export async function countRuns(catalog: Statements, collectionId: string): Promise<number> {
  return await countAcquired(catalog, formatRunPrefix(collectionId))
}

async function countAcquired(catalog: Statements, prefix: string): Promise<number> {
  const rows = await catalog.all<LeaseRow>(
    `SELECT ${LEASE_ROW} FROM leases WHERE name LIKE ?`,
    `${prefix}%`,
  )
  return rows.filter(isAlive).length
}
