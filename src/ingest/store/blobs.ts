import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'

export type BlobEntry = { readonly key: string; readonly sizeBytes: number }

export type ByteRange = { readonly start: number; readonly end?: number | undefined }

export type GetOptions = {
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Immutable blobs that all machines of a store read, by keys with slashes. Methods throw
 * `store_unavailable`.
 */
export interface Blobs {
  readonly name: string
  /** Stores durably. Returns false, and changes nothing, if the key exists. */
  put(key: string, from: Buffer | string, signal?: AbortSignal): Promise<boolean>
  /** A range past the end is empty. */
  get(key: string, options?: GetOptions): Promise<Readable | undefined>
  /** Sorted by key. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<BlobEntry>
  /** Ignores missing blobs. Takes no signal: it cleans up after cancelled work, too. */
  remove(keys: readonly string[]): Promise<void>
}

/** Checks that the first of two puts wins (`If-None-Match`). Throws `store_mismatch`. */
export async function requireConditionalPuts(
  blobs: Blobs,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  await blobs.put(key, Buffer.from('first'), signal)
  try {
    const isSecondStored = await blobs.put(key, Buffer.from('second'), signal)
    if (!isSecondStored && (await readText(blobs, key, signal)) === 'first') return
  } finally {
    await blobs.remove([key])
  }
  throw new AppError(
    'store_mismatch',
    localizable`${blobs.name} lets a second writer replace what the first one put (it does not honour If-None-Match: *), so that two machines would lose documents. Use a store that does: AWS S3, Cloudflare R2, MinIO, Ceph from 19 on.`,
    { subject: 'store' },
  )
}

async function readText(blobs: Blobs, key: string, signal?: AbortSignal): Promise<string> {
  const bytes = await blobs.get(key, { signal })
  return bytes ? await text(bytes) : ''
}
