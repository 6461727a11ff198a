import type { Statements } from '../catalog.ts'
import { NO_EMBEDDER } from './collections.ts'
import type { DocumentStatus } from './document.ts'
import { PUBLISHED_DOCUMENTS } from './document-rows.ts'

export type CountByStatus = Readonly<Record<DocumentStatus, number>>

export type DocumentTotals = {
  readonly documents: CountByStatus
  readonly chunks: number
  readonly bytes: number
}

type TotalsRow = { status: DocumentStatus; documents: number; chunks: number; bytes: number }

const NONE: CountByStatus = { in_progress: 0, completed: 0, failed: 0, cancelled: 0 }

export async function countTotals(
  catalog: Statements,
  collectionId: string,
): Promise<DocumentTotals> {
  const sql = `SELECT documents.status, count(*) AS documents, coalesce(sum(files.bytes), 0) AS bytes,
    coalesce(sum(CAST(versions.report ->> '$.chunks' AS BIGINT)), 0) AS chunks FROM documents
    JOIN files ON files.id = documents.file_id
    LEFT JOIN versions ON versions.document_id = documents.id AND versions.state = 'published'
    WHERE documents.collection_id = ? GROUP BY documents.status`
  const documents = { ...NONE }
  let chunks = 0
  let bytes = 0
  for (const row of await catalog.all<TotalsRow>(sql, collectionId)) {
    documents[row.status] = row.documents
    chunks += row.chunks
    bytes += row.bytes
  }
  return { documents, chunks, bytes }
}

export type UnfinishedCount = {
  /** Cannot be found, not even in an older version. */
  readonly unfound: number
  readonly byWords: number
}

export type UnfinishedOf =
  | { readonly collectionId: string }
  | { readonly documentIds: readonly string[] }

export async function countUnfinished(
  catalog: Statements,
  of: UnfinishedOf,
): Promise<UnfinishedCount> {
  const where =
    'collectionId' in of
      ? 'documents.collection_id = ?'
      : 'documents.id IN (SELECT value FROM json_each(?))'
  const sql = `SELECT count(*) FILTER (WHERE versions.version IS NULL) AS unfound, count(*) FILTER (WHERE versions.embedder_id = ''
      AND collections.embedder_id != '${NO_EMBEDDER}' AND documents.settings ->> '$.withoutVectors' IS NULL) AS "byWords"
    ${PUBLISHED_DOCUMENTS} JOIN collections ON collections.id = documents.collection_id
    WHERE ${where} AND documents.status = 'in_progress'`
  return (await catalog.get<UnfinishedCount>(
    sql,
    'collectionId' in of ? of.collectionId : JSON.stringify(of.documentIds),
  ))!
}

export async function countByStatus(catalog: Statements): Promise<CountByStatus> {
  const sql = `SELECT status, count(*) AS n FROM documents
    WHERE collection_id IN (SELECT id FROM collections WHERE hidden = 0) GROUP BY status`
  const rows = await catalog.all<{ status: DocumentStatus; n: number }>(sql)
  return { ...NONE, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) }
}
