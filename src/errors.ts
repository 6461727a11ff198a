/** What can go wrong, as a closed set; faces map a code to an exit status or an HTTP status. */
export const ERROR_CODES = [
  'unsupported_format',
  'empty',
  'no_text',
  'encrypted',
  'corrupt',
  'too_large',
  'timeout',
  'fetch_failed',
  'forbidden_source',
  'not_found',
  'conflict',
  'invalid_input',
  'unauthorized',
  'rate_limited',
  'model_unavailable',
  'store_mismatch',
  'disk_full',
  'cancelled',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export type AppErrorOptions = {
  readonly cause?: unknown
  /**
   * What it is about, where a face answers differently: a collection and the store are the set-up, a document is input. Of a
   * `model` the message names the server or repeats its words, which is for the operator only.
   */
  readonly subject?: 'collection' | 'store' | 'model'
}

/** The one error class. The message says what happened to which thing, and what to do next. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly subject: AppErrorOptions['subject']

  constructor(code: ErrorCode, message: string, { cause, subject }: AppErrorOptions = {}) {
    super(message, { cause })
    this.name = 'AppError'
    this.code = code
    this.subject = subject
  }
}

/** A code and a sentence: what is left of an error once it is stored or sent. */
export type Failure = { readonly code: ErrorCode; readonly message: string; readonly subject?: 'model' }

/** Where a model lies and what its server said, which is for whoever set it up, stands in the message. */
export function isOfModel({ code, subject }: Pick<AppError, 'code' | 'subject'> | Failure): boolean {
  return code === 'model_unavailable' || subject === 'model'
}

/** What everybody else is told of it. */
export const MODEL_AWAY = 'A model that this service works with is not available.'

/** Name any thrown value: system errors get their code, aborts `cancelled`, the rest `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('internal', String(error))
  if (error.name === 'AbortError') return new AppError('cancelled', 'The operation was cancelled.', { cause: error })
  const system = SYSTEM_CODES[(error as NodeJS.ErrnoException).code ?? ''] // Node marks system errors with a code
  if (system) return new AppError(system, error.message, { cause: error })
  return new AppError('internal', error.message, { cause: error })
}

/** The code and sentence of any thrown value. */
export function toFailure(error: unknown): Failure {
  const { code, message, subject } = toAppError(error)
  return { code, message, ...(subject === 'model' && { subject }) }
}

/**
 * What somebody outside may know of a thrown value: only our own messages are written for them, and `internal` ones are
 * not. `instead` is said of everything else. What is said of a model (`isOfModel`) is yet to be kept from all but the operator.
 */
export function toPublicFailure(error: unknown, instead: string): Failure {
  const failure = toFailure(error)
  const { code } = failure
  const isOurs = error instanceof AppError && code !== 'internal'
  if (isOurs || code === 'cancelled') return failure
  if (code === 'disk_full') return { code, message: "The server's disk is full. Free some space and try again." }
  return { code: 'internal', message: instead }
}

const SYSTEM_CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EACCES: 'forbidden_source',
  EPERM: 'forbidden_source',
  EROFS: 'forbidden_source',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  SQLITE_FULL: 'disk_full',
}
