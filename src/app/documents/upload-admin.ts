import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import {
  createEndedError,
  type NewUpload,
  type Upload,
  type UploadPart,
} from '../../ingest/store/catalog/uploads.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { Store } from '../stores/store.ts'

/** Lifetime of an incomplete upload, so that abandoned parts are removed. */
const LIFETIME_MS = 60 * 60 * 1000

/** Parts of an upload; protects the catalog (OpenAI states no limit). */
const MAX_PARTS = 10_000

type CompletedUpload = { readonly upload: Upload; readonly file: StoredFile }

export class UploadAdmin {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async create(upload: Omit<NewUpload, 'expiresAt'>): Promise<Upload> {
    return await this.#store.uploads.create({ ...upload, expiresAt: Date.now() + LIFETIME_MS })
  }

  /** Throws `not_found`, also after expiry. */
  async get(id: string): Promise<Upload> {
    const upload = await this.#store.uploads.find(id)
    if (upload && (upload.status !== 'pending' || upload.expiresAt > Date.now())) return upload
    throw new AppError(
      'not_found',
      localizable`There is no upload ${id}: it may have expired. Start another one.`,
      { about: id },
    )
  }

  /** Accepts parts in any order and in parallel; an interrupted one leaves nothing. */
  async addPart(id: string, bytes: Readable, signal?: AbortSignal): Promise<UploadPart> {
    const upload = await this.#requirePending(id)
    if ((await this.#store.uploads.listParts(id)).length >= MAX_PARTS) {
      throw new AppError(
        'too_large',
        localizable`Upload ${id} has ${MAX_PARTS} parts already, which is the maximum. Send larger parts.`,
      )
    }
    try {
      return await this.#store.uploads.addPart(upload, bytes, signal)
    } catch (error) {
      await this.#requirePending(id) // its folder is gone
      throw error
    }
  }

  /** Joins the parts in the given order. `md5` is the hex digest of the result. */
  async complete(
    id: string,
    {
      partIds,
      md5,
      signal,
    }: {
      readonly partIds: readonly string[]
      readonly md5?: string
      readonly signal?: AbortSignal
    },
  ): Promise<CompletedUpload> {
    const { uploads, content, files } = this.#store
    const upload = await this.#requirePending(id)
    const parts = await this.#orderParts(upload, partIds)
    const digest = createHash('md5')
    const bytes = Readable.from(this.#readBytes(parts, digest, signal))
    const file = await content.stageStream(
      bytes,
      async staged => {
        checkMd5(upload, digest.digest('hex'), md5)
        return await files.complete(upload, staged)
      },
      signal,
    )
    await uploads.removeParts(id)
    return { upload: await this.get(id), file }
  }

  async cancel(id: string): Promise<Upload> {
    const { uploads } = this.#store
    await uploads.cancel(await this.#requirePending(id))
    await uploads.removeParts(id)
    return await this.get(id)
  }

  async #requirePending(id: string): Promise<Upload> {
    const upload = await this.get(id)
    if (upload.status === 'pending') return upload
    throw createEndedError(id, upload.status)
  }

  async #orderParts(upload: Upload, partIds: readonly string[]): Promise<readonly UploadPart[]> {
    const partsById = new Map(
      (await this.#store.uploads.listParts(upload.id)).map(part => [part.id, part]),
    )
    const parts = partIds.map(id => {
      const part = partsById.get(id)
      if (part) return part
      throw new AppError('invalid_input', localizable`Upload ${upload.id} has no part ${id}.`, {
        about: id,
      })
    })
    const total = parts.reduce((sum, part) => sum + part.bytes, 0)
    if (total === upload.bytes) return parts
    throw new AppError(
      'invalid_input',
      localizable`The parts named have ${total} bytes together, and upload ${upload.id} was to have ${upload.bytes}. Name every part, in order.`,
    )
  }

  async *#readBytes(
    parts: readonly UploadPart[],
    digest: ReturnType<typeof createHash>,
    signal?: AbortSignal,
  ): AsyncGenerator<Buffer> {
    for (const part of parts) {
      for await (const chunk of await this.#store.uploads.readPart(part, signal)) {
        digest.update(chunk)
        yield chunk
      }
    }
  }
}

function checkMd5({ id }: Upload, actual: string, expected: string | undefined): void {
  if (expected === undefined || expected.toLowerCase() === actual) return
  throw new AppError(
    'invalid_input',
    localizable`Upload ${id} has the MD5 ${actual}, not ${expected}: send the parts again.`,
  )
}
