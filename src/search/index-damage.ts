import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

/** Code of every LanceDB failure; the message may not name the engine. */
const ENGINE_CODE = 'GenericFailure'

const ENGINE_WORDS = /lance/i

/** Concurrent writers, too little memory. */
const PASSING = /conflict|out of memory|resources exhausted/i

/** System errors as Rust writes them, except a missing file (2), which is damage. */
const SYSTEM = /\bos error (?!2\b)(\d+)/i

/** Numbers of EFBIG, ENOSPC and EDQUOT on Linux and macOS. */
const FULL: ReadonlySet<string> = new Set(['27', '28', '69', '122'])

const S3 = /S3 error|error sending request|object store/i

/** Returns whether the system, S3 or another writer failed. */
export function isOutsideFailure({ message }: Error): boolean {
  return S3.test(message) || PASSING.test(message) || SYSTEM.test(message)
}

/**
 * Translates to `store_mismatch` for damaged files, `store_unavailable` for S3, `disk_full`.
 * Returns other errors unchanged.
 */
export function toDamageError(error: unknown, collection: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const { message } = error
  if (S3.test(message)) {
    const outage = localizable`The index of ${collection} cannot be reached: its S3 store does not answer.`
    const advice = 'Run passim doctor to check the store.'
    return new AppError('store_unavailable', outage, { cause: error, subject: 'store', advice })
  }
  if (!isEngineError(error)) return error
  if (FULL.has(SYSTEM.exec(message)?.[1] ?? '')) {
    const full = localizable`The index of ${collection} cannot be written: the disk is full, or a file has the maximum size that the system allows (ulimit -f). Free some space or raise the limit, then try again.`
    return new AppError('disk_full', full, { cause: error, subject: 'store' })
  }
  if (isOutsideFailure(error)) return error
  const damage = localizable`The index of ${collection} is damaged. It can be rebuilt from stored data.`
  const advice = 'Run passim verify --repair. It parses and embeds no document again.'
  return new AppError('store_mismatch', damage, { cause: error, advice })
}

function isEngineError(error: Error & { readonly code?: unknown }): boolean {
  return error.code === ENGINE_CODE || ENGINE_WORDS.test(error.message)
}
