import { attachMessages, getMessages, localizable, type Sentence } from './errors/localizable.ts'

/** Closed set of codes; faces map them to exit codes and HTTP statuses. */
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
  'model_unauthorized',
  'model_missing',
  'model_refused',
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
   * Given if faces answer differently. Messages about a `model` or a part of the `store` name
   * servers, for the operator only.
   */
  readonly subject?: 'collection' | 'store' | 'model'
  /** Command or setting that helps. Shown on the command line only. */
  readonly advice?: Sentence | undefined
  /** Wrong value as the caller gave it, by which a face finds the field to name. */
  readonly about?: unknown
}

/**
 * The message says what happened to which thing, and what any caller can do; the advice names a
 * command or a setting, for whoever runs the program.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly subject: AppErrorOptions['subject']
  readonly advice: string | undefined
  readonly about: unknown

  constructor(
    code: ErrorCode,
    message: Sentence,
    { cause, subject, advice, about }: AppErrorOptions = {},
  ) {
    super(`${message}`, { cause })
    this.name = 'AppError'
    this.code = code
    this.subject = subject
    this.advice = advice === undefined ? undefined : `${advice}`
    this.about = about
    attachMessages(this, { message, advice })
  }
}

export type Failure = {
  readonly code: ErrorCode
  readonly message: string
  readonly subject?: 'model' | 'store'
  readonly advice?: string | undefined
}

type Advised = { readonly message: string; readonly advice?: string | undefined }

export function formatWithAdvice({ message, advice }: Advised): string {
  return advice === undefined ? message : `${message} ${advice}`
}

/** Returns an error or a warning as others than the operator may see it. */
export function omitAdvice<Item extends Advised>({
  advice: _,
  ...item
}: Item): Omit<Item, 'advice'> {
  return item
}

export function restoreError(failure: Failure): AppError {
  const { message, advice } = getMessages(failure)
  return new AppError(failure.code, message, { ...failure, advice })
}

export function isOfModel({
  code,
  subject,
}: Pick<AppError, 'code' | 'subject'> | Failure): boolean {
  return code.startsWith('model_') || subject === 'model'
}

/** Refusals that pass, with 429. */
const PASSING_REFUSALS: ReadonlySet<number> = new Set([408, 409, 425])

/** Without a status the model's server did not answer. */
export function toModelErrorCode(status: number | undefined): ErrorCode {
  if (status === 429) return 'rate_limited'
  if (status === 401 || status === 403) return 'model_unauthorized'
  if (status === 404) return 'model_missing'
  const passes = status === undefined || status >= 500 || PASSING_REFUSALS.has(status)
  return passes ? 'model_unavailable' : 'model_refused'
}

/** Returns whether a model or its server failed, so that work without it goes on. */
export function isModelFailure(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false
  const { code, subject } = error
  return code.startsWith('model_') || (code === 'rate_limited' && subject === 'model')
}

/** Public message for such an error. */
export const MODEL_AWAY = 'A model that this service works with is not available.'

const STORE_AWAY =
  'A part of the store (its catalog, its contents or its index) cannot be reached. Try again in a moment.'

const STORE_UNFIT =
  'A part of the store (its catalog, its contents or its index) cannot be used as it is. The log of the service has the details.'

/** Returns a message without the address of the part of the store that is unavailable. */
export function toStoreMessage({
  code,
  subject,
}: Pick<AppError, 'code' | 'subject'> | Failure): string | undefined {
  if (code === 'store_unavailable') return STORE_AWAY
  return code === 'store_mismatch' && subject === 'store' ? STORE_UNFIT : undefined
}

/** Returns whether every next operation fails, too. */
export function isOfStore(code: ErrorCode): boolean {
  return code === 'disk_full' || code === 'store_unavailable'
}

/**
 * Converts any thrown value: system errors by their code, aborts to `cancelled`, others to
 * `internal`.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('internal', String(error))
  if (error.name === 'AbortError')
    return new AppError('cancelled', 'The operation was cancelled.', { cause: error })
  const system = SYSTEM_CODES[getSystemCode(error) ?? '']
  if (system) return new AppError(system, formatSystemMessage(error, system), { cause: error })
  return new AppError('internal', error.message, { cause: error })
}

export function getSystemCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns a system error's words, such as `permission denied`. */
export function getReason(error: unknown): string {
  const failure: { readonly message: string; readonly code?: unknown } =
    error instanceof Error ? error : { message: String(error) }
  const { message, code } = failure
  if (typeof code === 'string' && UNTRUSTED.test(code))
    return `${message}; the variable NODE_EXTRA_CA_CERTS names a file of certificates that are to be trusted`
  return /^[A-Z]+: ([^,]+), \w+/.exec(message)?.[1] ?? message
}

const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

function formatSystemMessage(error: Error, code: ErrorCode): Sentence {
  const { path, code: systemCode }: NodeJS.ErrnoException = error
  if (systemCode === 'EFBIG')
    return 'A file would exceed the maximum file size of the system (ulimit -f). Raise that limit and try again.'
  if (path === undefined) return error.message
  return code === 'forbidden_source'
    ? localizable`Cannot use ${path}: ${getReason(error)}. Check its permissions.`
    : localizable`Cannot use ${path}: ${getReason(error)}.`
}

export function toFailure(error: unknown): Failure {
  const thrown = toAppError(error)
  const { code, message, subject, advice } = thrown
  const isReported = subject === 'model' || (subject === 'store' && code === 'store_mismatch')
  const failure = {
    code,
    message,
    ...(isReported && { subject }),
    ...(advice !== undefined && { advice }),
  }
  return attachMessages(failure, getMessages(thrown))
}

/**
 * Returns what outsiders may know: our messages, except `internal` and the store's addresses;
 * otherwise `instead`. Messages about models must be hidden separately (`isOfModel`).
 */
export function toPublicFailure(error: unknown, instead: string): Failure {
  const failure = toFailure(error)
  const { code } = failure
  const ofStore = toStoreMessage(failure)
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
