import { existsSync, utimesSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../../errors.ts'
import { createRandomHex } from '../../../system/digest.ts'
import { createTemporaryName, isTemporary } from '../../../system/disk.ts'
import type { Blobs, GetOptions } from '../blobs.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { Copies } from './copies.ts'
import { fetchBlob } from './fetch-blob.ts'

/** For a copy of a store. */
export async function forgetShared(catalog: Statements): Promise<void> {
  await catalog.run('DELETE FROM shared_contents')
  await catalog.run('DELETE FROM shared_trash')
}

/** Limited, so that what a dead process left is removed. */
const ABANDONED_MS = 60 * 60 * 1000

/** Uploaded last: without it a folder is incomplete. */
const LAST = 'report.json'

/** Unfinished files, and those that are quickly made again. */
const LOCAL = /^(pages$|pieces-)|\.partial$/

type SharedContentsOptions = {
  readonly catalog: Statements
  readonly blobs: Blobs
  readonly folderOf: (sha256: string) => string
  readonly copies: Pick<Copies, 'grow'>
  readonly abandonedMs?: number | undefined
}

/**
 * Contents among shared blobs, with copies on this disk. A content that is added again gets
 * another place.
 */
export class SharedContents {
  static readonly tables: Tables = {
    /** `named`: a transaction recorded its use. `shared_trash`: places to empty. */
    17: [
      `CREATE TABLE shared_contents (
    sha256 TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, named INTEGER NOT NULL, put_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX shared_contents_unnamed ON shared_contents (put_at) WHERE named = 0',
      'CREATE TABLE shared_trash (place TEXT PRIMARY KEY) WITHOUT ROWID',
    ],
  }

  readonly #catalog: Statements
  readonly #blobs: Blobs
  readonly #folderOf: (sha256: string) => string
  readonly #copies: Pick<Copies, 'grow'>
  readonly #abandonedMs: number

  constructor({
    catalog,
    blobs,
    folderOf,
    copies,
    abandonedMs = ABANDONED_MS,
  }: SharedContentsOptions) {
    this.#catalog = catalog
    this.#blobs = blobs
    this.#folderOf = folderOf
    this.#copies = copies
    this.#abandonedMs = abandonedMs
  }

  async locate(sha256: string): Promise<string | undefined> {
    return await this.#findPlace(sha256)
  }

  async countBlobs(places: readonly string[], signal?: AbortSignal): Promise<number> {
    let count = 0
    for (const place of places) count += (await this.#list(place, signal)).length
    return count
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#findPlace(sha256)) !== undefined
  }

  /** Returns true if nobody is adding it now. */
  async isNamed(sha256: string): Promise<boolean> {
    return (
      (await this.#catalog.get(
        'SELECT 1 FROM shared_contents WHERE sha256 = ? AND named = 1',
        sha256,
      )) !== undefined
    )
  }

  async put(sha256: string, name: string, file: string, signal?: AbortSignal): Promise<void> {
    const isStored = await this.has(sha256)
    const place = await this.#reservePlace(sha256)
    const isThere = isStored && (await this.#list(place, signal)).some(entry => entry.name === name)
    if (!isThere) await this.#blobs.put(`${place}/${name}`, file, signal)
  }

  async read(sha256: string, name: string, options: GetOptions): Promise<Readable | undefined> {
    const place = await this.#findPlace(sha256)
    return place === undefined ? undefined : await this.#blobs.get(`${place}/${name}`, options)
  }

  /** Names an abandoned content. Call it inside the transaction that finds it used. */
  async keep(inside: Statements, sha256: string): Promise<void> {
    const sql = 'UPDATE shared_contents SET named = 1 WHERE sha256 = ? AND named = 0 AND put_at < ?'
    await inside.run(sql, sha256, Date.now() - this.#abandonedMs)
  }

  /** Call it inside the transaction that records its use. */
  async name(inside: Statements, sha256: string): Promise<void> {
    const sql = 'UPDATE shared_contents SET named = 1 WHERE sha256 = ?'
    if ((await inside.run(sql, sha256)) > 0) return
    throw new AppError(
      'conflict',
      'The bytes were removed while they were being stored. Try again.',
      {
        subject: 'store',
      },
    )
  }

  /** Uploads missing derived files, a folder's report last. */
  async save(sha256: string, signal?: AbortSignal): Promise<void> {
    const folder = this.#folderOf(sha256)
    const own = (await listFiles(folder)).filter(name => !isLocal(name))
    if (own.length === 0) return // it was removed meanwhile
    const place = (await this.#findPlace(sha256)) ?? (await this.#reservePlace(sha256))
    const there = new Set((await this.#list(place, signal)).map(({ name }) => name))
    let bytes = 0
    for (const name of own.filter(fileName => !there.has(fileName)).toSorted(compareReportsLast)) {
      const file = path.join(folder, name)
      bytes += (await stat(file)).size
      await this.#blobs.put(`${place}/${name}`, file, signal)
    }
    if ((await this.#findPlace(sha256)) !== place) await discardPlace(this.#catalog, place) // it was removed meanwhile
    await this.#copies.grow(bytes)
  }

  /** Downloads missing files. */
  async download(
    sha256: string,
    matches: (name: string) => boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    const place = await this.#findPlace(sha256)
    if (place === undefined) return // not shared
    const folder = this.#folderOf(sha256)
    let bytes = 0
    for (const [group, names] of groupFiles(await this.#list(place, signal))) {
      if (!matches(group) || existsSync(path.join(folder, group)) || !isComplete(group, names))
        continue
      await this.#download({ place, folder, group, names }, signal)
      bytes += names.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    }
    touch(folder)
    await this.#copies.grow(bytes)
  }

  async remove(sha256: string, matches: (name: string) => boolean): Promise<void> {
    const place = await this.#findPlace(sha256)
    if (place === undefined) return
    const matching = (await this.#list(place)).filter(({ name }) =>
      matches(name.replace(/\/.*/s, '')),
    )
    await this.#blobs.remove(matching.map(({ name }) => `${place}/${name}`))
  }

  /**
   * Marks its place to be emptied, unless somebody is adding it. Call it inside the transaction
   * that finds it unused.
   */
  async discard(inside: Statements, sha256: string): Promise<void> {
    const sql = 'SELECT place FROM shared_contents WHERE sha256 = ? AND (named = 1 OR put_at < ?)'
    const row = await inside.get<{ place: string }>(sql, sha256, Date.now() - this.#abandonedMs)
    if (!row) return
    await inside.run('DELETE FROM shared_contents WHERE sha256 = ?', sha256)
    await discardPlace(inside, row.place)
  }

  /** Lists contents of dead processes. Some may be in use. */
  async listAbandoned(): Promise<readonly string[]> {
    const sql = 'SELECT sha256 FROM shared_contents WHERE named = 0 AND put_at < ?'
    return (await this.#catalog.all<{ sha256: string }>(sql, Date.now() - this.#abandonedMs)).map(
      row => row.sha256,
    )
  }

  /** Also empties places of dead processes. Does nothing while the blobs cannot be reached. */
  async emptyTrash(): Promise<void> {
    try {
      await this.#emptyTrash()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'store_unavailable') throw error
    }
  }

  async #emptyTrash(): Promise<void> {
    for (const { place } of await this.#catalog.all<{ place: string }>(
      'SELECT place FROM shared_trash',
    )) {
      const names = await this.#list(place)
      await this.#blobs.remove(names.map(({ name }) => `${place}/${name}`))
      await this.#catalog.run('DELETE FROM shared_trash WHERE place = ?', place)
    }
  }

  async #list(place: string, signal?: AbortSignal): Promise<readonly SharedFile[]> {
    const files: SharedFile[] = []
    for await (const { key, sizeBytes } of this.#blobs.list(`${place}/`, signal))
      files.push({ name: key.slice(place.length + 1), sizeBytes })
    return files
  }

  async #download({ place, folder, group, names }: Group, signal?: AbortSignal): Promise<void> {
    const temporary = createTemporaryName(path.join(folder, group))
    try {
      for (const { name, sizeBytes } of names) {
        const file = temporary + name.slice(group.length)
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        await fetchBlob(this.#blobs, { key: `${place}/${name}`, sizeBytes }, file, signal)
      }
      await rename(temporary, path.join(folder, group))
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      if (!existsSync(path.join(folder, group))) throw error // else another process was quicker
    }
  }

  async #findPlace(sha256: string): Promise<string | undefined> {
    return (
      await this.#catalog.get<{ place: string }>(
        'SELECT place FROM shared_contents WHERE sha256 = ?',
        sha256,
      )
    )?.place
  }

  /** Returns a place that nobody empties for `abandonedMs`. */
  async #reservePlace(sha256: string): Promise<string> {
    const sql = `INSERT INTO shared_contents VALUES (?, ?, 0, ?)
      ON CONFLICT (sha256) DO UPDATE SET named = 0, put_at = excluded.put_at`
    await this.#catalog.run(
      sql,
      sha256,
      `${sha256.slice(0, 2)}/${createRandomHex()}${createRandomHex()}`,
      Date.now(),
    )
    return (await this.#findPlace(sha256))!
  }
}

export async function discardPlace(statements: Statements, place: string): Promise<void> {
  await statements.run('INSERT INTO shared_trash VALUES (?) ON CONFLICT DO NOTHING', place)
}

type SharedFile = { readonly name: string; readonly sizeBytes: number }

type Group = {
  readonly place: string
  readonly folder: string
  readonly group: string
  readonly names: readonly SharedFile[]
}

function groupFiles(files: readonly SharedFile[]): ReadonlyMap<string, readonly SharedFile[]> {
  const groups = new Map<string, SharedFile[]>()
  for (const file of files) {
    const [group = ''] = file.name.split('/', 1)
    groups.set(group, [...(groups.get(group) ?? []), file])
  }
  return groups
}

function isComplete(group: string, files: readonly SharedFile[]): boolean {
  return files.some(({ name }) => name === group || name === `${group}/${LAST}`)
}

function isLocal(name: string): boolean {
  return isTemporary(name) || name.split('/').some(part => LOCAL.test(part))
}

function compareReportsLast(a: string, b: string): number {
  return Number(path.basename(a) === LAST) - Number(path.basename(b) === LAST)
}

async function listFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  return files.map(file => path.relative(folder, file).split(path.sep).join('/'))
}

/** The least recently used contents are evicted first. */
function touch(folder: string): void {
  const now = new Date()
  if (existsSync(folder)) utimesSync(folder, now, now)
}
