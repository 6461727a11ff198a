import { localizable, unpackMessages } from '../../../errors/localizable.ts'
import { AppError, type Failure } from '../../../errors.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import {
  applyChange,
  type ChunkChange,
  type ChunkEdit,
  type ChunkPlace,
  isEmptyEdit,
  isSamePlace,
} from '../../chunk/chunk-edits.ts'
import type { Statements } from '../catalog.ts'
import type {
  Attributes,
  Document,
  DocumentSettings,
  DocumentStatus,
  Validators,
} from './document.ts'
import {
  type CountByStatus,
  countByStatus,
  countTotals,
  countUnfinished,
  type DocumentTotals,
  type UnfinishedCount,
  type UnfinishedOf,
} from './document-counts.ts'
import {
  DOCUMENT_ROWS,
  type DocumentRow,
  PUBLISHED_DOCUMENTS,
  toDocument,
} from './document-rows.ts'
import { getWriterLease, hasWorker, isLeased } from './lease.ts'

export type RequestedDocument = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  readonly sha256: string
  readonly bytes: number
  readonly source: string
  readonly name: string
  readonly declaredType?: string
  readonly status: DocumentStatus
  /** Increases with every request; a writer of an older one publishes nothing. */
  readonly revision: number
  readonly settings: DocumentSettings
  readonly error?: Failure
  /** Key of the stages that failed on these bytes, so that they are not repeated. */
  readonly failedStages?: string
  readonly parentId?: string
  readonly rootId?: string
  readonly depth: number
  readonly validators?: Validators
  readonly chunkEdits?: readonly ChunkEdit[]
}

const SET_CHUNK_EDITS = `UPDATE documents SET chunk_edits = ?, status = 'in_progress', revision = revision + 1 WHERE id = ?`

type QueueQuery = {
  readonly part: QueuePart
  readonly except: ReadonlySet<string>
  readonly limit: number
}

/**
 * `unpublished`: readers cannot find these bytes yet. `published`: they can, but a version lacks
 * vectors or is of other stages.
 */
export type QueuePart = 'unpublished' | 'published'

const QUEUE_PARTS: Readonly<Record<QueuePart, { readonly where: string; readonly cost: string }>> =
  {
    unpublished: {
      where: '(versions.sha256 IS NULL OR versions.sha256 != files.sha256)',
      cost: 'files.bytes',
    },
    published: {
      where: 'versions.sha256 = files.sha256',
      cost: `CAST(versions.report ->> '$.chunks' AS BIGINT)`,
    },
  }

/** Keeps the edits of a document below 1 MiB: a note has 1,000 characters. */
export const MAX_CHUNK_EDITS = 500

const IN_LIST = 'IN (SELECT value FROM json_each(?))'

/** Documents `in_progress` are the queue. */
export class Documents {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async find(id: string): Promise<Document | undefined> {
    return await findDocument(this.#catalog, id)
  }

  /** Matches sources and base names. */
  async findByName(collectionId: string, names: readonly string[]): Promise<readonly Document[]> {
    return await this.#list(
      `documents.collection_id = ?1 AND (documents.source IN (SELECT value FROM json_each(?2))
       OR documents.name IN (SELECT value FROM json_each(?2))) ORDER BY documents.source`,
      collectionId,
      JSON.stringify(names),
    )
  }

  async findRequested(id: string): Promise<RequestedDocument | undefined> {
    return (await this.#listRequested('documents.id = ?', id))[0]
  }

  async findBySource(collectionId: string, source: string): Promise<RequestedDocument | undefined> {
    return await findDocumentBySource(this.#catalog, collectionId, source)
  }

  async findByFile(collectionId: string, fileId: string): Promise<Document | undefined> {
    const where = 'documents.collection_id = ? AND documents.file_id = ?'
    return (await this.#list(where, collectionId, fileId))[0]
  }

  async listByFile(fileId: string): Promise<readonly Document[]> {
    return await this.#list('documents.file_id = ?', fileId)
  }

  async list(collectionId: string): Promise<readonly Document[]> {
    return await this.#list('documents.collection_id = ? ORDER BY documents.source', collectionId)
  }

  /** Reads one page: a collection may be large. */
  async listPage(collectionId: string, after: string, limit: number): Promise<readonly Document[]> {
    const where =
      'documents.collection_id = ? AND documents.source > ? ORDER BY documents.source LIMIT ?'
    return await this.#list(where, collectionId, after, limit)
  }

  async listPublished(
    collectionId: string,
  ): Promise<readonly { readonly version: number; readonly document: Document }[]> {
    const rows = await this.#select('documents.collection_id = ?', collectionId)
    return rows.flatMap(row =>
      row.version === null ? [] : [{ version: row.version, document: toDocument(row) }],
    )
  }

  async findAll(ids: readonly string[]): Promise<readonly Document[]> {
    return await this.#list(`documents.id ${IN_LIST}`, JSON.stringify(ids))
  }

  /** Omits attachments, which go with their document. */
  async listUnder(collectionId: string, folder: string): Promise<readonly RequestedDocument[]> {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`
    return await this.#listRequested(
      `documents.collection_id = ?1 AND documents.parent_id IS NULL
       AND (documents.source = ?2 OR substr(documents.source, 1, length(?3)) = ?3) ORDER BY documents.source`,
      collectionId,
      folder,
      prefix,
    )
  }

  async listAttached(id: string): Promise<readonly RequestedDocument[]> {
    return await listAttached(this.#catalog, id)
  }

  /** Includes attachments of any depth. */
  async listAttachments(collectionId: string): Promise<readonly RequestedDocument[]> {
    const where =
      'documents.collection_id = ? AND documents.root_id IS NOT NULL ORDER BY documents.source'
    return await this.#listRequested(where, collectionId)
  }

  async listIdsBelow(rootId: string): Promise<readonly string[]> {
    const sql = 'SELECT id FROM documents WHERE root_id = ? ORDER BY depth DESC'
    return (await this.#catalog.all<{ id: string }>(sql, rootId)).map(row => row.id)
  }

  async countOtherAttachments(rootId: string, parentId: string): Promise<number> {
    return await this.#count('root_id = ? AND parent_id <> ?', rootId, parentId)
  }

  /** Lists the cheapest first, so that most documents are soon found. */
  async listQueued(
    collectionId: string,
    { part, except, limit }: QueueQuery,
  ): Promise<readonly RequestedDocument[]> {
    const { where, cost } = QUEUE_PARTS[part]
    const rows = await this.#select(
      `documents.id IN (SELECT documents.id ${PUBLISHED_DOCUMENTS}
       WHERE documents.collection_id = ? AND documents.status = 'in_progress' AND ${where}
       ORDER BY ${cost}, documents.source LIMIT ?) ORDER BY ${cost}, documents.source`,
      collectionId,
      limit + except.size,
    )
    return rows.filter(row => !except.has(row.id)).map(toRequested)
  }

  async countTotals(collectionId: string): Promise<DocumentTotals> {
    return await countTotals(this.#catalog, collectionId)
  }

  async countByStatus(): Promise<CountByStatus> {
    return await countByStatus(this.#catalog)
  }

  async countUnfinished(of: UnfinishedOf): Promise<UnfinishedCount> {
    return await countUnfinished(this.#catalog, of)
  }

  async areWorkedOn(collectionIds: readonly string[]): Promise<boolean> {
    if (await hasWorker(this.#catalog)) return true
    const sql = `SELECT DISTINCT collection_id AS id FROM documents
      WHERE status = 'in_progress' AND collection_id ${IN_LIST}`
    const rows = await this.#catalog.all<{ id: string }>(sql, JSON.stringify(collectionIds))
    for (const { id } of rows)
      if (!(await isLeased(this.#catalog, getWriterLease(id)))) return false
    return true
  }

  async countQueued(collectionId: string): Promise<number> {
    return await this.#count(`collection_id = ? AND status = 'in_progress'`, collectionId)
  }

  async requeue(ids: readonly string[]): Promise<void> {
    const sql = `UPDATE documents SET status = 'in_progress', revision = revision + 1 WHERE id ${IN_LIST}`
    if (ids.length > 0) await this.#catalog.run(sql, JSON.stringify(ids))
  }

  async requeueWith(id: string, settings: DocumentSettings): Promise<void> {
    const sql = `UPDATE documents SET status = 'in_progress', revision = revision + 1, settings = ?, error = NULL, failed_stages = NULL
      WHERE id = ?`
    await this.#catalog.run(sql, JSON.stringify(settings), id)
  }

  /** Forgets the edits `gone` if there are too many. Throws `conflict`. */
  async editChunk(
    id: string,
    place: ChunkPlace,
    { change, gone }: { readonly change: ChunkChange; readonly gone: readonly ChunkPlace[] },
  ): Promise<ChunkEdit> {
    return await this.#catalog.transaction(async inside => {
      const sql = 'SELECT chunk_edits AS edits FROM documents WHERE id = ?'
      const row = await inside.get<{ edits: string | null }>(sql, id)
      const before = parseOwnJson<ChunkEdit[]>(row?.edits ?? '[]')
      const isSame = (other: ChunkPlace) => isSamePlace(other, place)
      const isGone = (other: ChunkPlace) => gone.some(one => isSamePlace(one, other))
      const others = before.filter(other => !isSame(other))
      const kept = others.length < MAX_CHUNK_EDITS ? others : others.filter(other => !isGone(other))
      const edit = applyChange(before.find(isSame) ?? place, change)
      const edits = isEmptyEdit(edit) ? kept : [...kept, edit]
      if (edits.length > MAX_CHUNK_EDITS)
        throw new AppError(
          'conflict',
          localizable`The document has ${MAX_CHUNK_EDITS} changed chunks already, the most that one may have.`,
        )
      await inside.run(SET_CHUNK_EDITS, edits.length > 0 ? JSON.stringify(edits) : null, id)
      return edit
    })
  }

  /** Call it inside the transaction that read the edits. */
  async setChunkEdits(id: string, edits: readonly ChunkEdit[]): Promise<void> {
    await this.#catalog.run(SET_CHUNK_EDITS, JSON.stringify(edits), id)
  }

  /** Moves its attachments, too. A new base name queues it again, because rows contain it. */
  async move(
    { id, name: before, source: from }: Pick<RequestedDocument, 'id' | 'name' | 'source'>,
    source: string,
    name: string,
  ): Promise<void> {
    const requeue =
      name === before
        ? ''
        : `, status = CASE WHEN id = ?1 THEN 'in_progress' ELSE status END,
           revision = CASE WHEN id = ?1 THEN revision + 1 ELSE revision END`
    const sql = `UPDATE documents SET source = ?2 || substr(source, length(?3) + 1), name = CASE WHEN id = ?1 THEN ?4 ELSE name END${requeue}
      WHERE id = ?1 OR root_id = ?1`
    await this.#catalog.run(sql, id, source, from, name)
  }

  async setAttributes(id: string, attributes: Attributes): Promise<void> {
    const sql = 'UPDATE documents SET attributes = ? WHERE id = ?'
    await this.#catalog.run(sql, JSON.stringify(attributes), id)
  }

  async listReaders(): Promise<readonly string[]> {
    const list = (column: string) =>
      `SELECT ${column} ->> '$.readers' AS readers FROM documents WHERE ${column} ->> '$.readers' IS NOT NULL`
    const sql = `${list('attributes')} UNION ${list('earlier_facts')}`
    return (await this.#catalog.all<{ readers: unknown }>(sql)).map(row => String(row.readers))
  }

  async listUrls(): Promise<readonly string[]> {
    const sql = `SELECT DISTINCT source FROM documents WHERE source LIKE 'http://%' OR source LIKE 'https://%'`
    return (await this.#catalog.all<{ source: string }>(sql)).map(row => row.source)
  }

  async setValidators(id: string, validators: Validators): Promise<void> {
    const sql = 'UPDATE documents SET validators = ? WHERE id = ?'
    await this.#catalog.run(sql, JSON.stringify(validators), id)
  }

  async listSharedContents(collectionId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT DISTINCT files.sha256 FROM documents JOIN files ON files.id = documents.file_id
      WHERE documents.collection_id != ?`
    const rows = await this.#catalog.all<{ sha256: string }>(sql, collectionId)
    return new Set(rows.map(row => row.sha256))
  }

  async listWithoutVectors(collectionId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT id FROM documents WHERE collection_id = ? AND settings ->> '$.withoutVectors' IS NOT NULL`
    return new Set((await this.#catalog.all<{ id: string }>(sql, collectionId)).map(row => row.id))
  }

  async #select(where: string, ...values: readonly unknown[]): Promise<readonly DocumentRow[]> {
    return await this.#catalog.all<DocumentRow>(`${DOCUMENT_ROWS} WHERE ${where}`, ...values)
  }

  async #list(where: string, ...values: readonly unknown[]): Promise<readonly Document[]> {
    return (await this.#select(where, ...values)).map(toDocument)
  }

  async #listRequested(
    where: string,
    ...values: readonly unknown[]
  ): Promise<readonly RequestedDocument[]> {
    return (await this.#select(where, ...values)).map(toRequested)
  }

  async #count(where: string, ...values: readonly string[]): Promise<number> {
    const sql = `SELECT count(*) AS n FROM documents WHERE ${where}`
    return (await this.#catalog.get<{ n: number }>(sql, ...values))?.n ?? 0
  }
}

export async function findDocument(catalog: Statements, id: string): Promise<Document | undefined> {
  const row = await catalog.get<DocumentRow>(`${DOCUMENT_ROWS} WHERE documents.id = ?`, id)
  return row && toDocument(row)
}

export async function findDocumentBySource(
  catalog: Statements,
  collectionId: string,
  source: string,
): Promise<RequestedDocument | undefined> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.source = ?`
  const row = await catalog.get<DocumentRow>(sql, collectionId, source)
  return row && toRequested(row)
}

export async function listAttached(
  catalog: Statements,
  id: string,
): Promise<readonly RequestedDocument[]> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.parent_id = ? ORDER BY documents.source`
  return (await catalog.all<DocumentRow>(sql, id)).map(toRequested)
}

function toRequested(row: DocumentRow): RequestedDocument {
  return {
    id: row.id,
    collectionId: row.collection_id,
    fileId: row.file_id,
    sha256: row.sha256,
    bytes: row.bytes,
    source: row.source,
    name: row.name,
    ...(row.declared_type && { declaredType: row.declared_type }),
    status: row.status,
    revision: row.revision,
    settings: parseOwnJson<DocumentSettings>(row.settings),
    ...(row.error && { error: unpackMessages(parseOwnJson<Failure>(row.error)) }),
    ...(row.failed_stages && { failedStages: row.failed_stages }),
    ...(row.parent_id && { parentId: row.parent_id }),
    ...(row.root_id && { rootId: row.root_id }),
    depth: row.depth,
    ...(row.validators && { validators: parseOwnJson<Validators>(row.validators) }),
    ...(row.chunk_edits && { chunkEdits: parseOwnJson<ChunkEdit[]>(row.chunk_edits) }),
  }
}
