import type { Catalog } from '../catalog.ts'
import type { DocumentStatus } from './document.ts'

export type CountByStatus = Readonly<Record<DocumentStatus, number>>

export type DocumentTotals = {
  readonly documents: CountByStatus
  readonly chunks: number
  readonly bytes: number
}

type TotalsRow = { status: DocumentStatus; documents: number; chunks: number; bytes: number }

const NONE: CountByStatus = { in_progress: 0, completed: 0, failed: 0, cancelled: 0 }

/** What a collection holds. */
export function totalsOf(catalog: Catalog, collectionId: string): DocumentTotals {
  const sql = `SELECT documents.status, count(*) AS documents, total(files.bytes) AS bytes,
    total(json_extract(versions.report, '$.chunks')) AS chunks FROM documents
    JOIN files ON files.id = documents.file_id
    LEFT JOIN versions ON versions.document_id = documents.id AND versions.state = 'published'
    WHERE documents.collection_id = ? GROUP BY documents.status`
  const documents = { ...NONE }
  let chunks = 0
  let bytes = 0
  for (const row of catalog.all<TotalsRow>(sql, collectionId)) {
    documents[row.status] = row.documents
    chunks += row.chunks
    bytes += row.bytes
  }
  return { documents, chunks, bytes }
}

/** Of all collections that a user made. */
export function countByStatus(catalog: Catalog): CountByStatus {
  const sql = `SELECT status, count(*) AS n FROM documents
    WHERE collection_id IN (SELECT id FROM collections WHERE hidden = 0) GROUP BY status`
  const rows = catalog.all<{ status: DocumentStatus; n: number }>(sql)
  return { ...NONE, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) }
}
