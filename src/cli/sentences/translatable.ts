import type { AppError, Failure } from '../../errors.ts'
import type { Warning } from '../../ingest/parse/parser.ts'

export type TranslatableFailure =
  | Failure
  | Pick<AppError, 'code' | 'message' | 'subject' | 'advice'>

export type TranslatableWarning = Pick<Warning, 'message' | 'advice'>
