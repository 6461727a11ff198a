import { AppError, type Failure } from '../../../errors.ts'
import { newId } from '../../../system/digest.ts'
import type { Chunking } from '../../chunk/chunker.ts'
import type { OcrMode } from '../../parse/parser.ts'
import type { Statements } from '../catalog.ts'
import type { Attributes, Document, DocumentStatus } from './document.ts'
import {
  type CountByStatus,
  countByStatus,
  countUnfinished,
  type DocumentTotals,
  totalsOf,
  type UnfinishedCount,
  type UnfinishedOf,
} from './document-counts.ts'
import {
  DOCUMENT_ROWS,
  type DocumentRow,
  PUBLISHED_DOCUMENTS,
  toDocument,
} from './document-rows.ts'

/** What a user asked for about one document; part of what decides whether it must be indexed again. */
export type DocumentSettings = {
  readonly chunking?: Chunking
  /** Keyword search only. */
  readonly withoutVectors?: boolean
  /** Given by the source instead of found in the bytes. */
  readonly mediaType?: string
  /** Which pages to read by OCR, other than the settings say. */
  readonly ocr?: OcrMode
}

/** What a web server gave to be asked with the next time. */
export type Validators = { readonly etag?: string; readonly lastModified?: string }

/** What is wanted of a document: the queue's entry. */
export type WantedDocument = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  readonly sha256: string
  readonly bytes: number
  readonly source: string
  readonly name: string
  /** What whoever uploaded the file said that it is. */
  readonly declaredType?: string
  readonly status: DocumentStatus
  /** Moves whenever something else is wanted; a writer that finishes an older revision publishes nothing. */
  readonly revision: number
  readonly settings: DocumentSettings
  readonly error?: Failure
  /** The stages that failed on these bytes, so that a hopeless file is not parsed again and again. */
  readonly failedStages?: string
  /** The document it is attached to, and the one that holds them all; `depth` is how deep it lies within that. */
  readonly parentId?: string
  readonly rootId?: string
  readonly depth: number
  /** Of a document from the web: its server tells by them whether it has changed. */
  readonly validators?: Validators
}

export type NewDocument = {
  readonly collectionId: string
  readonly fileId: string
  readonly source: string
  readonly name: string
  readonly settings: DocumentSettings
  /** Those there are stay when none are given. */
  readonly attributes?: Attributes
  readonly validators?: Validators
  /** What it is attached to. */
  readonly parent?: Pick<WantedDocument, 'id' | 'rootId' | 'depth'>
}

/** An uploaded file that is to be a document. */
type WantedFile = Pick<NewDocument, 'fileId' | 'settings' | 'attributes'>

/** What is to be had of a part of the queue. */
type QueueQuery = {
  readonly part: QueuePart
  readonly except: ReadonlySet<string>
  readonly limit: number
}

/**
 * `unfound`: readers find nothing of these bytes yet; `found`: a version of them is published, and lacks vectors, or was made
 * by other stages. Nothing else is noted of how far a document is, so a killed run leaves no wrong note behind.
 */
export type QueuePart = 'unfound' | 'found'

const QUEUE_PARTS: Readonly<Record<QueuePart, { readonly where: string; readonly cost: string }>> =
  {
    unfound: {
      where: '(versions.sha256 IS NULL OR versions.sha256 != files.sha256)',
      cost: 'files.bytes',
    },
    found: {
      where: 'versions.sha256 = files.sha256',
      cost: `CAST(versions.report ->> '$.chunks' AS BIGINT)`,
    },
  }

/** The documents of all collections: what is wanted, and how far it is. `in_progress` is the queue. */
export class Documents {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async find(id: string): Promise<Document | undefined> {
    return await findDocument(this.#catalog, id)
  }

  /** Those of a collection with one of these sources or base names. */
  async called(collectionId: string, names: readonly string[]): Promise<readonly Document[]> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ?1
      AND (documents.source IN (SELECT value FROM json_each(?2)) OR documents.name IN (SELECT value FROM json_each(?2)))
      ORDER BY documents.source`
    return (await this.#catalog.all<DocumentRow>(sql, collectionId, JSON.stringify(names))).map(
      toDocument,
    )
  }

  async wanted(id: string): Promise<WantedDocument | undefined> {
    const row = await this.#catalog.get<DocumentRow>(`${DOCUMENT_ROWS} WHERE documents.id = ?`, id)
    return row && toWanted(row)
  }

  async bySource(collectionId: string, source: string): Promise<WantedDocument | undefined> {
    return await documentBySource(this.#catalog, collectionId, source)
  }

  async byFile(collectionId: string, fileId: string): Promise<Document | undefined> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.file_id = ?`
    const row = await this.#catalog.get<DocumentRow>(sql, collectionId, fileId)
    return row && toDocument(row)
  }

  /** The documents of a file, in whatever collection. */
  async ofFile(fileId: string): Promise<readonly Document[]> {
    return (
      await this.#catalog.all<DocumentRow>(`${DOCUMENT_ROWS} WHERE documents.file_id = ?`, fileId)
    ).map(toDocument)
  }

  async list(collectionId: string): Promise<readonly Document[]> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? ORDER BY documents.source`
    return (await this.#catalog.all<DocumentRow>(sql, collectionId)).map(toDocument)
  }

  /** Those after a source, so many of them: all of a large collection are too many to be read at once. */
  async page(collectionId: string, after: string, limit: number): Promise<readonly Document[]> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.source > ? ORDER BY documents.source LIMIT ?`
    return (await this.#catalog.all<DocumentRow>(sql, collectionId, after, limit)).map(toDocument)
  }

  /** The documents that a reader may find, each with the version that stands for it in the index. */
  async published(
    collectionId: string,
  ): Promise<readonly { readonly version: number; readonly document: Document }[]> {
    const rows = await this.#catalog.all<DocumentRow>(
      `${DOCUMENT_ROWS} WHERE documents.collection_id = ?`,
      collectionId,
    )
    return rows.flatMap(row =>
      row.version === null ? [] : [{ version: row.version, document: toDocument(row) }],
    )
  }

  /** Documents by id; those that are gone are left out. */
  async findAll(ids: readonly string[]): Promise<readonly Document[]> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.id IN (SELECT value FROM json_each(?))`
    return (await this.#catalog.all<DocumentRow>(sql, JSON.stringify(ids))).map(toDocument)
  }

  /** All documents whose source is the folder or lies in it; what is attached to them goes with them. */
  async under(collectionId: string, folder: string): Promise<readonly WantedDocument[]> {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ?1 AND documents.parent_id IS NULL
      AND (documents.source = ?2 OR substr(documents.source, 1, length(?3)) = ?3) ORDER BY documents.source`
    return (await this.#catalog.all<DocumentRow>(sql, collectionId, folder, prefix)).map(toWanted)
  }

  /** What is attached to a document, not what is attached to that. */
  async attachedTo(id: string): Promise<readonly WantedDocument[]> {
    return await attachedTo(this.#catalog, id)
  }

  /** Everything attached to the documents of a collection, at any depth. */
  async attachments(collectionId: string): Promise<readonly WantedDocument[]> {
    const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.root_id IS NOT NULL ORDER BY documents.source`
    return (await this.#catalog.all<DocumentRow>(sql, collectionId)).map(toWanted)
  }

  async countAttachments(rootId: string): Promise<number> {
    return (
      (
        await this.#catalog.get<{ n: number }>(
          'SELECT count(*) AS n FROM documents WHERE root_id = ?',
          rootId,
        )
      )?.n ?? 0
    )
  }

  /**
   * The cheapest entries of a part of the queue, those being worked on left out: most documents can be found soon, and a
   * large one keeps few waiting. It comes when nothing cheaper is left.
   */
  async queued(
    collectionId: string,
    { part, except, limit }: QueueQuery,
  ): Promise<readonly WantedDocument[]> {
    const { where, cost } = QUEUE_PARTS[part]
    const sql = `${DOCUMENT_ROWS} WHERE documents.id IN (SELECT documents.id ${PUBLISHED_DOCUMENTS}
      WHERE documents.collection_id = ? AND documents.status = 'in_progress' AND ${where}
      ORDER BY ${cost}, documents.source LIMIT ?) ORDER BY ${cost}, documents.source`
    const rows = await this.#catalog.all<DocumentRow>(sql, collectionId, limit + except.size)
    return rows.filter(row => !except.has(row.id)).map(toWanted)
  }

  async totals(collectionId: string): Promise<DocumentTotals> {
    return await totalsOf(this.#catalog, collectionId)
  }

  /** Of all collections that a user made. */
  async countByStatus(): Promise<CountByStatus> {
    return await countByStatus(this.#catalog)
  }

  async unfinished(of: UnfinishedOf): Promise<UnfinishedCount> {
    return await countUnfinished(this.#catalog, of)
  }

  async countQueued(collectionId: string): Promise<number> {
    const sql = `SELECT count(*) AS n FROM documents WHERE collection_id = ? AND status = 'in_progress'`
    return (await this.#catalog.get<{ n: number }>(sql, collectionId))?.n ?? 0
  }

  /** Index what is stored again. */
  async requeue(ids: readonly string[]): Promise<void> {
    const sql = `UPDATE documents SET status = 'in_progress', revision = revision + 1
      WHERE id IN (SELECT value FROM json_each(?))`
    if (ids.length > 0) await this.#catalog.run(sql, JSON.stringify(ids))
  }

  /** The same with other settings, whatever came of it before. */
  async requeueWith(id: string, settings: DocumentSettings): Promise<void> {
    const sql = `UPDATE documents SET status = 'in_progress', revision = revision + 1, settings = ?, error = NULL, failed_stages = NULL
      WHERE id = ?`
    await this.#catalog.run(sql, JSON.stringify(settings), id)
  }

  /** Queue uploaded files as documents of a collection, all of them or none. Throws `not_found` for one that is not there. */
  async wantFiles(
    collectionId: string,
    entries: readonly WantedFile[],
  ): Promise<readonly Document[]> {
    const sql = 'SELECT name FROM files WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)'
    return await this.#catalog.transaction(
      async inside =>
        await Promise.all(
          entries.map(async entry => {
            const file = await inside.get<{ name: string }>(sql, entry.fileId, Date.now())
            if (!file)
              throw new AppError('not_found', `There is no file ${entry.fileId}. Upload it first.`)
            const source = `upload:${entry.fileId}/${file.name}`
            const id = await wantDocument(inside, {
              ...entry,
              collectionId,
              source,
              name: file.name,
            })
            return (await findDocument(inside, id))! // just queued
          }),
        ),
    )
  }

  /**
   * The same bytes under another source, and everything attached along with it. A new base name is part of the rows,
   * so the document is queued again.
   */
  async move(
    { id, name: before, source: from }: Pick<WantedDocument, 'id' | 'name' | 'source'>,
    source: string,
    name: string,
  ) {
    const requeue =
      name === before
        ? ''
        : `, status = CASE WHEN id = ?1 THEN 'in_progress' ELSE status END,
           revision = CASE WHEN id = ?1 THEN revision + 1 ELSE revision END`
    await this.#catalog.run(
      `UPDATE documents SET source = ?2 || substr(source, length(?3) + 1), name = CASE WHEN id = ?1 THEN ?4 ELSE name END${requeue}
       WHERE id = ?1 OR root_id = ?1`,
      id,
      source,
      from,
      name,
    )
  }

  async setAttributes(id: string, attributes: Attributes): Promise<void> {
    await this.#catalog.run(
      'UPDATE documents SET attributes = ? WHERE id = ?',
      JSON.stringify(attributes),
      id,
    )
  }

  /** Sources on the web, of all collections. */
  async urls(): Promise<readonly string[]> {
    const sql = `SELECT DISTINCT source FROM documents WHERE source LIKE 'http://%' OR source LIKE 'https://%'`
    return (await this.#catalog.all<{ source: string }>(sql)).map(row => row.source)
  }

  async setValidators(id: string, validators: Validators): Promise<void> {
    await this.#catalog.run(
      'UPDATE documents SET validators = ? WHERE id = ?',
      JSON.stringify(validators),
      id,
    )
  }

  /** Contents that documents of other collections have too. */
  async contentsShared(collectionId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT DISTINCT files.sha256 FROM documents JOIN files ON files.id = documents.file_id
      WHERE documents.collection_id != ?`
    return new Set(
      (await this.#catalog.all<{ sha256: string }>(sql, collectionId)).map(row => row.sha256),
    )
  }

  /** Documents of which only keywords are wanted. */
  async withoutVectors(collectionId: string): Promise<ReadonlySet<string>> {
    const sql = `SELECT id FROM documents WHERE collection_id = ? AND settings ->> '$.withoutVectors' IS NOT NULL`
    return new Set((await this.#catalog.all<{ id: string }>(sql, collectionId)).map(row => row.id))
  }
}

/** Want these bytes under this source: a new document, or new bytes or settings for the one that is there. Gives its id. */
export async function wantDocument(catalog: Statements, input: NewDocument): Promise<string> {
  const row = await catalog.get<{ id: string }>(
    `INSERT INTO documents (id, collection_id, file_id, source, name, status, revision, settings, attributes, created_at, validators,
     parent_id, root_id, depth)
     VALUES (?1, ?2, ?3, ?4, ?5, 'in_progress', 1, ?6, coalesce(?7, '{}'), ?8, ?9, ?10, ?11, ?12)
     ON CONFLICT (collection_id, source) DO UPDATE SET file_id = excluded.file_id, name = excluded.name,
     status = 'in_progress', revision = documents.revision + 1, settings = excluded.settings,
     attributes = coalesce(?7, documents.attributes), error = NULL, failed_stages = NULL, validators = excluded.validators RETURNING id`,
    newId('doc_'),
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
  )
  return row!.id // inserted or updated
}

export async function findDocument(catalog: Statements, id: string): Promise<Document | undefined> {
  const row = await catalog.get<DocumentRow>(`${DOCUMENT_ROWS} WHERE documents.id = ?`, id)
  return row && toDocument(row)
}

export async function documentBySource(
  catalog: Statements,
  collectionId: string,
  source: string,
): Promise<WantedDocument | undefined> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.collection_id = ? AND documents.source = ?`
  const row = await catalog.get<DocumentRow>(sql, collectionId, source)
  return row && toWanted(row)
}

/** What is attached to a document, not what is attached to that. */
export async function attachedTo(
  catalog: Statements,
  id: string,
): Promise<readonly WantedDocument[]> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.parent_id = ? ORDER BY documents.source`
  return (await catalog.all<DocumentRow>(sql, id)).map(toWanted)
}

function toWanted(row: DocumentRow): WantedDocument {
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
    settings: JSON.parse(row.settings) as DocumentSettings, // written by this class only
    ...(row.error && { error: JSON.parse(row.error) as Failure }), // written by this class only
    ...(row.failed_stages && { failedStages: row.failed_stages }),
    ...(row.parent_id && { parentId: row.parent_id }),
    ...(row.root_id && { rootId: row.root_id }),
    depth: row.depth,
    ...(row.validators && { validators: JSON.parse(row.validators) as Validators }), // written by this class only
  }
}
