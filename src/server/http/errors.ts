import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { HttpFailure } from '../../agent/models/openai/http-failure.ts'
import { getMessages, localizable, type Sentence, withMessage } from '../../errors/localizable.ts'
import {
  AppError,
  type ErrorCode,
  type Failure,
  formatWithAdvice,
  isOfModel,
  MODEL_AWAY,
  omitAdvice,
  toAppError,
  toPublicFailure,
  toStoreMessage,
} from '../../errors.ts'
import { redact } from '../../system/redact.ts'
import type { ErrorJson, FailureJson } from '../../wire/error.ts'
import {
  isOperator,
  localize,
  localizeWarning,
  notifyOperator,
  type RequestContext,
} from './context.ts'
import { findField } from './field.ts'
import {
  getErrorType,
  getOpenAICode,
  getOpenAIType,
  isOpenAIPath,
  type ParameterFault,
} from './openai-errors.ts'
import { isReader } from './shown-source.ts'

const STATUS: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden_source: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_format: 415,
  empty: 422,
  no_text: 422,
  encrypted: 422,
  corrupt: 422,
  rate_limited: 429,
  internal: 500,
  store_mismatch: 500,
  fetch_failed: 502,
  model_unauthorized: 502,
  model_missing: 502,
  model_refused: 502,
  model_unavailable: 503,
  store_unavailable: 503,
  cancelled: 503,
  timeout: 504,
  disk_full: 507,
}

/** Refusals without a code. */
const OTHER_STATUSES: readonly (readonly [code: Refusal['code'], status: number])[] = [
  ['unsupported', 400],
  ['forbidden', 403],
  ['method_not_allowed', 405],
  ['invalid_input', 416],
]

export function listCodesByStatus(): ReadonlyMap<number, readonly string[]> {
  const codes = new Map<number, readonly string[]>()
  for (const [code, status] of [...Object.entries(STATUS), ...OTHER_STATUSES]) {
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  return codes
}

/** Codes whose retry is useless, although clients retry the status. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'store_mismatch',
  'disk_full',
  'model_unauthorized',
  'model_missing',
  'model_refused',
])

/** Suggested wait, so that clients spread out. */
const RETRY_AFTER_MS = 1_000

type Refusal = {
  readonly status: ContentfulStatusCode
  readonly code: ErrorCode | 'forbidden' | 'method_not_allowed' | 'unsupported'
  readonly message: Sentence
  readonly param?: string
  readonly fault?: ParameterFault
  readonly headers?: Readonly<Record<string, string>>
}

class RefusalError extends HTTPException {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.status, { message: `${refusal.message}`, res: encodeRefusal(refusal) })
    this.refusal = refusal
  }
}

function encodeRefusal({ status, headers, message, ...rest }: Refusal, c?: RequestContext) {
  const failure = { ...rest, message: c ? localize(c, message) : `${message}` }
  const body = toErrorBody(status, failure, c?.req.path)
  return Response.json(body, { status, ...(headers && { headers }) })
}

export function createRefusal(refusal: Refusal): HTTPException {
  return new RefusalError(refusal)
}

export function createInvalid(
  message: Sentence,
  param?: string,
  fault?: ParameterFault,
): HTTPException {
  return createRefusal({ status: 400, code: 'invalid_input', message, param, fault })
}

export function createUnsupported(message: Sentence, param: string): HTTPException {
  return createRefusal({ status: 400, code: 'unsupported', message, param })
}

export function createNoModel(
  name: string,
  advice: Sentence = 'GET /v1/models lists the available models.',
): HTTPException {
  return createRefusal({
    status: 404,
    code: 'not_found',
    message: localizable`There is no model ${name}. ${advice}`,
    param: 'model',
    fault: 'model_not_found',
  })
}

export function answerError(thrown: Error, c: RequestContext): Response {
  if (thrown instanceof RefusalError) return encodeRefusal(thrown.refusal, c)
  if (thrown instanceof HTTPException) return thrown.getResponse()
  const error = preferRevocation(thrown, c)
  const body = reportError(error, c)
  const { code } = hideFolders(error)
  const isFinal = PERMANENT.has(code)
  if (isFinal) c.header('x-should-retry', 'false')
  const waitMs =
    findUpstreamFailure(error)?.retryAfterMs ??
    (code === 'rate_limited' ? RETRY_AFTER_MS : undefined)
  if (waitMs !== undefined && !isFinal) {
    c.header('retry-after-ms', String(Math.ceil(waitMs)))
    c.header('retry-after', String(Math.ceil(waitMs / 1000)))
  }
  return c.json(body, STATUS[code])
}

function findUpstreamFailure(error: unknown): HttpFailure | undefined {
  return error instanceof AppError && error.cause instanceof HttpFailure ? error.cause : undefined
}

/** Returns what the client may know; logs the rest. */
export function reportError(error: unknown, c: RequestContext): ErrorJson {
  const failure = reportFailure(error, c)
  const param = error instanceof AppError ? findField(c, error.about) : undefined
  return toErrorBody(STATUS[failure.code], { ...failure, param }, c.req.path)
}

export function toErrorJson(error: unknown, c: RequestContext): ErrorJson['error'] {
  if (!(error instanceof RefusalError)) return reportError(preferRevocation(error, c), c).error
  const { status, message, ...rest } = error.refusal
  return toErrorBody(status, { ...rest, message: localize(c, message) }, c.req.path).error
}

/** Prefers the key's revocation: Node's streams only report an abort. */
function preferRevocation(error: unknown, { var: { signal } }: RequestContext): unknown {
  const reason = signal?.aborted ? signal.reason : undefined // missing before the key check
  const isRevoked = reason instanceof AppError && reason.code === 'unauthorized'
  return isRevoked && toAppError(error).code === 'cancelled' ? reason : error
}

/** Logs what is not stored. */
export function toStoredFailure(thrown: unknown, c: RequestContext): Failure {
  const error = preferRevocation(thrown, c)
  const failure = hideFolders(error)
  const isHidden = isOfModel(failure) || toStoreMessage(toAppError(error)) !== undefined
  const logged =
    failure.code === 'internal'
      ? getTrace(error)
      : isHidden
        ? formatWithAdvice(toAppError(error))
        : undefined
  if (logged !== undefined) notifyOperator(logged, c)
  return failure
}

export function readStoredFailure(failure: Failure, c: RequestContext): Failure {
  return localizeWarning(c, hideModel(failure, c))
}

/** Returns the public form of a stored failure, in English. */
export function hideModel(failure: Failure, c: RequestContext): Failure {
  const isHidden = isOfModel(failure) && !isOperator(c)
  const message = isHidden
    ? toModelMessage(failure)
    : (toStoreMessage(failure) ?? getMessages(failure).message)
  return withMessage({ code: failure.code }, message)
}

export function reportFailure(error: unknown, c: RequestContext): Failure {
  const failure = toStoredFailure(error, c)
  if (!isOfModel(failure) || isOperator(c)) return localizeWarning(c, failure)
  return { ...omitAdvice(failure), message: localize(c, toModelMessage(failure)) }
}

function toModelMessage({ code }: Failure): Sentence {
  if (code === 'model_refused') return REFUSED_UPSTREAM
  return PERMANENT.has(code)
    ? localizable`${MODEL_AWAY} ${MUST_BE_SET}`
    : localizable`${MODEL_AWAY} ${TRY_LATER}`
}

export function toPublicError(failure: Failure, c: RequestContext): AppError {
  const { code, message } = readStoredFailure(failure, c)
  return new AppError(code, message)
}

export function getStatus({ code }: Pick<Failure, 'code'>): number {
  return STATUS[code]
}

export function toFailureJson(failure: Failure, c: RequestContext): FailureJson {
  return { code: failure.code, message: toPublicMessage(failure, c) }
}

export function toPublicMessage(failure: Failure, c: RequestContext): string {
  const ofStore = toStoreMessage(failure)
  if (ofStore !== undefined) return localize(c, ofStore) // documents and jobs store everything
  if (failure.code === 'internal')
    return localize(c, localizable`Something failed inside Passim. ${SEES_DETAILS}`)
  if (isOfModel(failure) && !isOperator(c))
    return localize(c, localizable`${MODEL_AWAY} ${SEES_DETAILS}`)
  const message = localize(c, getMessages(failure).message)
  return isReader(c) ? redact(message) : message
}

function hideFolders(error: unknown): Failure {
  const failure = toPublicFailure(error, INTERNAL)
  const isOfStore = error instanceof AppError && error.subject === 'store'
  const message = isOfStore ? redact(failure.message) : failure.message
  return message === failure.message ? failure : { ...failure, message }
}

const REFUSED_UPSTREAM =
  'A model that this service uses is not available for this request: its server refused it and would refuse it again. ' +
  "Send a shorter or different request, or ask the operator, whose log has the details under this request's x-request-id."

const MUST_BE_SET =
  "Its server does not know the model or refuses this service's key. Ask the operator, whose log has the details under this request's x-request-id."

const SEES_DETAILS = 'The operator of this service can see the details.'

const TRY_LATER =
  "Try again later. The server's log has the details under this request's x-request-id."

const INTERNAL =
  "Something failed inside Passim. The server's log has the details under this request's x-request-id."

type SentFailure = {
  readonly code: string
  readonly message: string
  readonly param?: string
  readonly fault?: ParameterFault
}

/** Adds OpenAI's envelope, and under `/v1` OpenAI's types and codes. */
export function toErrorBody(
  status: number,
  { message, param: ownParam, ...failure }: SentFailure,
  path = '',
): ErrorJson {
  const param = ownParam ?? null
  if (!isOpenAIPath(path))
    return { error: { message, type: getErrorType(status), param, code: failure.code } }
  const described = { ...failure, status, param }
  const code = getOpenAICode(described)
  return { error: { message, type: getOpenAIType(described), param, code } }
}

function getTrace(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? String(error.stack)
    : `${error.stack}\ncaused by ${getTrace(error.cause)}`
}
