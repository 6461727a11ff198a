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
  'store_unavailable',
  'disk_full',
  'cancelled',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

type AppErrorOptions = {
  readonly cause?: unknown
  /**
   * What it is about, where a face answers differently: a collection and the store are the set-up, a document is input. Of a
   * `model`, and of a part of the `store` that does not fit, the message names the server or repeats its words, which is for the operator only.
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
export type Failure = {
  readonly code: ErrorCode
  readonly message: string
  readonly subject?: 'model' | 'store'
}

/** Where a model lies and what its server said, which is for whoever set it up, stands in the message. */
export function isOfModel({
  code,
  subject,
}: Pick<AppError, 'code' | 'subject'> | Failure): boolean {
  return code === 'model_unavailable' || subject === 'model'
}

/** What everybody else is told of it. */
export const MODEL_AWAY = 'A model that this service works with is not available.'

const STORE_AWAY =
  'A part of the store cannot be reached: its catalog, or where its contents or its index lie. Try again in a moment; ' +
  'passim doctor says more to whoever runs it.'

const STORE_UNFIT =
  'A part of the store is not as it has to be: its catalog, or where its contents or its index lie. The log of the service, and ' +
  'passim doctor, say more to whoever runs it.'

/**
 * What is said to others of a part of the store that is away or does not fit: the message names its address, which is for whoever runs
 * it. Undefined of everything else.
 */
export function storeSentence({
  code,
  subject,
}: Pick<AppError, 'code' | 'subject'> | Failure): string | undefined {
  if (code === 'store_unavailable') return STORE_AWAY
  return code === 'store_mismatch' && subject === 'store' ? STORE_UNFIT : undefined
}

/** The store itself takes nothing now: whatever comes next would fail as well. */
export function isOfStore(code: ErrorCode): boolean {
  return code === 'disk_full' || code === 'store_unavailable'
}

/** Name any thrown value: system errors get their code, aborts `cancelled`, the rest `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('internal', String(error))
  if (error.name === 'AbortError')
    return new AppError('cancelled', 'The operation was cancelled.', { cause: error })
  const system = SYSTEM_CODES[(error as NodeJS.ErrnoException).code ?? ''] // Node marks system errors with a code
  if (system) return new AppError(system, systemMessage(error, system), { cause: error })
  return new AppError('internal', error.message, { cause: error })
}

/** What a system error says in words, without the name of its call: `permission denied`. */
export function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) }
  return /^[A-Z]+: ([^,]+), \w+/.exec(message)?.[1] ?? message
}

function systemMessage(error: Error, code: ErrorCode): string {
  const { path, code: systemCode } = error as NodeJS.ErrnoException // file errors of Node have both
  if (systemCode === 'EFBIG')
    return 'A file would exceed the maximum file size of the system (ulimit -f). Raise that limit and try again.'
  if (path === undefined) return error.message
  return `Cannot use ${path}: ${reasonOf(error)}.${code === 'forbidden_source' ? ' Check its permissions.' : ''}`
}

/** The code and sentence of any thrown value. */
export function toFailure(error: unknown): Failure {
  const { code, message, subject } = toAppError(error)
  const isKept = subject === 'model' || (subject === 'store' && code === 'store_mismatch')
  return { code, message, ...(isKept && { subject }) }
}

/**
 * What somebody outside may know of a thrown value: only our own messages are written for them, and `internal` ones are
 * not; nor is where a part of the store lies that is away, or does not fit. `instead` is said of everything else. What is said of a model (`isOfModel`) is yet to be kept from all but the operator.
 */
export function toPublicFailure(error: unknown, instead: string): Failure {
  const failure = toFailure(error)
  const { code } = failure
  const ofStore = storeSentence(failure)
  if (ofStore !== undefined) return { code, message: ofStore }
  const isOurs = error instanceof AppError && code !== 'internal'
  if (isOurs || code === 'cancelled') return failure
  if (code === 'disk_full')
    return { code, message: "The server's disk is full. Free some space and try again." }
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
  EFBIG: 'disk_full',
  SQLITE_FULL: 'disk_full',
}
