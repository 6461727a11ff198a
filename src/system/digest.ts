import { createHash, hash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, open, readSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest, { signal })
  return digest.digest('hex')
}

/** Expects lower-case hex, as contents are named. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function hashBytes(bytes: Buffer): string {
  return hash('sha256', bytes)
}

const openFile = promisify(open)

/**
 * Returns undefined if the file exceeds `maxBytes`, or grows. Only opening is asynchronous, for
 * disks that do not answer.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await openFile(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) return undefined
    const bytes = Buffer.allocUnsafe(size + 1)
    const bytesRead = readSync(file, bytes, 0, bytes.length, 0)
    return bytesRead > size ? undefined : bytes.subarray(0, bytesRead)
  } finally {
    closeSync(file)
  }
}

/** Returns the first 16 hex digits of the SHA-256, enough to identify one of millions. */
export function hashParts(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 16)
}

/** Creates an id, as `doc_5f0c…`: milliseconds, so that ids sort by age, then 48 random bits. */
export function createId(prefix: string): string {
  return prefix + Date.now().toString(16).padStart(12, '0') + createRandomHex()
}

/** Returns 48 random bits from Node's cache for UUIDs: drawing six bytes takes 20 times as long. */
export function createRandomHex(): string {
  return randomUUID().slice(-12)
}
