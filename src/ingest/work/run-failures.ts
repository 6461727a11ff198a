import type { ErrorCode } from '../../errors.ts'

/** Failures of the machine or of the run, not of the document: the run ends, the document stays in the queue. */
export const ENDS_RUN: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'cancelled',
  'model_unavailable',
  'store_mismatch',
  'store_unavailable',
  'conflict',
])

/** Verdicts on the bytes: parsing them again with the same parser would say the same. */
export const FINAL: ReadonlySet<ErrorCode> = new Set([
  'unsupported_format',
  'empty',
  'no_text',
  'encrypted',
  'corrupt',
])

/** The same where the limits are the same, too. */
export const FINAL_WITHIN_LIMITS: ReadonlySet<ErrorCode> = new Set([
  ...FINAL,
  'timeout',
  'too_large',
])
