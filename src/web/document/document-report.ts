import type { ReportedDocumentJson } from '../../wire/document.ts'

/** A document with its extraction report. */
export type DocumentReport = ReportedDocumentJson
