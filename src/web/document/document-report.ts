import type { ParsedReport } from '../../ingest/store/contents/parsed-writer.ts'
import type { StoreDocument } from '../documents/stored-document.ts'

/** A document with its extraction report. */
export type DocumentReport = StoreDocument & {
  readonly collection: string
  readonly characters?: number
  readonly report?: ParsedReport['pages']
}
