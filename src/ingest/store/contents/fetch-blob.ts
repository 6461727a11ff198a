import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../../errors.ts'
import { reserveSpace } from '../../../system/disk.ts'
import type { BlobEntry, Blobs } from '../blobs.ts'

/** Tries in a row that bring no byte. */
const TRIES = 4

/** Copy a blob to a new file; where the connection breaks, from there on. Throws `store_mismatch` for one that is gone. */
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
    for (let at = 0; at < blob.sizeBytes; ) {
      const end = await append(
        target,
        { blobs, key: blob.key, at, isLast: idle === TRIES - 1 },
        signal,
      )
      idle = end > at ? 0 : idle + 1
      at = end
      if (idle === TRIES)
        throw new AppError('store_unavailable', `${blobs.name} ends ${blob.key} before its end.`)
    }
    await target.datasync() // an original that a power cut left empty would pass for the document's bytes
  } finally {
    await target.close()
  }
}

type Rest = {
  readonly blobs: Blobs
  readonly key: string
  readonly at: number
  readonly isLast: boolean
}

/** Gives how far it came. Throws why it came no further at the last try alone, and what another would not change. */
async function append(target: FileHandle, rest: Rest, signal?: AbortSignal): Promise<number> {
  const { blobs, key, at, isLast } = rest
  let end = at
  try {
    const bytes = await blobs.get(key, { signal, range: at > 0 ? { start: at } : undefined })
    if (!bytes)
      throw new AppError('store_mismatch', `${blobs.name} has lost ${key}.`, { subject: 'store' })
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      await target.appendFile(piece) // all of it: write() may stop short
      end += piece.length
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AppError || (end === at && isLast)) throw error
  }
  return end
}
