import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError } from '../../errors.ts'

/** One blob, as a list names it. */
export type BlobEntry = { readonly key: string; readonly sizeBytes: number }

/** Bytes from `start` up to `end`, which is not among them; without an end, all that follow. */
export type ByteRange = { readonly start: number; readonly end?: number | undefined }

export type GetOptions = {
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A place for bytes that all machines of a store read, each under a key: a path with slashes. What is there never changes; it
 * is put, read and removed. Throws `store_unavailable` where the place cannot be reached.
 */
export interface Blobs {
  /** Where it is, for messages. */
  readonly name: string
  /** The bytes, or the file that holds them. Durable when it returns; false where the key is taken, which stays as it is. */
  put(key: string, from: Buffer | string, signal?: AbortSignal): Promise<boolean>
  /** Undefined where there is none. A range past the end gives nothing. */
  get(key: string, options?: GetOptions): Promise<Readable | undefined>
  /** Those whose keys begin so, in the order of their keys. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<BlobEntry>
  /** Those that are not there are not missed. Small, and owed: what is no longer named is removed though nobody waits. */
  remove(keys: readonly string[]): Promise<void>
}

/**
 * Finds out whether a place keeps what was put first, which everything here rests on: a store that ignores `If-None-Match` lets
 * the later of two writers win, and the commit of the first is lost. Throws `store_mismatch` for one that does.
 */
export async function requireConditionalPuts(
  blobs: Blobs,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await blobs.put(key, Buffer.from('first'), signal)
    const isSecondKept = await blobs.put(key, Buffer.from('second'), signal)
    if (!isSecondKept && (await textOf(blobs, key, signal)) === 'first') return
  } finally {
    await blobs.remove([key])
  }
  throw new AppError(
    'store_mismatch',
    `${blobs.name} lets a second writer replace what the first one put (it does not honour If-None-Match: *), so that two ` +
      'machines would lose documents. Use a store that does: AWS S3, Cloudflare R2, MinIO, Ceph from 19 on.',
    { subject: 'store' },
  )
}

async function textOf(blobs: Blobs, key: string, signal?: AbortSignal): Promise<string> {
  const bytes = await blobs.get(key, { signal })
  return bytes ? await text(bytes) : ''
}
