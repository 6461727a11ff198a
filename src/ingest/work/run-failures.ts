import { type AppError, type ErrorCode, isModelFailure } from '../../errors.ts'

const ENDS_RUN: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'cancelled',
  'store_mismatch',
  'store_unavailable',
  'conflict',
])

/** Errors of the machine, a model or the run: the document stays in the queue. */
export function endsRun(error: AppError): boolean {
  return ENDS_RUN.has(error.code) || isModelFailure(error)
}

/** Errors of the bytes: the same parser would fail again. */
export const FINAL: ReadonlySet<ErrorCode> = new Set([
  'unsupported_format',
  'empty',
  'no_text',
  'encrypted',
  'corrupt',
])

/** The same parser under the same limits would fail again. */
export const FINAL_WITHIN_LIMITS: ReadonlySet<ErrorCode> = new Set([
  ...FINAL,
  'timeout',
  'too_large',
])
