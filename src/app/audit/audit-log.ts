import { hash } from 'node:crypto'
import { appendFile, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../config.ts'
import { getSystemCode } from '../../errors.ts'
import { makeFolder } from '../../system/disk.ts'

/** Lines in memory before requests wait; protects memory. */
const MAX_WAITING = 1_000

/** Short, so that waiting requests continue soon after space is free. */
const RETRY_MS = 1_000

/** Bytes of a file, so that verification can read it at once. */
const MAX_FILE_BYTES = 64 * 2 ** 20

/** Lines encoded at once, so that requests are not delayed. */
const MAX_BATCH = 32

/** Short, so that another process's first line is soon seen. */
const LOOK_MS = 20

/** A file without a line is older only after a crash; protects from waiting for it. */
const FIRST_LINE_MS = 5_000

const DAY_MS = 24 * 60 * 60 * 1000

/** Files of a day, numbered without gaps; each has the number and hash of its last line beside it. */
const AUDIT_FILE = /^(\d{8})\.jsonl$/

type AuditSettings = NonNullable<Settings['server']['audit']>

type OnError = (message: string, error: unknown) => void

/** Appends lines in the background, each with the hash of the line before, also across files. */
export class AuditLog {
  readonly settings: AuditSettings
  readonly #folder: string
  readonly #onError: OnError
  #waiting: object[] = []
  #writing: Promise<void> | undefined
  #day = -1
  #isClosed = false
  #file = ''
  #sequence = 0
  #bytes = 0
  #last = ''

  constructor(home: string, settings: AuditSettings, onError: OnError) {
    this.settings = settings
    this.#folder = getAuditFolder(home)
    this.#onError = onError
  }

  write(event: object): void {
    this.#waiting.push(event)
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  /** Resolves once there is room for further lines. */
  async waitForRoom(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length >= MAX_WAITING) await sleep(RETRY_MS / 10, undefined, { signal })
  }

  /** Tries to write what waits once more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    let isFailing = false
    while (this.#waiting.length > 0) {
      const count = Math.min(this.#waiting.length, MAX_BATCH)
      try {
        await this.#append(this.#waiting.slice(0, count))
        this.#waiting = this.#waiting.slice(count)
        isFailing = false
      } catch (error) {
        this.#day = -1 // a line may be cut: continue in another file
        if (this.#isClosed)
          return this.#onError(
            `Lines of the audit log that could not be written: ${this.#waiting.length}.`,
            error,
          )
        if (!isFailing) this.#onError('Cannot write the audit log. It is tried again.', error)
        isFailing = true
        await sleep(RETRY_MS)
      }
    }
  }

  async #append(events: readonly object[]): Promise<void> {
    const day = Math.floor(Date.now() / DAY_MS)
    if (day !== this.#day || this.#bytes > MAX_FILE_BYTES) await this.#startFile(day)
    let text = ''
    let { last, sequence } = { last: this.#last, sequence: this.#sequence }
    for (const event of events) {
      const line = JSON.stringify({ ...event, unmapped: { ...getUnmapped(event), previous: last } })
      last = hashLine(line)
      sequence++
      text += `${line}\n`
    }
    await appendFile(this.#file, text)
    this.#last = last
    this.#sequence = sequence
    this.#bytes += Buffer.byteLength(text)
    await writeFile(getHeadFile(this.#file), JSON.stringify({ lines: sequence, hash: last }))
  }

  async #startFile(day: number): Promise<void> {
    await makeFolder(this.#folder, 0o700)
    await this.#removeOld()
    const { file, last } = await this.#createFile()
    this.#file = file
    this.#sequence = 0
    this.#bytes = 0
    this.#last = last === undefined ? '' : hashLine(last)
    this.#day = day
  }

  /** Waits for the first line of a file that another process has just created, to chain to it. */
  async #createFile(): Promise<{ readonly file: string; readonly last: string | undefined }> {
    for (;;) {
      const newest = (await listAuditFiles(this.#folder)).at(-1)
      const last = newest ? (await readLines(newest)).at(-1) : undefined
      const isStarted = newest && last === undefined && (await isYoung(newest))
      const number = newest ? Number(path.basename(newest, '.jsonl')) + 1 : 1
      const file = path.join(this.#folder, `${String(number).padStart(8, '0')}.jsonl`)
      if (!isStarted && (await createEmpty(file))) return { file, last }
      await sleep(LOOK_MS)
    }
  }

  async #removeOld(): Promise<void> {
    const oldest = Date.now() - this.settings.keepDays * DAY_MS
    for (const file of (await listAuditFiles(this.#folder)).slice(0, -1)) {
      if ((await stat(file)).mtimeMs >= oldest) return
      await rm(file)
      await rm(getHeadFile(file), { force: true })
    }
  }
}

/** Returns false if another process was faster. */
async function createEmpty(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (getSystemCode(error) !== 'EEXIST') throw error
    return false
  }
}

async function isYoung(file: string): Promise<boolean> {
  return Date.now() - (await stat(file)).mtimeMs < FIRST_LINE_MS
}

function getUnmapped(event: object): object {
  return 'unmapped' in event && typeof event.unmapped === 'object' ? { ...event.unmapped } : {}
}

export function getAuditFolder(home: string): string {
  return path.join(home, 'audit')
}

export function getHeadFile(file: string): string {
  return file.replace(/jsonl$/, 'head')
}

export function hashLine(line: string): string {
  return hash('sha256', line)
}

/** Oldest first; none without a folder. */
export async function listAuditFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (getSystemCode(error) === 'ENOENT') return []
    throw error
  })
  return names
    .filter(name => AUDIT_FILE.test(name))
    .toSorted()
    .map(name => path.join(folder, name))
}

/** Omits a line without an end, which a crash cut. */
export async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').slice(0, -1)
}
