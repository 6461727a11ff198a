import { AppError } from '../../../errors.ts'
import { newId } from '../../../system/digest.ts'
import type { Statements, Tables } from '../catalog.ts'
import { advanceCollection, newTableId } from './collections.ts'
import { removeCollection, removeDocuments, withAttached } from './removed-rows.ts'

type DeletionKind = 'collection' | 'document' | 'file'

/** Something deleted that can still be brought back. */
export type Deletion = {
  readonly id: string
  readonly kind: DeletionKind
  /** Of the collection, document or file. */
  readonly subjectId: string
  /** Of the collection, that which the document was in, or the file. */
  readonly name: string
  /** Absent for a file. */
  readonly collectionId?: string
  /** Of a document. */
  readonly source?: string
  readonly documents: number
  readonly chunks: number
  readonly bytes: number
  /** Unix milliseconds. */
  readonly deletedAt: number
  /** From then on it cannot be brought back. */
  readonly expiresAt: number
}

type DeletionSubject = Pick<Deletion, 'kind' | 'subjectId' | 'name' | 'collectionId' | 'source'>

/** For how long what is deleted may be brought back, in milliseconds; for ever gone without. */
export type RemovalOptions = { readonly keepMs?: number | undefined }

/** Asked in the step that deletes: false leaves everything as it is. */
export type OnlyIf = (catalog: Statements) => Promise<boolean>

/** What goes with it: documents with all that is attached to them, and files that were uploaded. */
type DeletedIds = { readonly documents: readonly string[]; readonly files?: readonly string[] }

type Table = 'collections' | 'documents' | 'files'

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

const IN_LIST = 'IN (SELECT value FROM json_each(?2))'

/** A file of a folder goes with its last document. */
const OWN_FILES = `uploaded = 0 AND id IN (SELECT file_id FROM documents WHERE id ${IN_LIST})
  AND NOT EXISTS (SELECT 1 FROM documents WHERE file_id = files.id AND id NOT ${IN_LIST})`

/** What was deleted cannot be found any more, and its contents may be unused by now. */
type Expired = { readonly ids: readonly string[]; readonly contents: readonly string[] }

/** Takes documents, files and collections out of search at once, each in one step, and brings back what was deleted for a while. */
export class Deletions {
  static readonly tables: Tables = {
    /** Rows of other tables as they were, so that no query there finds what is deleted. `expires_at` 0: it is being forgotten. */
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

  /** A document with all that is attached to it. Gives the contents that may be unused by now, as the others do. */
  async document(id: string, { keepMs }: RemovalOptions): Promise<readonly string[]> {
    const sql = `SELECT source, collection_id, (SELECT name FROM collections WHERE id = collection_id) AS name
      FROM documents WHERE id = ?`
    return await this.#catalog.transaction(async inside => {
      const row = await inside.get<{ source: string; collection_id: string; name: string | null }>(
        sql,
        id,
      )
      if (!row) return []
      const { source, collection_id: collectionId, name } = row
      const subject = {
        kind: 'document',
        subjectId: id,
        name: name ?? collectionId,
        collectionId,
        source,
      } as const
      await this.#keepOrEnd(
        inside,
        subject,
        { documents: await withAttached(inside, [id]) },
        keepMs,
      )
      await advanceCollection(inside, collectionId)
      return await removeDocuments(inside, [id])
    })
  }

  /** An uploaded file, with its documents in every collection. */
  async file(
    id: string,
    name: string,
    { keepMs, onlyIf }: RemovalOptions & { readonly onlyIf?: OnlyIf },
  ): Promise<readonly string[]> {
    const sql = 'SELECT id, collection_id FROM documents WHERE file_id = ?'
    return await this.#catalog.transaction(async inside => {
      if (onlyIf && !(await onlyIf(inside))) return []
      const own = await inside.all<{ id: string; collection_id: string }>(sql, id)
      const ids = own.map(document => document.id)
      const documents = await withAttached(inside, ids)
      await this.#keepOrEnd(
        inside,
        { kind: 'file', subjectId: id, name },
        { documents, files: [id] },
        keepMs,
      )
      for (const { collection_id } of own) await advanceCollection(inside, collection_id)
      const contents = await removeDocuments(inside, ids)
      await inside.run('DELETE FROM files WHERE id = ?', id)
      return contents
    })
  }

  /** The collection with everything in it. */
  async collection(
    id: string,
    name: string,
    { keepMs }: RemovalOptions,
  ): Promise<readonly string[]> {
    return await this.#catalog.transaction(async inside => {
      const rows = await inside.all<{ id: string }>(
        'SELECT id FROM documents WHERE collection_id = ?',
        id,
      )
      const isThere = (await inside.get('SELECT 1 FROM collections WHERE id = ?', id)) !== undefined
      const subject = { kind: 'collection', subjectId: id, name, collectionId: id } as const
      if (isThere)
        await this.#keepOrEnd(inside, subject, { documents: rows.map(row => row.id) }, keepMs)
      return await removeCollection(inside, id)
    })
  }

  /** For good, where it is not to be kept: then nothing is that was deleted of it before. */
  async #keepOrEnd(
    inside: Statements,
    subject: DeletionSubject,
    ids: DeletedIds,
    keepMs: number | undefined,
  ): Promise<void> {
    if (keepMs) await this.#keep(inside, subject, ids, keepMs)
    else await this.#endNow(inside, subject)
  }

  /** Note what is about to be removed. */
  async #keep(
    inside: Statements,
    subject: DeletionSubject,
    { documents, files = [] }: DeletedIds,
    keepMs: number,
  ): Promise<void> {
    const id = newId('del_')
    const [documentList, fileList] = [JSON.stringify(documents), JSON.stringify(files)]
    await this.#insert(inside, id, subject, documentList, await this.#end(inside, fileList, keepMs))
    if (subject.kind === 'collection')
      await this.#keepRows(inside, id, 'collections', 'id = ?2', subject.collectionId)
    await this.#keepRows(inside, id, 'documents', `id ${IN_LIST}`, documentList)
    await this.#keepRows(inside, id, 'files', OWN_FILES, documentList)
    await this.#keepRows(inside, id, 'files', `id ${IN_LIST}`, fileList)
  }

  /** Newest first. */
  async list(): Promise<readonly Deletion[]> {
    const sql = 'SELECT * FROM deletions WHERE expires_at > ? ORDER BY deleted_at DESC, id DESC'
    return (await this.#catalog.all<Row>(sql, Date.now())).map(fromRow)
  }

  /**
   * Everything as it was, but for what has to be indexed again from what is stored, which waits in the queue. Gives the
   * collections in which something waits. Throws `conflict` where something else is in its place, `not_found` where a part is gone.
   */
  async restore(deletion: Deletion, as = deletion.name): Promise<readonly string[]> {
    return await this.#catalog.transaction(
      async inside => await this.#restore(inside, deletion, as),
    )
  }

  async #restore(
    inside: Statements,
    { id, kind, collectionId }: Deletion,
    as: string,
  ): Promise<readonly string[]> {
    const isThere = await inside.get(
      'SELECT 1 FROM deletions WHERE id = ? AND expires_at > ?',
      id,
      Date.now(),
    )
    if (!isThere)
      throw new AppError('not_found', `What was deleted as ${id} cannot be brought back any more.`)
    await this.#restoreRows(inside, id, 'files')
    if (kind === 'collection' && collectionId)
      await this.#restoreCollection(inside, id, collectionId, as)
    await this.#requirePlaces(inside, id)
    const documents = await this.#restoreRows(inside, id, 'documents')
    await inside.run(
      `UPDATE documents SET status = CASE WHEN status = 'completed' THEN 'in_progress' ELSE status END, revision = revision + 1
       WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(documents),
    )
    await this.#remove(inside, id)
    const sql =
      'SELECT DISTINCT collection_id AS id FROM documents WHERE id IN (SELECT value FROM json_each(?))'
    return (await inside.all<{ id: string }>(sql, JSON.stringify(documents))).map(row => row.id)
  }

  /** Nobody can bring it back from now on, nor what was deleted of it before: of a collection all that was ever in it. */
  async end(deletion: Deletion): Promise<void> {
    await this.#endNow(this.#catalog, deletion)
  }

  async #endNow(
    inside: Statements,
    { kind, subjectId, collectionId, source }: DeletionSubject,
  ): Promise<void> {
    if (kind === 'collection') {
      await inside.run('UPDATE deletions SET expires_at = 0 WHERE collection_id = ?', subjectId)
      return
    }
    const sql =
      'UPDATE deletions SET expires_at = 0 WHERE subject_id = ? OR (collection_id = ? AND source = ?)'
    await inside.run(sql, subjectId, collectionId ?? null, source ?? null)
  }

  /** What cannot be brought back any more, from now on at the latest. */
  async expire(): Promise<Expired> {
    const sql = `SELECT DISTINCT sha256 FROM deleted_rows
      WHERE sha256 IS NOT NULL AND deletion_id IN (SELECT value FROM json_each(?))`
    return await this.#catalog.transaction(async inside => {
      const over = await inside.all<Row>(
        'SELECT * FROM deletions WHERE expires_at <= ?',
        Date.now(),
      )
      const ids = over.map(({ id }) => id)
      if (ids.length === 0) return { ids, contents: [] }
      await inside.run('UPDATE deletions SET expires_at = 0 WHERE expires_at <= ?', Date.now())
      const rows = await inside.all<{ sha256: string }>(sql, JSON.stringify(ids))
      return { ids, contents: rows.map(row => row.sha256) }
    })
  }

  /** Forget what has expired, once its contents are gone: after a kill in between they are looked at again. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#catalog.transaction(async inside => {
      for (const id of ids) await this.#remove(inside, id)
    })
  }

  async #insert(
    inside: Statements,
    id: string,
    { kind, subjectId, name, collectionId, source }: DeletionSubject,
    documents: string,
    end: number,
  ): Promise<void> {
    const sql = `INSERT INTO deletions SELECT ?1, ?3, ?4, ?5, ?6, ?7, count(*),
      coalesce(sum(CAST(versions.report ->> '$.chunks' AS BIGINT)), 0), coalesce(sum(files.bytes), 0), CAST(?8 AS BIGINT), CAST(?9 AS BIGINT)
      FROM documents JOIN files ON files.id = documents.file_id
      LEFT JOIN versions ON versions.document_id = documents.id AND versions.state = 'published'
      WHERE documents.id ${IN_LIST}`
    const named = [kind, subjectId, name, collectionId ?? null, source ?? null]
    await inside.run(sql, id, documents, ...named, Date.now(), end)
  }

  /** A file that was to be kept for a time is not kept longer for having been deleted. */
  async #end(inside: Statements, files: string, keepMs: number): Promise<number> {
    const sql =
      'SELECT min(expires_at) AS end FROM files WHERE id IN (SELECT value FROM json_each(?))'
    const end = (await inside.get<{ end: number | null }>(sql, files))?.end
    return Math.min(Date.now() + keepMs, end ?? Number.POSITIVE_INFINITY)
  }

  async #keepRows(
    inside: Statements,
    id: string,
    table: Table,
    where: string,
    value: unknown,
  ): Promise<void> {
    const fields = (await this.#columns(inside, table)).map(({ name }) => `'${name}', ${name}`)
    const sha256 = table === 'files' ? 'sha256' : 'NULL'
    await inside.run(
      `INSERT INTO deleted_rows SELECT ?1, '${table}', id, ${sha256}, json_object(${fields}) FROM ${table} WHERE ${where}`,
      id,
      value,
    )
  }

  /** Gives their ids. A file may be there still, where a process was killed before it removed it. */
  async #restoreRows(inside: Statements, id: string, table: Table): Promise<readonly string[]> {
    const columns = await this.#columns(inside, table)
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

  /** Its table was dropped, and may be open somewhere: it has another from now on. */
  async #restoreCollection(
    inside: Statements,
    id: string,
    collectionId: string,
    as: string,
  ): Promise<void> {
    if (await inside.get('SELECT 1 FROM collections WHERE name = ? AND hidden = 0', as)) {
      throw new AppError(
        'conflict',
        `There is a collection ${as} again. Give the deleted one another name with --as.`,
      )
    }
    await this.#restoreRows(inside, id, 'collections')
    const sql =
      'UPDATE collections SET name = ?, table_id = ?, epoch = epoch + 1, used_at = ? WHERE id = ?'
    await inside.run(sql, as, newTableId(collectionId), Date.now(), collectionId)
  }

  async #requirePlaces(inside: Statements, id: string): Promise<void> {
    const rows = `(SELECT fields ->> 'source' AS source, fields ->> 'collection_id' AS collection_id,
      fields ->> 'file_id' AS file_id FROM deleted_rows WHERE deletion_id = ? AND kind = 'documents') AS gone`
    const first = async (where: string) =>
      (
        await inside.get<{ source: string }>(
          `SELECT source FROM ${rows} WHERE ${where} LIMIT 1`,
          id,
        )
      )?.source
    const homeless = await first(
      'NOT EXISTS (SELECT 1 FROM collections WHERE id = gone.collection_id)',
    )
    if (homeless)
      throw new AppError(
        'not_found',
        `The collection of ${homeless} is gone. If it was deleted, restore it first.`,
      )
    const taken = await first(
      'EXISTS (SELECT 1 FROM documents WHERE collection_id = gone.collection_id AND source = gone.source)',
    )
    if (taken)
      throw new AppError(
        'conflict',
        `There is a document ${taken} again. Delete that first to bring back the other.`,
      )
    const empty = await first('NOT EXISTS (SELECT 1 FROM files WHERE id = gone.file_id)')
    if (empty)
      throw new AppError(
        'not_found',
        `The file of ${empty} is gone. If it was deleted, restore it first.`,
      )
  }

  /** One that a newer format brought, which what was deleted before does not have, has its default. */
  async #columns(
    inside: Statements,
    table: Table,
  ): Promise<
    readonly { readonly name: string; readonly type: string; readonly dflt_value: string | null }[]
  > {
    return await inside.all('SELECT name, type, dflt_value FROM pragma_table_info(?)', table)
  }

  async #remove(inside: Statements, id: string): Promise<void> {
    await inside.run('DELETE FROM deleted_rows WHERE deletion_id = ?', id)
    await inside.run('DELETE FROM deletions WHERE id = ?', id)
  }
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
