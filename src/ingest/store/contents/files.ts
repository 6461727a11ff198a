import { unpackMessages } from '../../../errors/localizable.ts'
import type { Failure } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import { endUpload, type Upload } from '../catalog/uploads.ts'
import type { Statements, Tables } from '../catalog.ts'
import type { ContentStore } from './content.ts'
import type { StagedBytes, StoredBytes } from './staging.ts'

export type StoredFile = StoredBytes & {
  readonly id: string
  readonly name: string
  /** OpenAI's term; `assistants` for everything that is indexed. */
  readonly purpose: string
  readonly createdAt: number
  readonly expiresAt?: number
  readonly declaredType?: string
  /** Set if all its documents failed because of the bytes. */
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

/**
 * Only failures because of the bytes have `failed_stages`; more time or memory may help the
 * others.
 */
const FILE_ROWS = `SELECT files.*, (
    SELECT min(documents.error) FROM documents WHERE documents.file_id = files.id
    HAVING count(*) = count(documents.failed_stages) AND count(*) = count(*) FILTER (WHERE documents.status = 'failed')
  ) AS error FROM files`

const DELETED_CONTENTS = `SELECT sha256 FROM deleted_rows JOIN deletions ON deletions.id = deletion_id
  WHERE expires_at > 0 AND sha256 IS NOT NULL`

const CONTENTS = `SELECT sha256 FROM files UNION SELECT sha256 FROM versions WHERE state <> 'retired' UNION ${DELETED_CONTENTS}`

export type NewFile = {
  readonly name: string
  readonly purpose: string
  /** Uploaded files live until they are deleted; files of a folder until their last document is. */
  readonly uploaded: boolean
  /** Default: for ever. */
  readonly lifetimeMs?: number | undefined
  /** Decides between kinds of text if the name does not. */
  readonly declaredType?: string | undefined
}

export class Files {
  static readonly tables: Tables = {
    1: [
      `CREATE TABLE files (
    id TEXT PRIMARY KEY, sha256 TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL,
    purpose TEXT NOT NULL, uploaded INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX files_by_content ON files (sha256)',
    ],
    2: [
      'ALTER TABLE files ADD COLUMN expires_at INTEGER',
      'CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL',
    ],
    12: ['ALTER TABLE files ADD COLUMN declared_type TEXT'],
  }

  readonly #catalog: Statements
  readonly #content: ContentStore

  constructor(catalog: Statements, content: ContentStore) {
    this.#catalog = catalog
    this.#content = content
  }

  async add(staged: StagedBytes, file: Omit<NewFile, 'uploaded'>): Promise<StoredFile> {
    return await this.#catalog.transaction(async inside => await this.#add(inside, staged, file))
  }

  /** Reuses an equal file of the same name if half of its lifetime is left. */
  async addOnce(
    staged: StagedBytes,
    file: Omit<NewFile, 'uploaded'> & { readonly lifetimeMs: number },
  ): Promise<StoredFile> {
    const { name, purpose, lifetimeMs, declaredType = null } = file
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND sha256 = ? AND name = ? AND purpose = ? AND declared_type IS NOT DISTINCT FROM ?
      AND expires_at > ? ORDER BY created_at DESC, id LIMIT 1`
    return await this.#catalog.transaction(async inside => {
      const until = Date.now() + lifetimeMs / 2
      const row = await inside.get<Row>(sql, staged.sha256, name, purpose, declaredType, until)
      return row ? fromRow(row) : await this.#add(inside, staged, file)
    })
  }

  async complete(upload: Upload, staged: StagedBytes): Promise<StoredFile> {
    const { name, purpose, fileLifetimeMs: lifetimeMs, declaredType } = upload
    return await this.#catalog.transaction(async inside => {
      const file = await this.#add(inside, staged, { name, purpose, lifetimeMs, declaredType })
      await endUpload(inside, upload, 'completed', file.id)
      return file
    })
  }

  /** Copies lost bytes again. Returns whether the file contains them. */
  async restore(sha256: string, file: string, signal?: AbortSignal): Promise<boolean> {
    const staging = await this.#content.openStaging()
    try {
      const staged = await staging.copy(file, signal)
      if (staged.sha256 !== sha256) return false
      await staging.sync()
      return await this.#catalog.transaction(async inside => {
        const isUsed = await this.#isUsed(inside, sha256)
        if (isUsed) await this.#content.adopt(inside, staged)
        this.#content.flushRenames()
        return isUsed
      })
    } finally {
      await staging.close()
    }
  }

  async find(id: string): Promise<StoredFile | undefined> {
    const sql = `${FILE_ROWS} WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)`
    const row = await this.#catalog.get<Row>(sql, id, Date.now())
    return row && fromRow(row)
  }

  async findAll(ids: readonly string[]): Promise<readonly StoredFile[]> {
    const sql = `${FILE_ROWS} WHERE id IN (SELECT value FROM json_each(?)) AND (expires_at IS NULL OR expires_at > ?)`
    return (await this.#catalog.all<Row>(sql, JSON.stringify(ids), Date.now())).map(fromRow)
  }

  async listUploaded(): Promise<readonly StoredFile[]> {
    const sql = `${FILE_ROWS} WHERE uploaded = 1 AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY created_at DESC, id`
    return (await this.#catalog.all<Row>(sql, Date.now())).map(fromRow)
  }

  async listExpired(): Promise<readonly StoredFile[]> {
    return (await this.#catalog.all<Row>(`${FILE_ROWS} WHERE expires_at <= ?`, Date.now())).map(
      fromRow,
    )
  }

  /** Forgets unused files of folders, then deletes contents without files. */
  async collectGarbage(shas: readonly string[]): Promise<void> {
    const trash = await this.#catalog.transaction(async inside => {
      for (const sha256 of shas) await this.#removeUnused(inside, sha256)
      return await Promise.all(
        shas.map(async sha256 => {
          if (!(await this.#isUsed(inside, sha256)))
            return await this.#content.discard(inside, sha256)
          await this.#content.pin(inside, sha256)
          return undefined
        }),
      )
    })
    await this.#content.emptyTrash(trash)
  }

  async shareAll(signal: AbortSignal): Promise<void> {
    if (!this.#content.hasBucket) return
    const own = await this.#catalog.all<{ sha256: string }>(
      `${CONTENTS} EXCEPT SELECT sha256 FROM shared_contents`,
    )
    for (const { sha256 } of own) await this.#content.uploadDerived(sha256, signal)
  }

  async listContents(): Promise<readonly string[]> {
    return (await this.#catalog.all<{ sha256: string }>(CONTENTS)).map(row => row.sha256)
  }

  async listUnusedContents(): Promise<readonly string[]> {
    const sql = `SELECT DISTINCT sha256 FROM files WHERE uploaded = 0
      AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`
    return (await this.#catalog.all<{ sha256: string }>(sql)).map(row => row.sha256)
  }

  async listStrayContents(): Promise<readonly string[]> {
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
    this.#content.flushRenames()
    return added
  }

  async #removeUnused(inside: Statements, sha256: string): Promise<void> {
    await inside.run(
      `DELETE FROM files WHERE sha256 = ? AND uploaded = 0
       AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.file_id = files.id)`,
      sha256,
    )
  }

  /**
   * Includes published versions of documents that wait for newer bytes, and deletions that can
   * be undone.
   */
  async #isUsed(inside: Statements, sha256: string): Promise<boolean> {
    const sql = `SELECT EXISTS (SELECT 1 FROM files WHERE sha256 = ?1)
      OR EXISTS (SELECT 1 FROM versions WHERE sha256 = ?1 AND state <> 'retired')
      OR EXISTS (${DELETED_CONTENTS} AND sha256 = ?1) AS used`
    return (await inside.get<{ used: number }>(sql, sha256))?.used === 1
  }
}

/** Call it inside the transaction that records their use, and end that with `flushRenames`. */
export async function addFile(
  { catalog, content }: { readonly catalog: Statements; readonly content: ContentStore },
  stored: StagedBytes,
  { name, purpose, uploaded, lifetimeMs, declaredType }: NewFile,
): Promise<StoredFile> {
  await content.adopt(catalog, stored)
  const { sha256, bytes } = stored
  const createdAt = Date.now()
  const expiresAt = lifetimeMs === undefined ? undefined : createdAt + lifetimeMs
  const id = createId('file-')
  await catalog.run(
    'INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    sha256,
    name,
    bytes,
    purpose,
    uploaded ? 1 : 0,
    createdAt,
    expiresAt ?? null,
    declaredType ?? null,
  )
  return {
    id,
    sha256,
    name,
    bytes,
    purpose,
    createdAt,
    ...(expiresAt && { expiresAt }),
    ...(declaredType && { declaredType }),
  }
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
    ...(row.error && { error: unpackMessages(parseOwnJson<Failure>(row.error)) }),
  }
}
