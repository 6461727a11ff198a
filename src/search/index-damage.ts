import { AppError } from '../errors.ts'

/** Code that napi gives every failure of LanceDB. The message often does not name the engine: a damaged page is `Invalid input`. */
const ENGINE_CODE = 'GenericFailure'

/** Name of the engine in messages from its other threads and processes. */
const ENGINE_WORDS = /lance/i

/** Temporary failures of LanceDB: concurrent writers, too little memory. */
const PASSING = /conflict|out of memory|resources exhausted/i

/** System errors as Rust writes them, except a missing file (2), which is damage of the table. */
const SYSTEM = /\bos error (?!2\b)(\d+)/i

/** Numbers of EFBIG, ENOSPC and EDQUOT on Linux and macOS. */
const FULL: ReadonlySet<string> = new Set(['27', '28', '69', '122'])

/** Messages of LanceDB about an S3 store that does not answer or refuses access. */
const S3 = /S3 error|error sending request|object store/i

/** Returns whether the engine failed for a reason outside of the table: the system, the S3 store, another writer. */
export function isOutsideFailure({ message }: Error): boolean {
  return S3.test(message) || PASSING.test(message) || SYSTEM.test(message)
}

/**
 * Translates an error of the engine into one that names the collection and the next step: `store_mismatch` for damaged files,
 * `store_unavailable` if the S3 store does not answer, `disk_full`. Returns other errors unchanged.
 */
export function toDamageError(error: unknown, collection: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { message } = error
  if (S3.test(message)) {
    const told = `The index of ${collection} cannot be reached: its S3 store does not answer. Run passim doctor to check the store.`
    return new AppError('store_unavailable', told, { cause: error, subject: 'store' })
  }
  if (!isEngineError(error)) return error
  if (FULL.has(SYSTEM.exec(message)?.[1] ?? '')) {
    const told = `The index of ${collection} cannot be written: the disk is full, or a file has the maximum size that the system allows (ulimit -f). Free some space or raise the limit, then try again.`
    return new AppError('disk_full', told, { cause: error, subject: 'store' })
  }
  if (isOutsideFailure(error)) return error
  const told = `The index of ${collection} is damaged. Run passim verify --repair to rebuild it from stored data, without parsing or embedding documents again.`
  return new AppError('store_mismatch', told, { cause: error })
}

function isEngineError(error: Error & { readonly code?: unknown }): boolean {
  return error.code === ENGINE_CODE || ENGINE_WORDS.test(error.message)
}
