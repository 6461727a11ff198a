import type { AppError, Failure } from '../../errors.ts'
import type { Warning } from '../../ingest/parse/parser.ts'

export type ToldFailure = Failure | Pick<AppError, 'code' | 'message' | 'subject' | 'advice'>

export type ToldWarning = Pick<Warning, 'message' | 'advice'>
