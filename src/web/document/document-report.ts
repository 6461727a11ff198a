import type { ReportedDocumentJson } from '../../wire/document.ts'

export type DocumentReport = ReportedDocumentJson
