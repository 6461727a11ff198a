import { hash } from 'node:crypto'
import { appendFile, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
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

/** Endings of a head file: `writing` belongs to the process that appends, `new` replaces it. */
const HEAD = 'head'
const WRITING = 'writing'
const NEW = 'new'

const headSchema = z.object({ lines: z.int(), hash: z.string() })

type Head = z.output<typeof headSchema>

const EMPTY: Head = { lines: 0, hash: '' }

export type AuditSettings = NonNullable<Settings['server']['audit']>

export type OnError = (message: string, error: unknown) => void

/**
 * Appends lines in the background, each with the hash of the line before, also across files. One
 * process appends to a file; the next continues it, unless the process was killed.
 */
export class AuditLog {
  readonly settings: AuditSettings
  readonly #folder: string
  readonly #onError: OnError
  #waiting: object[] = []
  #writing: Promise<void> | undefined
  #day = -1
  #isClosed = false
  #file: string | undefined
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

  async waitForRoom(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length >= MAX_WAITING) await sleep(RETRY_MS / 10, undefined, { signal })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    await this.#release()
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
        this.#day = -1
        this.#file = undefined // a line may be cut, so nobody continues this file
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
    const isUsable = day === this.#day && this.#bytes <= MAX_FILE_BYTES
    const file = (isUsable ? this.#file : undefined) ?? (await this.#startFile(day))
    let text = ''
    let { last, sequence } = { last: this.#last, sequence: this.#sequence }
    for (const event of events) {
      const line = JSON.stringify({ ...event, unmapped: { ...getUnmapped(event), previous: last } })
      last = hashLine(line)
      sequence++
      text += `${line}\n`
    }
    await appendFile(file, text)
    this.#last = last
    this.#sequence = sequence
    this.#bytes += Buffer.byteLength(text)
    await writeHead(file, { lines: sequence, hash: last })
  }

  async #startFile(day: number): Promise<string> {
    await makeFolder(this.#folder, 0o700)
    await this.#removeOld()
    await this.#release()
    const { file, last, lines } = (await this.#continueFile(day)) ?? (await this.#createFile())
    this.#file = file
    this.#sequence = lines
    this.#bytes = (await stat(file)).size
    this.#last = last
    this.#day = day
    return file
  }

  async #release(): Promise<void> {
    if (this.#file !== undefined) await moveHead(this.#file, WRITING, HEAD)
    this.#file = undefined
  }

  async #continueFile(day: number): Promise<StartedFile | undefined> {
    const file = (await listAuditFiles(this.#folder)).at(-1)
    if (file === undefined) return undefined
    const { mtimeMs, size } = await stat(file)
    if (Math.floor(mtimeMs / DAY_MS) !== day || size > MAX_FILE_BYTES) return undefined
    if (!(await moveHead(file, HEAD, WRITING))) return undefined
    const head = await readHead(file)
    return head && { file, last: head.hash, lines: head.lines }
  }

  /** Waits for the first line of a file that another process has just created, to chain to it. */
  async #createFile(): Promise<StartedFile> {
    for (;;) {
      const files = await listAuditFiles(this.#folder)
      const newest = files.at(-1)
      const isStarted = newest && (await readLastHash(newest)) === '' && (await isYoung(newest))
      const last = await findLastHash(files)
      const number = newest ? Number(path.basename(newest, '.jsonl')) + 1 : 1
      const file = path.join(this.#folder, `${String(number).padStart(8, '0')}.jsonl`)
      if (!isStarted && (await createEmpty(file))) {
        await writeHead(file, EMPTY)
        return { file, last, lines: 0 }
      }
      await sleep(LOOK_MS)
    }
  }

  async #removeOld(): Promise<void> {
    const oldest = Date.now() - this.settings.keepDays * DAY_MS
    for (const file of (await listAuditFiles(this.#folder)).slice(0, -1)) {
      const found = await stat(file).catch(ignoreMissing)
      if (found && found.mtimeMs >= oldest) return
      await rm(file, { force: true })
      for (const ending of [HEAD, WRITING, NEW]) await rm(nameHead(file, ending), { force: true })
    }
  }
}

type StartedFile = { readonly file: string; readonly last: string; readonly lines: number }

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

function nameHead(file: string, ending: string): string {
  return file.replace(/jsonl$/, ending)
}

/** Replaces it at once, so that a crash leaves the old or the new one. */
async function writeHead(file: string, head: Head): Promise<void> {
  await writeFile(nameHead(file, NEW), JSON.stringify(head), { mode: 0o600 })
  await moveHead(file, NEW, WRITING)
}

async function moveHead(file: string, from: string, to: string): Promise<boolean> {
  try {
    await rename(nameHead(file, from), nameHead(file, to))
    return true
  } catch (error) {
    ignoreMissing(error)
    return false
  }
}

function ignoreMissing(error: unknown): undefined {
  if (getSystemCode(error) !== 'ENOENT') throw error
}

export async function readHead(file: string): Promise<Head | undefined> {
  for (const ending of [HEAD, WRITING, HEAD]) {
    try {
      return headSchema.parse(JSON.parse(await readFile(nameHead(file, ending), 'utf8')))
    } catch {} // absent, or not a head
  }
  return undefined
}

async function readLastHash(file: string): Promise<string> {
  const head = await readHead(file)
  if (head?.hash) return head.hash
  const last = (await readLines(file)).at(-1)
  return last === undefined ? '' : hashLine(last)
}

async function findLastHash(files: readonly string[]): Promise<string> {
  for (const file of files.toReversed()) {
    const last = await readLastHash(file)
    if (last !== '') return last
  }
  return ''
}

export function hashLine(line: string): string {
  return hash('sha256', line)
}

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
