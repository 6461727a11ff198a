import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { reserveSpace } from '../../../system/disk.ts'
import type { BlobEntry, Blobs } from '../blobs.ts'

/** Attempts without a byte, so that short outages are survived. */
const TRIES = 4

/** Resumes after a broken connection. Throws `store_mismatch` if the blob is gone. */
export async function fetchBlob(
  blobs: Blobs,
  blob: BlobEntry,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  reserveSpace(path.dirname(file), blob.sizeBytes)
  const target = await open(file, 'wx', 0o600)
  try {
    let idle = 0
    for (let offset = 0; offset < blob.sizeBytes; ) {
      const rest = { blobs, key: blob.key, offset, isLast: idle === TRIES - 1 }
      const end = await append(target, rest, signal)
      idle = end > offset ? 0 : idle + 1
      offset = end
      if (idle === TRIES)
        throw new AppError(
          'store_unavailable',
          localizable`${blobs.name} ends ${blob.key} before its end.`,
        )
    }
    await target.datasync() // a power cut may leave an empty file, which would pass for the document's bytes
  } finally {
    await target.close()
  }
}

type Rest = {
  readonly blobs: Blobs
  readonly key: string
  readonly offset: number
  readonly isLast: boolean
}

/** Returns the offset it reached. Throws connection errors at the last attempt only. */
async function append(target: FileHandle, rest: Rest, signal?: AbortSignal): Promise<number> {
  const { blobs, key, offset, isLast } = rest
  let end = offset
  try {
    const bytes: AsyncIterable<Buffer> | undefined = await blobs.get(key, {
      signal,
      range: offset > 0 ? { start: offset } : undefined,
    })
    if (!bytes)
      throw new AppError('store_mismatch', localizable`${blobs.name} has lost ${key}.`, {
        subject: 'store',
      })
    for await (const piece of bytes) {
      await target.appendFile(piece) // write() may write only a part
      end += piece.length
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AppError || (end === offset && isLast)) throw error
  }
  return end
}
