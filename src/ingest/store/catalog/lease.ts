import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, toAppError } from '../../../errors.ts'
import { newId } from '../../../system/digest.ts'
import { isRunning, pidSpace, processStart } from '../../../system/living-process.ts'
import { CATALOG_NOW, type Statements, type Tables } from '../catalog.ts'

/** How long a lease lives without a heartbeat: only a holder on another host is ever waited for that long. */
const LEASE_MS = 30_000
const HEARTBEAT_MS = 10_000
/** A holder that could not renew it for so long counts it as lost: some time before another may take it. */
const KEEP_MS = 25_000
const POLL_MS = 100

export type LeaseRow = {
  token: string
  host: string
  boot_id: string
  pid: number
  started: string
  ms_left: number
}

/** The right to do one thing alone, until released. `lost` aborts when another process has taken it over, or soon could. */
export type Lease = {
  readonly lost: AbortSignal
  /** Taken over from a process that died with it. */
  readonly isInherited: boolean
  release(): Promise<void>
}

export type LeaseWait = {
  readonly signal?: AbortSignal | undefined
  /** Called once when somebody else holds the lease. */
  readonly onWait?: ((holder: { host: string; pid: number }) => void) | undefined
  /** What messages call it, where that is not its name. */
  readonly label?: string | undefined
  /** Throw `conflict` at once instead of waiting. */
  readonly noWait?: boolean | undefined
  /** Asked while waiting: true when there is nothing left to wait for. */
  readonly isPointless?: (() => Promise<boolean>) | undefined
}

/** Leases in the catalog, shared by all processes that use the store. */
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
  readonly #held = new Set<() => Promise<void>>()

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** The lease, or undefined while a living process holds it. A holder that died on this host is replaced at once. */
  async tryAcquire(name: string): Promise<Lease | undefined> {
    const holder = await holderOf(this.#catalog, name) // who waits asks often, and would write each time
    if (holder && isAlive(holder)) return undefined
    const token = newId('')
    const before = await this.#catalog.transaction(async inside => {
      const row = await holderOf(inside, name)
      if (row && isAlive(row)) return 'held'
      await take(inside, name, token)
      return row ? 'dead' : 'free'
    })
    return before === 'held' ? undefined : this.#hold(name, token, before === 'dead')
  }

  /** Wait until the lease is free; undefined when waiting has become pointless. */
  async acquire(name: string, options: LeaseWait): Promise<Lease | undefined> {
    const { signal, onWait, noWait, isPointless, label = name } = options
    for (let waited = false; ; waited = true) {
      const lease = await this.tryAcquire(name)
      if (lease) return lease
      const holder = await holderOf(this.#catalog, name)
      if (noWait) throw busy(label, holder?.pid, 'It goes on with what is queued.')
      if (!waited && holder) onWait?.(holder)
      if (waited && (await isPointless?.())) return undefined
      await sleep(POLL_MS, undefined, { signal })
    }
  }

  /** Throws `conflict` while a living process holds it: for who will not wait, before it does anything. */
  async requireFree(name: string, label: string): Promise<void> {
    const row = await holderOf(this.#catalog, name)
    if (row && isAlive(row)) throw busy(label, row.pid, 'Nothing was queued; try again later.')
  }

  /** Some living process has it. */
  async isHeld(name: string): Promise<boolean> {
    return await isHeld(this.#catalog, name)
  }

  /** In a copy of a catalog: who holds something in the original holds nothing here. */
  async forgetAll(): Promise<void> {
    await this.#catalog.run('DELETE FROM leases')
  }

  /** Give back whatever this process still holds, before the catalog is closed. */
  async releaseAll(): Promise<void> {
    for (const release of [...this.#held]) await release()
  }

  /** What keeps the lease from being renewed: a catalog that is busy or full may not be so at the next beat. */
  async #renew(name: string, token: string): Promise<'taken' | AppError | undefined> {
    try {
      const sql = `UPDATE leases SET expires_at = ${CATALOG_NOW} + ? WHERE name = ? AND token = ?`
      return (await this.#catalog.run(sql, LEASE_MS, name, token)) > 0 ? undefined : 'taken'
    } catch (error) {
      const { code, message } = toAppError(error)
      return new AppError(
        code === 'internal' ? 'conflict' : code,
        `Cannot keep ${name}: ${message}.`,
        { cause: error },
      )
    }
  }

  #hold(name: string, token: string, isInherited: boolean): Lease {
    const lost = new AbortController()
    let failure = new AppError(
      'store_unavailable',
      `Cannot keep ${name}: the catalog does not answer.`,
    )
    let isBeating = false
    const lose = (reason: AppError) => {
      stop()
      lost.abort(reason)
    }
    const keepFor = (ms: number) => setTimeout(() => lose(failure), ms).unref()
    let deadline = keepFor(KEEP_MS)
    const beat = async () => {
      const begunAt = performance.now()
      const problem = await this.#renew(name, token)
      if (lost.signal.aborted || !this.#held.has(release)) return
      if (problem === 'taken')
        return lose(new AppError('conflict', `Another process took over ${name}.`))
      if (problem) {
        failure = problem
        return
      }
      clearTimeout(deadline)
      deadline = keepFor(KEEP_MS - (performance.now() - begunAt))
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
      if (this.#held.delete(release))
        await this.#catalog.run('DELETE FROM leases WHERE name = ? AND token = ?', name, token)
    }
    this.#held.add(release)
    return { lost: lost.signal, isInherited, release }
  }
}

/** Some living process has it: for who looks within a transaction. */
export async function isHeld(catalog: Statements, name: string): Promise<boolean> {
  const row = await holderOf(catalog, name)
  return row !== undefined && isAlive(row)
}

/** What is selected of a lease to see whether its holder lives. */
export const LEASE_ROW = `leases.*, leases.expires_at - ${CATALOG_NOW} AS ms_left`

async function holderOf(catalog: Statements, name: string): Promise<LeaseRow | undefined> {
  return await catalog.get<LeaseRow>(`SELECT ${LEASE_ROW} FROM leases WHERE name = ?`, name)
}

async function take(catalog: Statements, name: string, token: string): Promise<void> {
  await catalog.run(
    `INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ${CATALOG_NOW} + ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token,
     host = excluded.host, boot_id = excluded.boot_id, pid = excluded.pid, started = excluded.started, expires_at = excluded.expires_at`,
    name,
    token,
    hostname(),
    pidSpace(),
    process.pid,
    processStart(process.pid) ?? '',
    LEASE_MS,
  )
}

function busy(label: string, pid: number | undefined, advice: string): AppError {
  return new AppError('conflict', `The ${label} is process ${pid}, which is at work. ${advice}`)
}

/**
 * On this host a process is asked for itself: same boot, same pid, same start time. Elsewhere only the clock tells, and where the
 * name of the host is the same but not the space of pids: another machine or container may have that name, or this one may have been
 * started since, with its clock set back.
 */
export function isAlive(row: LeaseRow): boolean {
  if (row.host !== hostname()) return row.ms_left > 0
  if (row.boot_id !== pidSpace()) return row.ms_left > 0 && row.ms_left <= LEASE_MS
  if (row.started) return processStart(row.pid) === row.started
  return row.ms_left > 0 && isRunning(row.pid)
}

/** Name of the lease that makes a process the only writer of a collection. */
export function writerLease(collectionId: string): string {
  return `writer of collection ${collectionId}`
}

/** Name of the lease of one who prepares documents for a collection's writer. Numbered, so that the dead leave few behind. */
export function helperLease(collectionId: string, number: number): string {
  return `helper ${number} of collection ${collectionId}`
}

const ATTENDANT = 'attendant '

/** Name of the lease of a service that looks for what waits in the store. Numbered as helpers are. */
export function attendantLease(number: number): string {
  return `${ATTENDANT}${number}`
}

/** Some living process looks for what waits. */
export async function isAttended(catalog: Statements): Promise<boolean> {
  const rows = await catalog.all<LeaseRow>(
    `SELECT ${LEASE_ROW} FROM leases WHERE name LIKE ?`,
    `${ATTENDANT}%`,
  )
  return rows.some(isAlive)
}
