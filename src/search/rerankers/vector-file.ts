import { createHash } from 'node:crypto'
import { appendFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { reserveSpace } from '../../ingest/disk.ts'

/** Bytes of the digest that names a text. */
const DIGEST_BYTES = 16
const SCALE_BYTES = 4

/** Largest an int8 gets. */
const LEVELS = 127

/** No file grows beyond this; what does not fit is computed each time. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

/**
 * Vectors by the text that they are of, in a file of its own beside a content. A record is the text's digest, a float32
 * scale and a signed byte a dimension: a quarter of float32, and a cosine is off by some .0005. A file that ends within
 * a record (a full disk, a killed process) is thrown away.
 */
export class VectorFile {
  readonly #file: string
  readonly #recordBytes: number
  readonly #records = new Map<string, Buffer>()

  private constructor(file: string, dimensions: number) {
    this.#file = file
    this.#recordBytes = DIGEST_BYTES + SCALE_BYTES + dimensions
  }

  /** What is there; nothing, as a rule. */
  static async load(file: string, dimensions: number): Promise<VectorFile> {
    const loaded = new VectorFile(file, dimensions)
    await loaded.#load()
    return loaded
  }

  /** In memory and on disk alike. */
  get sizeBytes(): number {
    return this.#records.size * this.#recordBytes
  }

  get(text: string): Float32Array | undefined {
    const record = this.#records.get(digestOf(text))
    return record && decode(record)
  }

  /** Keep vectors, as far as there is room; the disk is only appended to, so that several processes may. */
  async add(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const fresh: Buffer[] = []
    for (const [text, vector] of vectors) {
      const digest = digestOf(text)
      if (this.#records.has(digest) || this.sizeBytes >= MAX_FILE_BYTES) continue
      const record = encode(digest, vector)
      this.#records.set(digest, record)
      fresh.push(record)
    }
    if (fresh.length > 0) await this.#append(Buffer.concat(fresh))
  }

  /** Where nothing can be written, or the content is gone, vectors are kept in memory only: that costs time, no answer. */
  async #append(bytes: Buffer): Promise<void> {
    try {
      reserveSpace(path.dirname(this.#file), bytes.length)
      await appendFile(this.#file, bytes)
    } catch (error) {
      if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error // AppError has a code too
    }
  }

  async #load(): Promise<void> {
    const bytes = await readFile(this.#file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0)
      throw error
    })
    if (bytes.length % this.#recordBytes !== 0) return await rm(this.#file, { force: true })
    for (let start = 0; start < bytes.length; start += this.#recordBytes) {
      const record = bytes.subarray(start, start + this.#recordBytes)
      this.#records.set(record.toString('latin1', 0, DIGEST_BYTES), record)
    }
  }
}

const UNWRITABLE = new Set(['disk_full', 'ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'])

/** A vector as it is given back once kept: the same before and after, so that results do not depend on the cache. */
export function rounded(vector: Float32Array): Float32Array {
  return decode(encode('', vector), 0)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, DIGEST_BYTES)
}

function encode(digest: string, vector: Float32Array): Buffer {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const scale = Math.fround(largest / LEVELS) || 1
  const record = Buffer.alloc(digest.length + SCALE_BYTES + vector.length)
  record.write(digest, 'latin1')
  record.writeFloatLE(scale, digest.length)
  for (const [index, value] of vector.entries()) {
    record.writeInt8(Math.round(value / scale), digest.length + SCALE_BYTES + index)
  }
  return record
}

function decode(record: Buffer, digestBytes = DIGEST_BYTES): Float32Array {
  const scale = record.readFloatLE(digestBytes)
  const start = record.byteOffset + digestBytes + SCALE_BYTES
  const levels = new Int8Array(record.buffer, start, record.length - digestBytes - SCALE_BYTES)
  return Float32Array.from(levels, level => level * scale)
}
