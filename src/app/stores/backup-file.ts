import { accessSync, constants, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type Database from 'libsql'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { readSchema } from '../../ingest/store/catalogs/sqlite.ts'
import { loadSqliteEngine } from '../../ingest/store/catalogs/sqlite-engine.ts'
import { makePrivateFile, reserveSpace } from '../../system/disk.ts'

/** Bytes per piece; protects memory. */
const PIECE_BYTES = 1024 * 1024

/** Bytes of a name; protects memory from foreign backups. */
const MAX_NAME_BYTES = 1024

const SCHEMA = `CREATE TABLE passim_backup (name TEXT NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE UNIQUE INDEX pieces_by_place ON passim_backup (name, start);`

/**
 * Selects by row id: an index cannot be trusted. Skips long values and invalid UTF-8, which
 * would end the process.
 */
const NEXT_PIECE = `SELECT rowid AS id, iif(octet_length(name) <= ${MAX_NAME_BYTES}, CAST(name AS BLOB), NULL) AS name,
  iif(typeof(start) = 'integer', start, -1) AS start,
  iif(typeof(bytes) = 'blob' AND octet_length(bytes) <= ${PIECE_BYTES}, bytes, NULL) AS bytes FROM passim_backup WHERE rowid > ? ORDER BY rowid LIMIT 1`

/** `start` is its offset, `id` its row. */
export type Piece = {
  readonly id: number
  readonly name: string
  readonly start: number
  readonly bytes: Buffer
}

type PieceRow = Omit<Piece, 'name'> & { readonly name: Buffer }

/** Files in pieces in an SQLite database, whose engine detects missing parts. */
export class BackupFile {
  readonly #path: string
  readonly #database: Database.Database

  private constructor(file: string, database: Database.Database) {
    this.#path = file
    this.#database = database
  }

  static create(file: string): BackupFile {
    makePrivateFile(file)
    const database = new (loadSqliteEngine())(file)
    database.exec(SCHEMA)
    return new BackupFile(file, database)
  }

  /**
   * Throws read errors, and `corrupt` if the backup is incomplete or has objects besides its
   * table: a view could make a query endless.
   */
  static open(file: string): BackupFile {
    accessSync(file, constants.R_OK) // otherwise the engine would only report that it is no database
    let database: Database.Database | undefined
    try {
      database = new (loadSqliteEngine())(file, { readonly: true, fileMustExist: true })
      const expected = new (loadSqliteEngine())(':memory:')
      expected.exec(SCHEMA)
      if (readSchema(database) !== readSchema(expected)) throw createNotBackup(file)
      expected.close()
      return new BackupFile(file, database)
    } catch (error) {
      database?.close()
      throw error instanceof AppError ? error : createNotBackup(file, error)
    }
  }

  /** Bounds all pieces: overlapping ones would exceed it. */
  get sizeBytes(): number {
    return statSync(this.#path).size
  }

  /** Adds a file that ends early as far as it goes. */
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

  removeFolder(folder: string): void {
    this.#database
      .prepare('DELETE FROM passim_backup WHERE name >= ? AND name < ?')
      .run(`${folder}/`, `${folder}0`) // 0 sorts after /
  }

  /** Undefined if it cannot be read. */
  get lastId(): number {
    return (
      this.#query(
        () =>
          (this.#database.prepare('SELECT max(rowid) AS id FROM passim_backup').get() as Piece).id,
      ) ?? 0
    )
  }

  /** Yields pieces in order. Throws `corrupt` for a missing one. */
  *readPieces(): Iterable<Piece> {
    const next = this.#database.prepare(NEXT_PIECE)
    for (let last = 0; ; ) {
      const row = this.#query(() => next.get(last)) as PieceRow | undefined
      if (!row) return
      const isSound = Number.isSafeInteger(row.id) && row.id > last && Buffer.isBuffer(row.name)
      if (!isSound || !Number.isSafeInteger(row.start) || !Buffer.isBuffer(row.bytes))
        throw this.#createDamage()
      yield { ...row, name: row.name.toString('utf8') }
      last = row.id
    }
  }

  close(): void {
    this.#database.close()
  }

  #query<Result>(ask: () => Result): Result {
    try {
      return ask()
    } catch (error) {
      throw this.#createDamage(error)
    }
  }

  #createDamage(cause?: unknown): AppError {
    return new AppError(
      'corrupt',
      localizable`The backup ${this.#path} is damaged. Use another one.`,
      {
        cause,
      },
    )
  }
}

function createNotBackup(file: string, cause?: unknown): AppError {
  const message = localizable`${file} is not a backup of Passim, or is incomplete. Choose another file.`
  const advice = 'Backups are written by passim export.'
  return new AppError('corrupt', message, { cause, advice })
}
