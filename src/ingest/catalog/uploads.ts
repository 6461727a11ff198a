import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Catalog, Schema } from '../catalog.ts'
import { newId } from '../digest.ts'
import { reserveSpace, temporaryName, writeStream } from '../disk.ts'

export const uploadSchema: Schema = [
  `CREATE TABLE uploads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, purpose TEXT NOT NULL, bytes INTEGER NOT NULL, status TEXT NOT NULL,
    file_id TEXT, file_lifetime_ms INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE upload_parts (
    id TEXT PRIMARY KEY, upload_id TEXT NOT NULL, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX upload_parts_by_upload ON upload_parts (upload_id)',
]

export type UploadStatus = 'pending' | 'completed' | 'cancelled'

/** A file that arrives in parts. */
export type Upload = {
  readonly id: string
  readonly name: string
  readonly purpose: string
  /** Of the whole file, as announced. */
  readonly bytes: number
  readonly status: UploadStatus
  /** Once it is completed. */
  readonly fileId?: string
  /** How long the file will be kept; for ever when absent. */
  readonly fileLifetimeMs?: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

export type NewUpload = Pick<Upload, 'name' | 'purpose' | 'bytes' | 'expiresAt'> & {
  readonly fileLifetimeMs?: number | undefined
}

export type UploadPart = {
  readonly id: string
  readonly uploadId: string
  readonly bytes: number
  readonly createdAt: number
}

type Row = {
  id: string
  name: string
  purpose: string
  bytes: number
  status: UploadStatus
  file_id: string | null
  file_lifetime_ms: number | null
  created_at: number
  expires_at: number
}

type PartRow = { id: string; upload_id: string; bytes: number; created_at: number }

/** Uploads under way: what is known of them in the catalog, their parts as files in a folder for each. */
export class Uploads {
  readonly #catalog: Catalog
  readonly #root: string

  constructor(catalog: Catalog, home: string) {
    this.#catalog = catalog
    this.#root = path.join(home, 'uploads')
  }

  create({ name, purpose, bytes, expiresAt, fileLifetimeMs }: NewUpload): Upload {
    const id = newId('upload_')
    const sql = `INSERT INTO uploads VALUES (?, ?, ?, ?, 'pending', NULL, ?, ?, ?)`
    this.#catalog.run(sql, id, name, purpose, bytes, fileLifetimeMs ?? null, Date.now(), expiresAt)
    return this.find(id)! // just inserted
  }

  find(id: string): Upload | undefined {
    const row = this.#catalog.get<Row>('SELECT * FROM uploads WHERE id = ?', id)
    return row && fromRow(row)
  }

  /** Known only once it is whole and synced. */
  async addPart({ id: uploadId }: Upload, bytes: Readable, signal?: AbortSignal): Promise<UploadPart> {
    const id = newId('part_')
    const target = this.#part(uploadId, id)
    await mkdir(path.dirname(target), { recursive: true })
    reserveSpace(path.dirname(target), 0)
    const temporary = temporaryName(target)
    await writeStream(temporary, bytes, signal)
    const { size } = await stat(temporary)
    await rename(temporary, target)
    this.#catalog.run('INSERT INTO upload_parts VALUES (?, ?, ?, ?)', id, uploadId, size, Date.now())
    return { id, uploadId, bytes: size, createdAt: Date.now() }
  }

  parts(uploadId: string): readonly UploadPart[] {
    const rows = this.#catalog.all<PartRow>('SELECT * FROM upload_parts WHERE upload_id = ?', uploadId)
    return rows.map(row => ({ id: row.id, uploadId, bytes: row.bytes, createdAt: row.created_at }))
  }

  readPart({ uploadId, id }: UploadPart): Readable {
    return createReadStream(this.#part(uploadId, id))
  }

  /** False when it is not pending any more: somebody else was quicker. */
  end(id: string, status: 'completed' | 'cancelled', fileId?: string): boolean {
    const sql = `UPDATE uploads SET status = ?, file_id = ? WHERE id = ? AND status = 'pending'`
    return this.#catalog.run(sql, status, fileId ?? null, id) > 0
  }

  async removeParts(id: string): Promise<void> {
    this.#catalog.run('DELETE FROM upload_parts WHERE upload_id = ?', id)
    await rm(path.join(this.#root, id), { recursive: true, force: true })
  }

  /** Forget what has expired, and whatever folders no pending upload claims. */
  async sweep(): Promise<void> {
    this.#catalog.run('DELETE FROM uploads WHERE expires_at <= ?', Date.now())
    for (const id of await foldersOf(this.#root)) {
      if (this.find(id)?.status !== 'pending') await this.removeParts(id)
    }
  }

  #part(uploadId: string, id: string): string {
    return path.join(this.#root, uploadId, id)
  }
}

async function foldersOf(root: string): Promise<readonly string[]> {
  try {
    return await readdir(root)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [] // readdir throws system errors only
    throw error
  }
}

function fromRow(row: Row): Upload {
  return {
    id: row.id,
    name: row.name,
    purpose: row.purpose,
    bytes: row.bytes,
    status: row.status,
    ...(row.file_id !== null && { fileId: row.file_id }),
    ...(row.file_lifetime_ms !== null && { fileLifetimeMs: row.file_lifetime_ms }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
