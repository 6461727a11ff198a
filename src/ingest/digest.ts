import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** SHA-256 of a file's bytes, in hex; the file is streamed. */
export async function digestFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

/** First 16 hex digits of the SHA-256 of the parts: enough to name a thing among millions. */
export function digestOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** A new id, as `doc_5f0c…`: the time in milliseconds, so that ids sort by age, then 48 random bits. */
export function newId(prefix: string): string {
  return prefix + Date.now().toString(16).padStart(12, '0') + randomBytes(6).toString('hex')
}
