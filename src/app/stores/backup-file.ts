import { accessSync, constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type Database from 'libsql'
import { AppError } from '../../errors.ts'
import { readSchema, sqliteEngine } from '../../ingest/store/catalogs/sqlite.ts'
import { makePrivateFile, reserveSpace } from '../../system/disk.ts'

/** Bytes of a piece: what is held in memory. */
const PIECE_BYTES = 1024 * 1024

/** Bytes that the name of a file may have. */
const MAX_NAME_BYTES = 1024

const SCHEMA = `CREATE TABLE passim_backup (name TEXT NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE UNIQUE INDEX pieces_by_place ON passim_backup (name, start);`

/** Found by its place, so that no index is trusted; what is too long is not read into memory, and the engine ends the process over text that is not UTF-8. */
const NEXT_PIECE = `SELECT rowid AS id, iif(octet_length(name) <= ${MAX_NAME_BYTES}, CAST(name AS BLOB), NULL) AS name,
  iif(typeof(start) = 'integer', start, -1) AS start,
  iif(typeof(bytes) = 'blob' AND octet_length(bytes) <= ${PIECE_BYTES}, bytes, NULL) AS bytes FROM passim_backup WHERE rowid > ? ORDER BY rowid LIMIT 1`

/** Part of a file in a backup: `start` is where in the file its bytes lie, `id` where in the backup. */
export type Piece = {
  readonly id: number
  readonly name: string
  readonly start: number
  readonly bytes: Buffer
}

type PieceRow = Omit<Piece, 'name'> & { readonly name: Buffer }

/** One file that holds many, in pieces: an SQLite database, so that its own engine tells when some of it is missing. */
export class BackupFile {
  readonly #path: string
  readonly #database: Database.Database

  private constructor(file: string, database: Database.Database) {
    this.#path = file
    this.#database = database
  }

  static create(file: string): BackupFile {
    makePrivateFile(file)
    const database = new (sqliteEngine())(file)
    database.exec(SCHEMA)
    return new BackupFile(file, database)
  }

  /**
   * Throws what keeps it from being read, and `corrupt` for a file that is no backup, not all of one, or holds anything but its one table: a view in the
   * place of that could make a query endless.
   */
  static open(file: string): BackupFile {
    accessSync(file, constants.R_OK) // the engine's word for it is that it is no database
    let database: Database.Database | undefined
    try {
      database = new (sqliteEngine())(file, { readonly: true, fileMustExist: true })
      const expected = new (sqliteEngine())(':memory:')
      expected.exec(SCHEMA)
      if (readSchema(database) !== readSchema(expected)) throw notBackup(file)
      expected.close()
      return new BackupFile(file, database)
    } catch (error) {
      database?.close()
      throw error instanceof AppError ? error : notBackup(file, error)
    }
  }

  /** The pieces together are not larger: whoever says they are has them overlap. */
  get sizeBytes(): number {
    return statSync(this.#path).size
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
    this.#database
      .prepare('DELETE FROM passim_backup WHERE name >= ? AND name < ?')
      .run(`${folder}/`, `${folder}0`) // 0 follows /
  }

  /** The id of the last piece, as far as it can be told. */
  get lastId(): number {
    return (
      this.#asked(
        () =>
          (this.#database.prepare('SELECT max(rowid) AS id FROM passim_backup').get() as Piece).id,
      ) ?? 0
    ) // one row
  }

  /** All pieces in the order they were taken in: those of a file follow each other. Throws `corrupt` where one is none. */
  *pieces(): Iterable<Piece> {
    const next = this.#database.prepare(NEXT_PIECE)
    for (let last = 0; ; ) {
      const row = this.#asked(() => next.get(last)) as PieceRow | undefined // libsql types rows as unknown; checked below
      if (!row) return
      const isSound = Number.isSafeInteger(row.id) && row.id > last && Buffer.isBuffer(row.name)
      if (!isSound || !Number.isSafeInteger(row.start) || !Buffer.isBuffer(row.bytes))
        throw this.#damaged()
      yield { ...row, name: row.name.toString('utf8') }
      last = row.id
    }
  }

  close(): void {
    this.#database.close()
  }

  #asked<Result>(ask: () => Result): Result {
    try {
      return ask()
    } catch (error) {
      throw this.#damaged(error)
    }
  }

  #damaged(cause?: unknown): AppError {
    return new AppError('corrupt', `The backup ${this.#path} is damaged. Take another one.`, {
      cause,
    })
  }
}

function notBackup(file: string, cause?: unknown): AppError {
  const message = `${file} is no backup of passim, or is not whole. Name one that passim export made.`
  return new AppError('corrupt', message, { cause })
}
