import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { getSystemCode } from '../../errors.ts'
import { RecentMap } from '../../system/recent-map.ts'
import { requireKnownNames } from '../known-names.ts'

export interface TextCache {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string): Promise<void>
}

type MemoryCacheOptions = {
  readonly ttlMs: number
  /** UTF-16 units without keys; evicts the oldest. */
  readonly maxChars?: number
  readonly now?: () => number
}

const MEMORY_CACHE_OPTIONS: Readonly<Record<keyof MemoryCacheOptions, true>> = {
  ttlMs: true,
  maxChars: true,
  now: true,
}

type Entry = { readonly text: string; readonly expires: number }

export class MemoryCache implements TextCache {
  readonly #entries: RecentMap<string, Entry>
  readonly #options: Required<MemoryCacheOptions>

  constructor(options: MemoryCacheOptions) {
    requireKnownNames('new MemoryCache()', options, MEMORY_CACHE_OPTIONS)
    this.#options = { maxChars: 10_000_000, now: Date.now, ...options }
    this.#entries = new RecentMap(this.#options.maxChars, ({ text }) => text.length)
  }

  async get(key: string): Promise<string | undefined> {
    const entry = this.#entries.get(key)
    if (entry && entry.expires <= this.#options.now()) this.#entries.delete(key)
    else return entry?.text
  }

  async set(key: string, text: string): Promise<void> {
    const { ttlMs, maxChars, now } = this.#options
    if (text.length > maxChars) this.#entries.delete(key)
    else this.#entries.set(key, { text, expires: now() + ttlMs })
  }
}

type DiskCacheOptions = {
  /** Exclusive folder; other files are removed. */
  readonly folder: string
  readonly ttlMs: number
  readonly maxBytes: number
  readonly now?: () => number
}

const DISK_CACHE_OPTIONS: Readonly<Record<keyof DiskCacheOptions, true>> = {
  folder: true,
  ttlMs: true,
  maxBytes: true,
  now: true,
}

/** Share kept when full, so that evictions are rare. */
const SHARE_KEPT = 0.9

/** Shared by processes. */
export class DiskCache implements TextCache {
  readonly #options: Required<DiskCacheOptions>
  #bytes: number | undefined

  constructor(options: DiskCacheOptions) {
    requireKnownNames('new DiskCache()', options, DISK_CACHE_OPTIONS)
    this.#options = { now: Date.now, ...options }
  }

  async get(key: string): Promise<string | undefined> {
    const file = this.#getPath(key)
    const stats = await stat(file).catch(ignoreAbsent)
    if (!stats) return undefined
    if (stats.mtimeMs + this.#options.ttlMs > this.#options.now())
      return await readFile(file, 'utf8').catch(ignoreAbsent)
    await rm(file, { force: true })
  }

  /** Stores nothing if the cache is cleared meanwhile. */
  async set(key: string, text: string): Promise<void> {
    const { maxBytes } = this.#options
    const size = Buffer.byteLength(text)
    if (size > maxBytes) return
    if (!(await this.#write(this.#getPath(key), text).catch(ignoreAbsent))) return
    this.#bytes = (this.#bytes ?? (await this.#measureSize()) - size) + size
    if (this.#bytes > maxBytes) await this.#evict(maxBytes * SHARE_KEPT)
  }

  /** Renames first, so that nobody writes into it; removes leftovers. */
  async clear(): Promise<void> {
    const { folder } = this.#options
    const { dir, base } = path.parse(folder)
    await rename(folder, `${folder}.${randomUUID()}.gone`).catch(ignoreAbsent)
    this.#bytes = 0
    const names = (await readdir(dir).catch(ignoreAbsent)) ?? []
    for (const name of names.filter(
      name => name.startsWith(`${base}.`) && name.endsWith('.gone'),
    )) {
      await rm(path.join(dir, name), { recursive: true, force: true })
    }
  }

  async #write(file: string, text: string): Promise<true> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = path.join(folder, `${randomUUID()}.tmp`)
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, file)
    return true
  }

  #getPath(key: string): string {
    return path.join(this.#options.folder, createHash('sha256').update(key).digest('hex'))
  }

  async #measureSize(): Promise<number> {
    return (await this.#listFiles()).reduce((sum, file) => sum + file.size, 0)
  }

  async #evict(goal: number): Promise<void> {
    const files = (await this.#listFiles()).toSorted((a, b) => a.mtimeMs - b.mtimeMs)
    let bytes = files.reduce((sum, file) => sum + file.size, 0)
    for (const { name, size } of files) {
      if (bytes <= goal) break
      await rm(path.join(this.#options.folder, name), { force: true })
      bytes -= size
    }
    this.#bytes = bytes
  }

  async #listFiles() {
    const names = (await readdir(this.#options.folder).catch(ignoreAbsent)) ?? []
    const found = await Promise.all(
      names.map(async name => {
        const file = await stat(path.join(this.#options.folder, name)).catch(ignoreAbsent)
        return file && { name, size: file.size, mtimeMs: file.mtimeMs }
      }),
    )
    return found.filter(file => file !== undefined)
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (getSystemCode(error) !== 'ENOENT') throw error
}
