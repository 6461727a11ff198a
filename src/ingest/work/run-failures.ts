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
