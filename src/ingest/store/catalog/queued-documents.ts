import { isDeepStrictEqual } from 'node:util'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import type { Statements } from '../catalog.ts'
import { filterAttributes } from '../filter-attributes.ts'
import type { Attributes, Document, DocumentSettings, Validators } from './document.ts'
import { DOCUMENT_ROWS, type DocumentRow, toDocument } from './document-rows.ts'
import { findDocument, findDocumentBySource, type RequestedDocument } from './documents.ts'
import { readExternalId, toExternalSource } from './external-id.ts'

export type NewDocument = {
  readonly collectionId: string
  readonly fileId: string
  readonly source: string
  readonly name: string
  readonly settings: DocumentSettings
  /** Default: unchanged. */
  readonly attributes?: Attributes
  readonly validators?: Validators
  readonly parent?: Pick<RequestedDocument, 'id' | 'rootId' | 'depth'>
}

type RequestedFile = Pick<NewDocument, 'fileId' | 'settings' | 'attributes'>

/** Queues uploaded files as documents, all or none. Throws `not_found`. */
export async function queueFiles(
  catalog: Statements,
  collectionId: string,
  entries: readonly RequestedFile[],
): Promise<readonly Document[]> {
  return await catalog.transaction(
    async inside =>
      await Promise.all(entries.map(async entry => await queueFile(inside, collectionId, entry))),
  )
}

async function queueFile(
  inside: Statements,
  collectionId: string,
  entry: RequestedFile,
): Promise<Document> {
  const sql = 'SELECT name FROM files WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)'
  const file = await inside.get<{ name: string }>(sql, entry.fileId, Date.now())
  if (!file)
    throw new AppError(
      'not_found',
      localizable`There is no file ${entry.fileId}. Upload it first.`,
      {
        about: entry.fileId,
      },
    )
  const { name } = file
  const externalId = entry.attributes && readExternalId(entry.attributes)
  const source =
    externalId === undefined ? `upload:${entry.fileId}/${name}` : toExternalSource(externalId)
  const document = { ...entry, collectionId, source, name }
  const existing = externalId === undefined ? undefined : await replaceFileIfSame(inside, document)
  return (await findDocument(inside, existing ?? (await queueDocument(inside, document))))!
}

/** Points a document of the same bytes to another file. Returns its id, else undefined. */
async function replaceFileIfSame(
  inside: Statements,
  { collectionId, source, ...requested }: NewDocument,
): Promise<string | undefined> {
  const existing = await findDocumentBySource(inside, collectionId, source)
  if (existing?.status !== 'completed' || existing.name !== requested.name) return undefined
  if (!isDeepStrictEqual(existing.settings, requested.settings)) return undefined
  const row = await inside.get<{ id: string }>(
    `UPDATE documents SET file_id = ?1, attributes = ?2 WHERE id = ?3
     AND EXISTS (SELECT 1 FROM files WHERE id = ?1 AND sha256 = ?4) RETURNING id`,
    requested.fileId,
    JSON.stringify(requested.attributes ?? {}),
    existing.id,
    existing.sha256,
  )
  return row?.id
}

export async function queueDocument(catalog: Statements, input: NewDocument): Promise<string> {
  const earlierFacts = input.parent ? null : await findEarlierFacts(catalog, input)
  const row = await catalog.get<{ id: string }>(
    `INSERT INTO documents (id, collection_id, file_id, source, name, status, revision, settings, attributes, created_at, validators,
     parent_id, root_id, depth, earlier_facts)
     VALUES (?1, ?2, ?3, ?4, ?5, 'in_progress', 1, ?6, coalesce(?7, '{}'), ?8, ?9, ?10, ?11, ?12, ?13)
     ON CONFLICT (collection_id, source) DO UPDATE SET file_id = excluded.file_id, name = excluded.name,
     status = 'in_progress', revision = documents.revision + 1, settings = excluded.settings,
     attributes = coalesce(?7, documents.attributes), error = NULL, failed_stages = NULL, validators = excluded.validators,
     earlier_facts = excluded.earlier_facts RETURNING id`,
    createId('doc_'),
    input.collectionId,
    input.fileId,
    input.source,
    input.name,
    JSON.stringify(input.settings),
    input.attributes ? JSON.stringify(input.attributes) : null,
    Date.now(),
    input.validators ? JSON.stringify(input.validators) : null,
    input.parent?.id ?? null,
    input.parent ? (input.parent.rootId ?? input.parent.id) : null,
    input.parent ? input.parent.depth + 1 : 0,
    earlierFacts,
  )
  return row!.id
}

async function findEarlierFacts(
  catalog: Statements,
  { collectionId, source }: NewDocument,
): Promise<string | null> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.source = ?`
  const row = await catalog.get<DocumentRow>(sql, collectionId, source)
  if (!row?.report) return null
  return row.earlier_facts ?? JSON.stringify(filterAttributes(toDocument(row)))
}

/** Call it inside the transaction that ends an earlier text. */
export async function forgetEarlierFacts(
  catalog: Statements,
  { id, rootId = id }: Pick<RequestedDocument, 'id' | 'rootId'>,
): Promise<void> {
  const sql = `UPDATE documents SET earlier_facts = NULL WHERE id = ?1 AND earlier_facts IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM documents AS part JOIN files ON files.id = part.file_id
     JOIN versions ON versions.document_id = part.id AND versions.state = 'published' AND versions.sha256 <> files.sha256
     WHERE part.id = ?1 OR part.root_id = ?1)`
  await catalog.run(sql, rootId)
}
