import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type Database from 'libsql'
import { AppError } from '../errors.ts'
import { sqliteEngine } from '../ingest/catalog.ts'
import { reserveSpace } from '../ingest/disk.ts'

/** Bytes of a piece: what is held in memory. */
const PIECE_BYTES = 1024 * 1024

const SCHEMA = `CREATE TABLE passim_backup (name TEXT NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE UNIQUE INDEX pieces_by_place ON passim_backup (name, start);`

/** One file that holds many, in pieces: an SQLite database, so that its own engine tells when some of it is missing. */
export class BackupFile {
  readonly #path: string
  readonly #database: Database.Database

  private constructor(file: string, database: Database.Database) {
    this.#path = file
    this.#database = database
  }

  static create(file: string): BackupFile {
    const database = new (sqliteEngine())(file)
    database.exec(SCHEMA)
    return new BackupFile(file, database)
  }

  /** Throws `corrupt` for a file that is no backup, or not all of one. */
  static open(file: string): BackupFile {
    try {
      const database = new (sqliteEngine())(file, { readonly: true, fileMustExist: true })
      database.prepare('SELECT max(rowid) FROM passim_backup').get()
      return new BackupFile(file, database)
    } catch (error) {
      const message = `${file} is no backup of passim, or is not whole. Name one that passim export made.`
      throw new AppError('corrupt', message, { cause: error })
    }
  }

  /** Take a file in under a name. One that ends before its end was known is taken as far as it goes. */
  async add(name: string, source: string, signal?: AbortSignal): Promise<void> {
    const file = await open(source)
    try {
      const { size } = await file.stat()
      reserveSpace(path.dirname(this.#path), size)
      const insert = this.#database.prepare('INSERT INTO passim_backup VALUES (?, ?, ?)')
      this.#database.exec('BEGIN')
      for (let start = 0; start < size || start === 0; start += PIECE_BYTES) {
        signal?.throwIfAborted()
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - start))
        const { bytesRead } = await file.read(piece, 0, piece.length, start)
        insert.run(name, start, piece.subarray(0, bytesRead))
        if (bytesRead < piece.length) break
      }
      this.#database.exec('COMMIT')
    } finally {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      await file.close()
    }
  }

  /** Remove what lies in a folder. */
  removeFolder(folder: string): void {
    this.#database.prepare('DELETE FROM passim_backup WHERE name >= ? AND name < ?').run(`${folder}/`, `${folder}0`) // 0 follows /
  }

  names(): readonly string[] {
    const rows = this.#database.prepare('SELECT name FROM passim_backup WHERE start = 0 ORDER BY rowid').all()
    return (rows as { name: string }[]).map(row => row.name) // libsql types rows as unknown
  }

  /** Write a file that was taken in; the folders above it are made. */
  async extract(name: string, target: string, signal?: AbortSignal): Promise<void> {
    await mkdir(path.dirname(target), { recursive: true })
    await pipeline(
      Readable.from(this.#pieces(name), { objectMode: false }),
      createWriteStream(target, { flush: true }),
      {
        signal,
      },
    )
  }

  close(): void {
    this.#database.close()
  }

  *#pieces(name: string): Iterable<Buffer> {
    const select = this.#database.prepare('SELECT bytes FROM passim_backup WHERE name = ? AND start = ?')
    const { pieces } = this.#database
      .prepare('SELECT count(*) AS pieces FROM passim_backup WHERE name = ?')
      .get(name) as { pieces: number } // libsql types rows as unknown
    for (let piece = 0; piece < pieces; piece++) {
      const row = select.get(name, piece * PIECE_BYTES) as { bytes: Buffer } | undefined // libsql types rows as unknown
      if (!row) throw new AppError('corrupt', `The backup is damaged: a piece of ${name} is missing. Take another one.`)
      yield row.bytes
    }
  }
}
