import type { Failure } from '../../errors.ts'
import { endUpload, type Upload } from '../catalog/uploads.ts'
import type { Catalog, Schema } from '../catalog.ts'
import { newId } from '../digest.ts'
import type { ContentStore } from './content.ts'
import type { StagedBytes, StoredBytes } from './staging.ts'

export const fileSchema: Schema = [
  `CREATE TABLE files (
    id TEXT PRIMARY KEY, sha256 TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    purpose TEXT NOT NULL, uploaded INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX files_by_content ON files (sha256)',
]

/** Unix milliseconds; null for ever. */
export const fileExpirySchema: Schema = [
  'ALTER TABLE files ADD COLUMN expires_at INTEGER',
  'CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL',
]

/** What whoever uploaded a file said that it is. */
export const declaredTypeSchema: Schema = ['ALTER TABLE files ADD COLUMN declared_type TEXT']

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
    HAVING count(*) = count(documents.failed_stages) AND count(*) = sum(documents.status = 'failed')
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
  readonly #catalog: Catalog
  readonly #content: ContentStore

  constructor(catalog: Catalog, content: ContentStore) {
    this.#catalog = catalog
    this.#content = content
  }

  /** A file that was uploaded. */
  async add(staged: StagedBytes, file: Omit<NewFile, 'uploaded'>): Promise<StoredFile> {
    return this.#catalog.transaction(() => this.#add(staged, file))
  }

  /** The same bytes under the same name are one file while half of its lifetime is left. */
  async addOnce(
    staged: StagedBytes,
    file: Omit<NewFile, 'uploaded'> & { readonly lifetimeMs: number },
  ): Promise<StoredFile> {
    const { name, purpose, lifetimeMs, declaredType = null } = file
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND sha256 = ? AND name = ? AND purpose = ? AND declared_type IS ?
      AND expires_at > ? ORDER BY created_at DESC, id LIMIT 1`
    return this.#catalog.transaction(() => {
      const until = Date.now() + lifetimeMs / 2
      const known = this.#catalog.get<Row>(sql, staged.sha256, name, purpose, declaredType, until)
      return known ? fromRow(known) : this.#add(staged, file)
    })
  }

  /** The file that was uploaded in parts, once they are put together. Throws `conflict` when the upload has ended. */
  async complete(upload: Upload, staged: StagedBytes): Promise<StoredFile> {
    const { name, purpose, fileLifetimeMs: lifetimeMs, declaredType } = upload
    return this.#catalog.transaction(() => {
      const file = this.#add(staged, { name, purpose, lifetimeMs, declaredType })
      endUpload(this.#catalog, upload, 'completed', file.id)
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
      return this.#catalog.transaction(() => {
        const isUsed = this.#isUsed(sha256)
        if (isUsed) this.#content.adoptSync(staged)
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
    const row = this.#catalog.get<Row>(sql, id, Date.now())
    return row && fromRow(row)
  }

  /** Uploaded files, newest first. */
  async uploaded(): Promise<readonly StoredFile[]> {
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY created_at DESC, id`
    return this.#catalog.all<Row>(sql, Date.now()).map(fromRow)
  }

  /** Those whose time is over, to be deleted. */
  async expired(): Promise<readonly StoredFile[]> {
    return this.#catalog.all<Row>(`${FILE_ROWS} WHERE expires_at <= ?`, Date.now()).map(fromRow)
  }

  /**
   * Forget the files of folders that no document uses any more, then delete the bytes, parsed text, chunks and vectors
   * that no file names any more.
   */
  async collectGarbage(shas: readonly string[]): Promise<void> {
    const trash = this.#catalog.transaction(() => {
      for (const sha256 of shas) this.#removeUnused(sha256)
      return shas.map(sha256 => {
        if (!this.#isUsed(sha256)) return this.#content.discardSync(sha256)
        this.#content.keepSync(sha256)
        return undefined
      })
    })
    await this.#content.emptyTrash(trash)
  }

  /** Put where all machines read them what was stored before contents were shared. */
  async shareAll(signal?: AbortSignal): Promise<void> {
    if (!this.#content.isShared) return
    const own = this.#catalog.all<{ sha256: string }>(`${CONTENTS} EXCEPT SELECT sha256 FROM shared_contents`)
    for (const { sha256 } of own) await this.#content.save(sha256, signal)
  }

  /** Every content that is in use, by SHA-256. */
  async contents(): Promise<readonly string[]> {
    return this.#catalog.all<{ sha256: string }>(CONTENTS).map(row => row.sha256)
  }

  /** Contents of folder files whose documents have moved on to other bytes. */
  async unusedContents(): Promise<readonly string[]> {
    const sql = `SELECT DISTINCT sha256 FROM files WHERE uploaded = 0
      AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`
    return this.#catalog.all<{ sha256: string }>(sql).map(row => row.sha256)
  }

  /** Stored contents that nothing names: a process was killed at the moment of taking them in. */
  async strayContents(): Promise<readonly string[]> {
    return (await this.#content.list()).filter(sha256 => !this.#isUsed(sha256))
  }

  #add(staged: StagedBytes, file: Omit<NewFile, 'uploaded'>): StoredFile {
    const added = addFile({ catalog: this.#catalog, content: this.#content }, staged, { ...file, uploaded: true })
    this.#content.settleSync()
    return added
  }

  #removeUnused(sha256: string): void {
    this.#catalog.run(
      `DELETE FROM files WHERE sha256 = ? AND uploaded = 0
       AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`,
      sha256,
    )
  }

  /** A published version keeps its content even while its document already waits for newer bytes, and so does what may be brought back. */
  #isUsed(sha256: string): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM files WHERE sha256 = ?1)
      OR EXISTS (SELECT 1 FROM versions WHERE sha256 = ?1 AND state <> 'retired')
      OR EXISTS (${DELETED_CONTENTS} AND sha256 = ?1) AS used`
    return this.#catalog.get<{ used: number }>(sql, sha256)?.used === 1
  }
}

/** Adopt staged bytes under a name, inside the transaction that records what uses the file, which ends with `settleSync`. */
export function addFile(
  { catalog, content }: { readonly catalog: Catalog; readonly content: ContentStore },
  stored: StagedBytes,
  { name, purpose, uploaded, lifetimeMs, declaredType }: NewFile,
): StoredFile {
  content.adoptSync(stored)
  const { sha256, bytes } = stored
  const createdAt = Date.now()
  const expiresAt = lifetimeMs === undefined ? undefined : createdAt + lifetimeMs
  const optional = { ...(expiresAt && { expiresAt }), ...(declaredType && { declaredType }) }
  const file = { id: newId('file-'), sha256, name, bytes, purpose, createdAt, ...optional }
  const values = [file.id, sha256, name, bytes, purpose, uploaded ? 1 : 0, createdAt, expiresAt ?? null]
  catalog.run('INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, declaredType ?? null)
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
