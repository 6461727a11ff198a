import { statfsSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '../../errors.ts'

/** With less than this free SQLite cannot make the files beside the catalog, even to read it: a few pages each. */
const NEEDED_BYTES = 256 * 1024

/**
 * What SQLite says of its file, in terms of the store: SQLITE_FULL, and an I/O error on a full disk, are `disk_full`; a file that
 * is no catalog any more is `corrupt`. Everything else stays what it is.
 */
export function namedSqliteError(error: unknown, file: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = (error as Error & { readonly code?: unknown }).code // libsql marks its errors with SQLite's name of the code
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
  const about = { cause: error, subject: 'store' } as const
  if (code === 'SQLITE_FULL' || (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && isFull(file))) {
    const message = `The disk of ${path.dirname(file)} is full, and the catalog needs some of it even to be read. Free some space and try again.`
    return new AppError('disk_full', message, about)
  }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return error
  return new AppError(
    'corrupt',
    `The catalog ${file} is damaged (${error.message}). Import a backup into another home, or index the documents again there: --home names it.`,
    about,
  )
}

/** Not known of a disk that is gone or does not answer: then SQLite's own error says more. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return bavail * bsize < NEEDED_BYTES
  } catch {
    return false
  }
}
