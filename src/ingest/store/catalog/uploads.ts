import { createReadStream, existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { localizable } from '../../../errors/localizable.ts'
import { AppError, getSystemCode } from '../../../errors.ts'
import { createId } from '../../../system/digest.ts'
import {
  createTemporaryName,
  isPlainName,
  makePrivateFolder,
  reserveSpace,
  writeStream,
} from '../../../system/disk.ts'
import type { Blobs } from '../blobs.ts'
import type { Statements, Tables } from '../catalog.ts'

type UploadStatus = 'pending' | 'completed' | 'cancelled'

export type Upload = {
  readonly id: string
  readonly name: string
  readonly purpose: string
  readonly bytes: number
  readonly status: UploadStatus
  readonly fileId?: string
  readonly fileLifetimeMs?: number
  readonly declaredType?: string
  readonly createdAt: number
  readonly expiresAt: number
}

export type NewUpload = Pick<Upload, 'name' | 'purpose' | 'bytes' | 'expiresAt'> & {
  readonly fileLifetimeMs?: number | undefined
  readonly declaredType?: string | undefined
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
  declared_type: string | null
}

type PartRow = { id: string; upload_id: string; bytes: number; created_at: number }

type SharedParts = {
  readonly blobs: Blobs
  /**
   * Marks the blobs of a place for removal. Call it inside the transaction that finds it
   * unused.
   */
  discard(inside: Statements, place: string): Promise<void>
  emptyTrash(): Promise<void>
}

/** Parts are in one folder per upload or shared blobs. */
export class Uploads {
  static readonly tables: Tables = {
    2: [
      `CREATE TABLE uploads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, purpose TEXT NOT NULL, bytes INTEGER NOT NULL, status TEXT NOT NULL,
    file_id TEXT, file_lifetime_ms INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      `CREATE TABLE upload_parts (
    id TEXT PRIMARY KEY, upload_id TEXT NOT NULL, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
      'CREATE INDEX upload_parts_by_upload ON upload_parts (upload_id)',
    ],
    12: ['ALTER TABLE uploads ADD COLUMN declared_type TEXT'],
  }

  readonly #catalog: Statements
  readonly #root: string
  #shared: SharedParts | undefined

  constructor(catalog: Statements, home: string) {
    this.#catalog = catalog
    this.#root = path.join(home, 'uploads')
  }

  share(shared: SharedParts): void {
    this.#shared = shared
  }

  async create({
    name,
    purpose,
    bytes,
    expiresAt,
    fileLifetimeMs,
    declaredType,
  }: NewUpload): Promise<Upload> {
    const id = createId('upload_')
    const sql = `INSERT INTO uploads VALUES (?, ?, ?, ?, 'pending', NULL, ?, ?, ?, ?)`
    const values = [
      id,
      name,
      purpose,
      bytes,
      fileLifetimeMs ?? null,
      Date.now(),
      expiresAt,
      declaredType ?? null,
    ]
    await this.#catalog.run(sql, ...values)
    return (await findUpload(this.#catalog, id))!
  }

  async find(id: string): Promise<Upload | undefined> {
    return await findUpload(this.#catalog, id)
  }

  /** Records a part once it is synced. Throws `invalid_input` beyond the announced size. */
  async addPart(upload: Upload, bytes: Readable, signal?: AbortSignal): Promise<UploadPart> {
    const id = createId('part_')
    const target = this.#getPartPath(upload.id, id)
    await makePrivateFolder(this.#root)
    await makePrivateFolder(path.dirname(target))
    reserveSpace(path.dirname(target), 0)
    const temporary = createTemporaryName(target)
    await writeStream(temporary, await this.#limit(upload, bytes), signal)
    const { size } = await stat(temporary)
    const part = { id, uploadId: upload.id, bytes: size, createdAt: Date.now() }
    const { blobs } = this.#shared ?? {}
    try {
      await (blobs ? blobs.put(toKey(part), temporary, signal) : rename(temporary, target))
      await this.#catalog.transaction(async inside => await this.#record(inside, upload, part))
    } catch (error) {
      await rm(target, { force: true })
      await blobs?.remove([toKey(part)])
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
    return part
  }

  /** Throws once the bytes exceed the announced size. */
  async #limit(upload: Upload, bytes: AsyncIterable<Buffer>): Promise<Readable> {
    const remainingBytes = upload.bytes - (await this.#countReceived(this.#catalog, upload))
    return Readable.from(
      (async function* () {
        let size = 0
        for await (const chunk of bytes) {
          size += chunk.length
          if (size > remainingBytes) throw createExcessError(upload)
          yield chunk
        }
      })(),
    )
  }

  /** Checks again: parts may arrive together, and another machine may end the upload. */
  async #record(
    inside: Statements,
    upload: Upload,
    { id, bytes, createdAt }: UploadPart,
  ): Promise<void> {
    const status = (await findUpload(inside, upload.id))?.status
    if (status !== 'pending') throw createEndedError(upload.id, status)
    if ((await this.#countReceived(inside, upload)) + bytes > upload.bytes)
      throw createExcessError(upload)
    await inside.run(
      'INSERT INTO upload_parts VALUES (?, ?, ?, ?)',
      id,
      upload.id,
      bytes,
      createdAt,
    )
  }

  async #countReceived(inside: Statements, { id }: Upload): Promise<number> {
    return (await this.listParts(id, inside)).reduce((sum, part) => sum + part.bytes, 0)
  }

  async listParts(
    uploadId: string,
    inside: Statements = this.#catalog,
  ): Promise<readonly UploadPart[]> {
    const rows = await inside.all<PartRow>(
      'SELECT * FROM upload_parts WHERE upload_id = ?',
      uploadId,
    )
    return rows.map(row => ({ id: row.id, uploadId, bytes: row.bytes, createdAt: row.created_at }))
  }

  async readPart(part: UploadPart, signal?: AbortSignal): Promise<Readable> {
    const file = this.#getPartPath(part.uploadId, part.id) // stored before parts were shared
    if (!this.#shared || existsSync(file)) return createReadStream(file)
    const bytes = await this.#shared.blobs.get(toKey(part), { signal })
    if (bytes) return bytes
    throw createEndedError(part.uploadId, (await this.find(part.uploadId))?.status)
  }

  async cancel(upload: Upload): Promise<void> {
    await endUpload(this.#catalog, upload, 'cancelled')
  }

  async removeParts(id: string): Promise<void> {
    await this.#catalog.transaction(async inside => await this.#forgetParts(inside, id))
    await rm(this.#getFolder(id), { recursive: true, force: true })
    await this.#shared?.emptyTrash()
  }

  async sweep(): Promise<void> {
    const sql = 'DELETE FROM uploads WHERE expires_at <= ? RETURNING id'
    const expired = await this.#catalog.transaction(async inside => {
      const rows = await inside.all<{ id: string }>(sql, Date.now())
      for (const { id } of rows) await this.#forgetParts(inside, id) // also parts that came late
      return rows
    })
    if (expired.length > 0) await this.#shared?.emptyTrash()
    for (const id of await listFolders(this.#root)) {
      if ((await findUpload(this.#catalog, id))?.status !== 'pending') await this.removeParts(id)
    }
  }

  async #forgetParts(inside: Statements, id: string): Promise<void> {
    await inside.run('DELETE FROM upload_parts WHERE upload_id = ?', id)
    await this.#shared?.discard(inside, toPlace(id))
  }

  #getPartPath(uploadId: string, id: string): string {
    return path.join(this.#getFolder(uploadId), requirePlain(id))
  }

  #getFolder(id: string): string {
    return path.join(this.#root, requirePlain(id))
  }
}

/** Call it inside the transaction that records the result. Throws `conflict` if it has ended. */
export async function endUpload(
  catalog: Statements,
  { id }: Upload,
  status: 'completed' | 'cancelled',
  fileId?: string,
): Promise<void> {
  const sql = `UPDATE uploads SET status = ?, file_id = ? WHERE id = ? AND status = 'pending'`
  if ((await catalog.run(sql, status, fileId ?? null, id)) === 0)
    throw createEndedError(id, (await findUpload(catalog, id))?.status)
}

export function createEndedError(id: string, status = 'forgotten'): AppError {
  return new AppError(
    'conflict',
    localizable`Upload ${id} is ${status} and accepts no more parts. Start another one.`,
  )
}

function toPlace(id: string): string {
  return `uploads/${requirePlain(id)}`
}

function toKey({ uploadId, id }: UploadPart): string {
  return `${toPlace(uploadId)}/${requirePlain(id)}`
}

async function findUpload(catalog: Statements, id: string): Promise<Upload | undefined> {
  const row = await catalog.get<Row>('SELECT * FROM uploads WHERE id = ?', id)
  return row && fromRow(row)
}

/** Throws `corrupt` for an id that leads out of the folder: a catalog may come from anybody. */
function requirePlain(id: string): string {
  if (isPlainName(id)) return id
  throw new AppError(
    'corrupt',
    localizable`The catalog names an upload ${JSON.stringify(id)}, which is not an id.`,
  )
}

function createExcessError({ id, bytes }: Upload): AppError {
  const advice = 'Cancel it, and start one that announces all of its bytes.'
  return new AppError(
    'invalid_input',
    localizable`Upload ${id} was announced with ${bytes} bytes, and this part exceeds them. ${advice}`,
  )
}

async function listFolders(root: string): Promise<readonly string[]> {
  try {
    return await readdir(root)
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return []
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
    ...(row.declared_type !== null && { declaredType: row.declared_type }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
