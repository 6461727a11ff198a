import { AppError } from '../errors.ts'

/** napi's name for every failure inside LanceDB. Its words often do not name the engine: a damaged page is `Invalid input`. */
const ENGINE_CODE = 'GenericFailure'

/** LanceDB's name in the messages that it passes on from its own threads and processes. */
const ENGINE_WORDS = /lance/i

/** Failures of LanceDB that another try may not meet: two writers at once, too little memory. */
const PASSING = /conflict|out of memory|resources exhausted/i

/** Errors of the system, as Rust writes them; a file that is not there (2) is the table's own fault. */
const SYSTEM = /\bos error (?!2\b)(\d+)/i

/** EFBIG, ENOSPC and EDQUOT, on Linux and on macOS. */
const FULL: ReadonlySet<string> = new Set(['27', '28', '69', '122'])

/** What LanceDB says of an S3 store that does not answer, or refuses it. */
const S3 = /S3 error|error sending request|object store/i

/** Whether the engine failed for a reason that says nothing of the table: the system, the S3 store, another writer. */
export function isOutsideFailure({ message }: Error): boolean {
  return S3.test(message) || PASSING.test(message) || SYSTEM.test(message)
}

/**
 * Returns an error of the index's engine by the name of the collection and with the way out: `store_mismatch` for damaged files,
 * `store_unavailable` if its store does not answer, `disk_full`. Returns any other error as it is.
 */
export function nameDamage(error: unknown, collection: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { message } = error
  if (S3.test(message)) {
    const told = `The index of ${collection} cannot be reached: the S3 store that it lies in does not answer. passim doctor looks at it.`
    return new AppError('store_unavailable', told, { cause: error, subject: 'store' })
  }
  if (!isEngineError(error)) return error
  if (FULL.has(SYSTEM.exec(message)?.[1] ?? '')) {
    const told = `The index of ${collection} cannot be written: the disk is full, or a file is as large as the system allows (ulimit -f). Make room and try again.`
    return new AppError('disk_full', told, { cause: error, subject: 'store' })
  }
  if (isOutsideFailure(error)) return error
  const told = `The index of ${collection} is damaged. passim verify --repair makes it anew from what is stored, without reading or embedding anything again.`
  return new AppError('store_mismatch', told, { cause: error })
}

function isEngineError(error: Error & { readonly code?: unknown }): boolean {
  return error.code === ENGINE_CODE || ENGINE_WORDS.test(error.message)
}
