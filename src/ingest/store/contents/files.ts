import type { Failure } from '../../../errors.ts'
import { newId } from '../../../system/digest.ts'
import { endUpload, type Upload } from '../catalog/uploads.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { ContentStore } from './content.ts'
import type { StagedBytes, StoredBytes } from './staging.ts'

/** Stored bytes under a name. */
export type StoredFile = StoredBytes & {
  readonly id: string
  readonly name: string
  /** OpenAI's word for what a file is for; `assistants` for everything that is indexed. */
  readonly purpose: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** From then on it is as good as deleted. */
  readonly expiresAt?: number
  /** What whoever uploaded it said that it is. */
  readonly declaredType?: string
  /** Why nothing can be read from its bytes, where they were tried and no document came of them. */
  readonly error?: Failure
}

type Row = {
  id: string
  sha256: string
  name: string
  bytes: number
  purpose: string
  created_at: number
  expires_at: number | null
  declared_type: string | null
  error: string | null
}

/** Only what failed by its bytes has stages noted: what failed for want of time or memory may be read yet. */
const FILE_ROWS = `SELECT files.*, (
    SELECT min(documents.error) FROM documents WHERE documents.file_id = files.id
    HAVING count(*) = count(documents.failed_stages) AND count(*) = count(*) FILTER (WHERE documents.status = 'failed')
  ) AS error FROM files`

/** Of what was deleted and may still be brought back. */
const DELETED_CONTENTS = `SELECT sha256 FROM deleted_rows JOIN deletions ON deletions.id = deletion_id
  WHERE expires_at > 0 AND sha256 IS NOT NULL`

/** Every content that is in use. */
const CONTENTS = `SELECT sha256 FROM files UNION SELECT sha256 FROM versions WHERE state <> 'retired' UNION ${DELETED_CONTENTS}`

export type NewFile = {
  readonly name: string
  readonly purpose: string
  /** Uploaded files live until they are deleted; files of a folder go with their last document. */
  readonly uploaded: boolean
  /** Kept for ever when absent, in milliseconds. */
  readonly lifetimeMs?: number | undefined
  /** The media type that whoever sent it gave it; it decides between kinds of text where the name does not. */
  readonly declaredType?: string | undefined
}

/** The files of a store: names in the catalog, bytes in the content store. */
export class Files {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE files (
    id TEXT PRIMARY KEY, sha256 TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    purpose TEXT NOT NULL, uploaded INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX files_by_content ON files (sha256)',
    ],
    /** Unix milliseconds; null for ever. */
    2: [
      'ALTER TABLE files ADD COLUMN expires_at INTEGER',
      'CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL',
    ],
    /** What whoever uploaded a file said that it is. */
    12: ['ALTER TABLE files ADD COLUMN declared_type TEXT'],
  }

  readonly #catalog: Statements
  readonly #content: ContentStore

  constructor(catalog: Statements, content: ContentStore) {
    this.#catalog = catalog
    this.#content = content
  }

  /** A file that was uploaded. */
  async add(staged: StagedBytes, file: Omit<NewFile, 'uploaded'>): Promise<StoredFile> {
    return await this.#catalog.transaction(async inside => await this.#add(inside, staged, file))
  }

  /** The same bytes under the same name are one file while half of its lifetime is left. */
  async addOnce(
    staged: StagedBytes,
    file: Omit<NewFile, 'uploaded'> & { readonly lifetimeMs: number },
  ): Promise<StoredFile> {
    const { name, purpose, lifetimeMs, declaredType = null } = file
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND sha256 = ? AND name = ? AND purpose = ? AND declared_type IS NOT DISTINCT FROM ?
      AND expires_at > ? ORDER BY created_at DESC, id LIMIT 1`
    return await this.#catalog.transaction(async inside => {
      const until = Date.now() + lifetimeMs / 2
      const known = await inside.get<Row>(sql, staged.sha256, name, purpose, declaredType, until)
      return known ? fromRow(known) : await this.#add(inside, staged, file)
    })
  }

  /** The file that was uploaded in parts, once they are put together. Throws `conflict` when the upload has ended. */
  async complete(upload: Upload, staged: StagedBytes): Promise<StoredFile> {
    const { name, purpose, fileLifetimeMs: lifetimeMs, declaredType } = upload
    return await this.#catalog.transaction(async inside => {
      const file = await this.#add(inside, staged, { name, purpose, lifetimeMs, declaredType })
      await endUpload(inside, upload, 'completed', file.id)
      return file
    })
  }

  /** Take stored bytes anew from a file that still holds them. Gives whether it does. */
  async restore(sha256: string, file: string, signal?: AbortSignal): Promise<boolean> {
    const staging = await this.#content.openStaging()
    try {
      const staged = await staging.copy(file, signal)
      if (staged.sha256 !== sha256) return false
      await staging.sync()
      return await this.#catalog.transaction(async inside => {
        const isUsed = await this.#isUsed(inside, sha256)
        if (isUsed) await this.#content.adopt(inside, staged)
        this.#content.settleSync()
        return isUsed
      })
    } finally {
      await staging.close()
    }
  }

  /** Undefined for one that has expired, too. */
  async find(id: string): Promise<StoredFile | undefined> {
    const sql = `${FILE_ROWS} WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)`
    const row = await this.#catalog.get<Row>(sql, id, Date.now())
    return row && fromRow(row)
  }

  /** By id; those that are gone, or have expired, are left out. */
  async findAll(ids: readonly string[]): Promise<readonly StoredFile[]> {
    const sql = `${FILE_ROWS} WHERE id IN (SELECT value FROM json_each(?)) AND (expires_at IS NULL OR expires_at > ?)`
    return (await this.#catalog.all<Row>(sql, JSON.stringify(ids), Date.now())).map(fromRow)
  }

  /** Uploaded files, newest first. */
  async uploaded(): Promise<readonly StoredFile[]> {
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY created_at DESC, id`
    return (await this.#catalog.all<Row>(sql, Date.now())).map(fromRow)
  }

  /** Those whose time is over, to be deleted. */
  async expired(): Promise<readonly StoredFile[]> {
    return (await this.#catalog.all<Row>(`${FILE_ROWS} WHERE expires_at <= ?`, Date.now())).map(
      fromRow,
    )
  }

  /**
   * Forget the files of folders that no document uses any more, then delete the bytes, parsed text, chunks and vectors
   * that no file names any more.
   */
  async collectGarbage(shas: readonly string[]): Promise<void> {
    const trash = await this.#catalog.transaction(async inside => {
      for (const sha256 of shas) await this.#removeUnused(inside, sha256)
      return await Promise.all(
        shas.map(async sha256 => {
          if (!(await this.#isUsed(inside, sha256)))
            return await this.#content.discard(inside, sha256)
          await this.#content.keep(inside, sha256)
          return undefined
        }),
      )
    })
    await this.#content.emptyTrash(trash)
  }

  /** Put where all machines read them what was stored before contents were shared. */
  async shareAll(signal: AbortSignal): Promise<void> {
    if (!this.#content.isShared) return
    const own = await this.#catalog.all<{ sha256: string }>(
      `${CONTENTS} EXCEPT SELECT sha256 FROM shared_contents`,
    )
    for (const { sha256 } of own) await this.#content.save(sha256, signal)
  }

  /** Every content that is in use, by SHA-256. */
  async contents(): Promise<readonly string[]> {
    return (await this.#catalog.all<{ sha256: string }>(CONTENTS)).map(row => row.sha256)
  }

  /** Contents of folder files whose documents have moved on to other bytes. */
  async unusedContents(): Promise<readonly string[]> {
    const sql = `SELECT DISTINCT sha256 FROM files WHERE uploaded = 0
      AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`
    return (await this.#catalog.all<{ sha256: string }>(sql)).map(row => row.sha256)
  }

  /** Stored contents that nothing names: a process was killed at the moment of taking them in. */
  async strayContents(): Promise<readonly string[]> {
    const stray: string[] = []
    for (const sha256 of await this.#content.list())
      if (!(await this.#isUsed(this.#catalog, sha256))) stray.push(sha256)
    return stray
  }

  async #add(
    inside: Statements,
    staged: StagedBytes,
    file: Omit<NewFile, 'uploaded'>,
  ): Promise<StoredFile> {
    const added = await addFile({ catalog: inside, content: this.#content }, staged, {
      ...file,
      uploaded: true,
    })
    this.#content.settleSync()
    return added
  }

  async #removeUnused(inside: Statements, sha256: string): Promise<void> {
    await inside.run(
      `DELETE FROM files WHERE sha256 = ? AND uploaded = 0
       AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`,
      sha256,
    )
  }

  /** A published version keeps its content even while its document already waits for newer bytes, and so does what may be brought back. */
  async #isUsed(inside: Statements, sha256: string): Promise<boolean> {
    const sql = `SELECT EXISTS (SELECT 1 FROM files WHERE sha256 = ?1)
      OR EXISTS (SELECT 1 FROM versions WHERE sha256 = ?1 AND state <> 'retired')
      OR EXISTS (${DELETED_CONTENTS} AND sha256 = ?1) AS used`
    return (await inside.get<{ used: number }>(sql, sha256))?.used === 1
  }
}

/** Adopt staged bytes under a name, inside the transaction that records what uses the file, which ends with `settleSync`. */
export async function addFile(
  { catalog, content }: { readonly catalog: Statements; readonly content: ContentStore },
  stored: StagedBytes,
  { name, purpose, uploaded, lifetimeMs, declaredType }: NewFile,
): Promise<StoredFile> {
  await content.adopt(catalog, stored)
  const { sha256, bytes } = stored
  const createdAt = Date.now()
  const expiresAt = lifetimeMs === undefined ? undefined : createdAt + lifetimeMs
  const optional = { ...(expiresAt && { expiresAt }), ...(declaredType && { declaredType }) }
  const file = { id: newId('file-'), sha256, name, bytes, purpose, createdAt, ...optional }
  const values = [
    file.id,
    sha256,
    name,
    bytes,
    purpose,
    uploaded ? 1 : 0,
    createdAt,
    expiresAt ?? null,
  ]
  await catalog.run(
    'INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...values,
    declaredType ?? null,
  )
  return file
}

function fromRow(row: Row): StoredFile {
  return {
    id: row.id,
    sha256: row.sha256,
    name: row.name,
    bytes: row.bytes,
    purpose: row.purpose,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.declared_type !== null && { declaredType: row.declared_type }),
    ...(row.error && { error: JSON.parse(row.error) as Failure }), // written by Documents only
  }
}
