import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import type { Statements, Tables } from '../catalog.ts'
import { createTableId, raiseEpoch } from './collections.ts'
import { listWithAttached, removeCollection, removeDocuments } from './removed-rows.ts'

type DeletionKind = 'collection' | 'document' | 'file'

export type Deletion = {
  readonly id: string
  readonly kind: DeletionKind
  readonly subjectId: string
  /** Name of the collection (or a document's one) or the file. */
  readonly name: string
  readonly collectionId?: string
  readonly source?: string
  readonly documents: number
  readonly chunks: number
  readonly bytes: number
  /** Unix milliseconds. */
  readonly deletedAt: number
  /** Last moment for a restoration, in unix milliseconds. */
  readonly expiresAt: number
}

type DeletionSubject = Pick<Deletion, 'kind' | 'subjectId' | 'name' | 'collectionId' | 'source'>

/** Time in which the deletion can be undone. Default: none. */
export type RemovalOptions = { readonly keepMs?: number | undefined }

/** Checked inside the transaction; false leaves everything unchanged. */
export type OnlyIf = (catalog: Statements) => Promise<boolean>

type DeletedIds = { readonly documents: readonly string[]; readonly files?: readonly string[] }

type Table = 'collections' | 'documents' | 'files'

type Column = { readonly name: string; readonly type: string; readonly dflt_value: string | null }

type Row = {
  id: string
  kind: DeletionKind
  subject_id: string
  name: string
  collection_id: string | null
  source: string | null
  documents: number
  chunks: number
  bytes: number
  deleted_at: number
  expires_at: number
}

const IN_LIST = 'IN (SELECT value FROM json_each(?))'
const IN_SECOND_LIST = 'IN (SELECT value FROM json_each(?2))'

const OWN_FILES = `uploaded = 0 AND id IN (SELECT file_id FROM documents WHERE id ${IN_SECOND_LIST})
  AND NOT EXISTS (SELECT 1 FROM documents WHERE file_id = files.id AND id NOT ${IN_SECOND_LIST})`

/** `contents` may be unused now. */
type Expired = { readonly ids: readonly string[]; readonly contents: readonly string[] }

export class Deletions {
  static readonly tables: Tables = {
    /**
     * Rows of other tables, so that no query finds deleted ones. `expires_at` 0: being
     * forgotten.
     */
    10: [
      `CREATE TABLE deletions (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject_id TEXT NOT NULL, name TEXT NOT NULL, collection_id TEXT, source TEXT,
    documents INTEGER NOT NULL, chunks INTEGER NOT NULL, bytes INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      `CREATE TABLE deleted_rows (
    deletion_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, sha256 TEXT, fields TEXT NOT NULL,
    PRIMARY KEY (deletion_id, kind, id)
  ) WITHOUT ROWID`,
      'CREATE INDEX deleted_rows_by_content ON deleted_rows (sha256) WHERE sha256 IS NOT NULL',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Returns the contents that may be unused now. */
  async deleteDocument(id: string, { keepMs }: RemovalOptions): Promise<readonly string[]> {
    const sql = `SELECT source, collection_id, (SELECT name FROM collections WHERE id = collection_id) AS name
      FROM documents WHERE id = ?`
    type Found = { source: string; collection_id: string; name: string | null }
    return await this.#catalog.transaction(async inside => {
      const row = await inside.get<Found>(sql, id)
      if (!row) return []
      const { source, collection_id: collectionId } = row
      const subject: DeletionSubject = {
        kind: 'document',
        subjectId: id,
        name: row.name ?? collectionId,
        collectionId,
        source,
      }
      await recordDeletion(
        inside,
        subject,
        { documents: await listWithAttached(inside, [id]) },
        keepMs,
      )
      await raiseEpoch(inside, collectionId)
      return await removeDocuments(inside, [id])
    })
  }

  /** Deletes its documents, too. Returns the contents that may be unused now. */
  async deleteFile(
    id: string,
    name: string,
    { keepMs, onlyIf }: RemovalOptions & { readonly onlyIf?: OnlyIf },
  ): Promise<readonly string[]> {
    const sql = 'SELECT id, collection_id FROM documents WHERE file_id = ?'
    return await this.#catalog.transaction(async inside => {
      if (onlyIf && !(await onlyIf(inside))) return []
      const own = await inside.all<{ id: string; collection_id: string }>(sql, id)
      const ids = own.map(document => document.id)
      const subject: DeletionSubject = { kind: 'file', subjectId: id, name }
      const documents = await listWithAttached(inside, ids)
      await recordDeletion(inside, subject, { documents, files: [id] }, keepMs)
      for (const { collection_id } of own) await raiseEpoch(inside, collection_id)
      const contents = await removeDocuments(inside, ids)
      await inside.run('DELETE FROM files WHERE id = ?', id)
      return contents
    })
  }

  /** Returns the contents that may be unused now. */
  async deleteCollection(
    id: string,
    name: string,
    { keepMs, onlyIf }: RemovalOptions & { readonly onlyIf?: OnlyIf },
  ): Promise<readonly string[]> {
    const sql = 'SELECT id FROM documents WHERE collection_id = ?'
    return await this.#catalog.transaction(async inside => {
      if (onlyIf && !(await onlyIf(inside))) return []
      const documents = (await inside.all<{ id: string }>(sql, id)).map(row => row.id)
      const subject: DeletionSubject = {
        kind: 'collection',
        subjectId: id,
        name,
        collectionId: id,
      }
      if (await inside.get('SELECT 1 FROM collections WHERE id = ?', id))
        await recordDeletion(inside, subject, { documents }, keepMs)
      return await removeCollection(inside, id)
    })
  }

  async list(): Promise<readonly Deletion[]> {
    const sql = 'SELECT * FROM deletions WHERE expires_at > ? ORDER BY deleted_at DESC, id DESC'
    return (await this.#catalog.all<Row>(sql, Date.now())).map(fromRow)
  }

  /**
   * Queues the documents again. Returns their collections. Throws `conflict` for a used name,
   * `not_found` for a lost part.
   */
  async restore(deletion: Deletion, as = deletion.name): Promise<readonly string[]> {
    const { id, kind, collectionId } = deletion
    return await this.#catalog.transaction(async inside => {
      const sql = 'SELECT 1 FROM deletions WHERE id = ? AND expires_at > ?'
      if (!(await inside.get(sql, id, Date.now())))
        throw new AppError(
          'not_found',
          localizable`What was deleted as ${id} can no longer be restored.`,
        )
      await restoreRows(inside, id, 'files')
      if (kind === 'collection' && collectionId)
        await restoreCollection(inside, id, collectionId, as)
      await requirePlaces(inside, id)
      const documents = JSON.stringify(await restoreRows(inside, id, 'documents'))
      await inside.run(
        `UPDATE documents SET status = CASE WHEN status = 'completed' THEN 'in_progress' ELSE status END, revision = revision + 1
         WHERE id ${IN_LIST}`,
        documents,
      )
      await removeDeletion(inside, id)
      const collections = `SELECT DISTINCT collection_id AS id FROM documents WHERE id ${IN_LIST}`
      return (await inside.all<{ id: string }>(collections, documents)).map(row => row.id)
    })
  }

  /** Ends it and earlier ones of its subject for good. */
  async end(deletion: Omit<DeletionSubject, 'name'>): Promise<void> {
    await endDeletions(this.#catalog, deletion)
  }

  /**
   * Marks deletions whose time is over, so that none is restored while its contents are
   * removed.
   */
  async expire(): Promise<Expired> {
    const sql = `SELECT DISTINCT sha256 FROM deleted_rows WHERE sha256 IS NOT NULL AND deletion_id ${IN_LIST}`
    return await this.#catalog.transaction(async inside => {
      const now = Date.now()
      const over = await inside.all<Row>('SELECT * FROM deletions WHERE expires_at <= ?', now)
      const ids = over.map(({ id }) => id)
      if (ids.length === 0) return { ids, contents: [] }
      await inside.run('UPDATE deletions SET expires_at = 0 WHERE expires_at <= ?', now)
      const rows = await inside.all<{ sha256: string }>(sql, JSON.stringify(ids))
      return { ids, contents: rows.map(row => row.sha256) }
    })
  }

  /** Call it once the contents are gone, so that a kill in between repeats it. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#catalog.transaction(async inside => {
      for (const id of ids) await removeDeletion(inside, id)
    })
  }
}

/** Without `keepMs`, ends earlier deletions of the subject, too. */
async function recordDeletion(
  inside: Statements,
  subject: DeletionSubject,
  { documents, files = [] }: DeletedIds,
  keepMs: number | undefined,
): Promise<void> {
  if (!keepMs) return await endDeletions(inside, subject)
  const id = createId('del_')
  const documentList = JSON.stringify(documents)
  const fileList = JSON.stringify(files)
  const { kind, subjectId, name, collectionId = null, source = null } = subject
  const expiresAt = await findExpiry(inside, fileList, keepMs)
  const sql = `INSERT INTO deletions SELECT ?1, ?3, ?4, ?5, ?6, ?7, count(*),
    coalesce(sum(CAST(versions.report ->> '$.chunks' AS BIGINT)), 0), coalesce(sum(files.bytes), 0), CAST(?8 AS BIGINT), CAST(?9 AS BIGINT)
    FROM documents JOIN files ON files.id = documents.file_id
    LEFT JOIN versions ON versions.document_id = documents.id AND versions.state = 'published'
    WHERE documents.id ${IN_SECOND_LIST}`
  const now = Date.now()
  await inside.run(
    sql,
    id,
    documentList,
    kind,
    subjectId,
    name,
    collectionId,
    source,
    now,
    expiresAt,
  )
  if (kind === 'collection') await copyRows(inside, id, 'collections', 'id = ?2', collectionId)
  await copyRows(inside, id, 'documents', `id ${IN_SECOND_LIST}`, documentList)
  const deletedFiles = `(${OWN_FILES}) OR id IN (SELECT value FROM json_each(?3))`
  await copyRows(inside, id, 'files', deletedFiles, documentList, fileList)
}

async function findExpiry(inside: Statements, files: string, keepMs: number): Promise<number> {
  const sql = `SELECT min(expires_at) AS end FROM files WHERE id ${IN_LIST}`
  const end = (await inside.get<{ end: number | null }>(sql, files))?.end
  return Math.min(Date.now() + keepMs, end ?? Number.POSITIVE_INFINITY)
}

async function endDeletions(
  inside: Statements,
  { kind, subjectId, collectionId, source }: Omit<DeletionSubject, 'name'>,
): Promise<void> {
  if (kind === 'collection') {
    await inside.run('UPDATE deletions SET expires_at = 0 WHERE collection_id = ?', subjectId)
    return
  }
  const sql =
    'UPDATE deletions SET expires_at = 0 WHERE subject_id = ? OR (collection_id = ? AND source = ?)'
  await inside.run(sql, subjectId, collectionId ?? null, source ?? null)
}

async function copyRows(
  inside: Statements,
  id: string,
  table: Table,
  where: string,
  ...values: readonly unknown[]
): Promise<void> {
  const fields = (await listColumns(inside, table)).map(({ name }) => `'${name}', ${name}`)
  const sha256 = table === 'files' ? 'sha256' : 'NULL'
  const sql = `INSERT INTO deleted_rows SELECT ?1, '${table}', id, ${sha256}, json_object(${fields}) FROM ${table} WHERE ${where}`
  await inside.run(sql, id, ...values)
}

async function restoreRows(
  inside: Statements,
  id: string,
  table: Table,
): Promise<readonly string[]> {
  const columns = await listColumns(inside, table)
  const values = columns.map(
    ({ name, type, dflt_value: value }) =>
      `coalesce(CAST(fields ->> '${name}' AS ${type}), ${value})`,
  )
  const rows = await inside.all<{ id: string }>(
    `INSERT INTO ${table} (${columns.map(({ name }) => name)}) SELECT ${values} FROM deleted_rows
     WHERE deletion_id = ? AND kind = '${table}' ${table === 'files' ? 'ON CONFLICT DO NOTHING' : ''} RETURNING id`,
    id,
  )
  return rows.map(row => row.id)
}

/** Creates another table: the old one was dropped, and may still be open. */
async function restoreCollection(
  inside: Statements,
  id: string,
  collectionId: string,
  as: string,
): Promise<void> {
  if (await inside.get('SELECT 1 FROM collections WHERE name = ? AND hidden = 0', as)) {
    const message = localizable`There is a collection ${as} again. Restore the deleted one under another name with --as.`
    throw new AppError('conflict', message)
  }
  await restoreRows(inside, id, 'collections')
  const sql =
    'UPDATE collections SET name = ?, table_id = ?, epoch = epoch + 1, used_at = ? WHERE id = ?'
  await inside.run(sql, as, createTableId(collectionId), Date.now(), collectionId)
}

async function requirePlaces(inside: Statements, id: string): Promise<void> {
  const rows = `(SELECT fields ->> 'source' AS source, fields ->> 'collection_id' AS collection_id,
    fields ->> 'file_id' AS file_id FROM deleted_rows WHERE deletion_id = ? AND kind = 'documents') AS gone`
  const findFirst = async (where: string) => {
    const sql = `SELECT source FROM ${rows} WHERE ${where} LIMIT 1`
    return (await inside.get<{ source: string }>(sql, id))?.source
  }
  const homeless = await findFirst(
    'NOT EXISTS (SELECT 1 FROM collections WHERE id = gone.collection_id)',
  )
  if (homeless) throw createLostError('collection', homeless)
  const replaced = await findFirst(
    'EXISTS (SELECT 1 FROM documents WHERE collection_id = gone.collection_id AND source = gone.source)',
  )
  if (replaced) {
    const message = localizable`There is a document ${replaced} again. Delete it first to restore the other.`
    throw new AppError('conflict', message)
  }
  const empty = await findFirst('NOT EXISTS (SELECT 1 FROM files WHERE id = gone.file_id)')
  if (empty) throw createLostError('file', empty)
}

function createLostError(part: 'collection' | 'file', source: string): AppError {
  const message = localizable`The ${part} of ${source} is gone. If it was deleted, restore it first.`
  return new AppError('not_found', message)
}

/** Omits columns that the deleted row lacks: they get their default. */
async function listColumns(inside: Statements, table: Table): Promise<readonly Column[]> {
  return await inside.all('SELECT name, type, dflt_value FROM pragma_table_info(?)', table)
}

async function removeDeletion(inside: Statements, id: string): Promise<void> {
  await inside.run('DELETE FROM deleted_rows WHERE deletion_id = ?', id)
  await inside.run('DELETE FROM deletions WHERE id = ?', id)
}

function fromRow(row: Row): Deletion {
  return {
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    name: row.name,
    ...(row.collection_id !== null && { collectionId: row.collection_id }),
    ...(row.source !== null && { source: row.source }),
    documents: row.documents,
    chunks: row.chunks,
    bytes: row.bytes,
    deletedAt: row.deleted_at,
    expiresAt: row.expires_at,
  }
}
