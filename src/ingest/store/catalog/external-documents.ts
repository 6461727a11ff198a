import type { Statements } from '../catalog.ts'
import type { DocumentStatus } from './document.ts'
import { EXTERNAL_PREFIX, parseExternalId, toExternalSource } from './external-id.ts'

export type ExternalDocument = {
  readonly id: string
  readonly documentId: string
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string
  readonly status: DocumentStatus
}

type Row = { source: string; id: string; sha256: string; status: DocumentStatus }

type PageQuery = { readonly after?: string | undefined; readonly limit: number }

/** Lists documents after an external id. Omits reports, which may be large. */
export async function listExternalDocuments(
  catalog: Statements,
  collectionId: string,
  { after, limit }: PageQuery,
): Promise<readonly ExternalDocument[]> {
  const rows = await catalog.all<Row>(
    `SELECT documents.source, documents.id, documents.status, files.sha256
     FROM documents JOIN files ON files.id = documents.file_id
     WHERE documents.collection_id = ?1 AND documents.parent_id IS NULL
       AND substr(documents.source, 1, length(?2)) = ?2 AND documents.source > ?3
     ORDER BY documents.source LIMIT ?4`,
    collectionId,
    EXTERNAL_PREFIX,
    after === undefined ? EXTERNAL_PREFIX : toExternalSource(after),
    limit,
  )
  return rows.flatMap(({ source, id: documentId, sha256: hash, status }) => {
    const id = parseExternalId(source)
    return id === undefined ? [] : [{ id, documentId, hash, status }]
  })
}
