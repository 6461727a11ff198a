import { unpackMessages, unpackWarnings } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Tables } from '../catalog.ts'
import type { Attributes, Document, DocumentSettings, DocumentStatus } from './document.ts'
import { parseExternalId } from './external-id.ts'
import type { VersionReport } from './versions.ts'

export const documentTables: Tables = {
  1: [
    `CREATE TABLE documents (
    id TEXT PRIMARY KEY, collection_id TEXT NOT NULL, file_id TEXT NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL,
    status TEXT NOT NULL, revision INTEGER NOT NULL, settings TEXT NOT NULL, attributes TEXT NOT NULL,
    error TEXT, failed_stages TEXT, created_at INTEGER NOT NULL, UNIQUE (collection_id, source)
  ) WITHOUT ROWID`,
    `CREATE INDEX documents_in_progress ON documents (collection_id, created_at) WHERE status = 'in_progress'`,
    'CREATE INDEX documents_by_file ON documents (file_id)',
  ],
  /** Sent to web servers with the next request. */
  4: ['ALTER TABLE documents ADD COLUMN validators TEXT'],
  /** The direct and the outermost document of an attachment, and its depth. */
  6: [
    'ALTER TABLE documents ADD COLUMN parent_id TEXT',
    'ALTER TABLE documents ADD COLUMN root_id TEXT',
    'ALTER TABLE documents ADD COLUMN depth INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX documents_by_parent ON documents (parent_id) WHERE parent_id IS NOT NULL',
    'CREATE INDEX documents_by_root ON documents (root_id) WHERE root_id IS NOT NULL',
  ],
  24: ['ALTER TABLE documents ADD COLUMN chunk_edits TEXT'],
  /** Older programs wrote no vectors of notes. */
  28: [
    `UPDATE documents SET status = 'in_progress', revision = revision + 1
     WHERE status = 'completed' AND chunk_edits LIKE '%"note":%'`,
  ],
  29: ['ALTER TABLE documents ADD COLUMN earlier_facts TEXT'],
}

export type DocumentRow = {
  id: string
  collection_id: string
  file_id: string
  sha256: string
  bytes: number
  source: string
  name: string
  status: DocumentStatus
  revision: number
  settings: string
  attributes: string
  error: string | null
  failed_stages: string | null
  created_at: number
  validators: string | null
  parent_id: string | null
  root_id: string | null
  depth: number
  chunk_edits: string | null
  earlier_facts: string | null
  report: string | null
  version: number | null
  embedded_by: string | null
  declared_type: string | null
}

export const PUBLISHED_DOCUMENTS = `FROM documents JOIN files ON files.id = documents.file_id
  LEFT JOIN versions ON versions.document_id = documents.id AND versions.state = 'published'`

export const DOCUMENT_ROWS = `SELECT documents.*, files.sha256, files.bytes, files.declared_type, versions.report,
    versions.version, versions.embedder_id AS embedded_by ${PUBLISHED_DOCUMENTS}`

export function toDocument(row: DocumentRow): Document {
  const report = row.report ? unpackWarnings(parseOwnJson<VersionReport>(row.report)) : undefined
  const stated = parseOwnJson<DocumentSettings>(row.settings)
  return {
    id: row.id,
    collectionId: row.collection_id,
    fileId: row.file_id,
    source: row.source,
    ...getStatedAddresses(row.source, stated),
    hash: row.sha256,
    ...(row.parent_id && { parentId: row.parent_id }),
    name: row.name,
    title: stated.title ?? (report?.title || row.name),
    status: row.status,
    ...(report && { searchable: row.embedded_by ? ('all' as const) : ('words' as const) }),
    mediaType: report?.mediaType ?? 'application/octet-stream',
    bytes: row.bytes,
    ...(report?.pages !== undefined && { pages: report.pages }),
    chunks: report?.chunks ?? 0,
    tokens: report?.tokens ?? 0,
    attributes: parseOwnJson<Attributes>(row.attributes),
    ...(row.earlier_facts && { earlierFacts: parseOwnJson<Attributes>(row.earlier_facts) }),
    metadata: { ...report?.metadata, ...getStatedMetadata(stated) },
    warnings: report?.warnings ?? [],
    ...(row.error && { error: unpackMessages(parseOwnJson<Failure>(row.error)) }),
    createdAt: row.created_at,
    ...(report && { indexedAt: report.indexedAt }),
  }
}

function getStatedAddresses(
  source: string,
  { url }: DocumentSettings,
): Pick<Document, 'externalId' | 'url'> {
  const externalId = parseExternalId(source)
  return { ...(externalId !== undefined && { externalId }), ...(url && { url }) }
}

function getStatedMetadata({ title, language }: DocumentSettings): Document['metadata'] {
  return { ...(title && { title }), ...(language && { language }) }
}
