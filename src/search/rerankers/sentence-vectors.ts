import { createHash } from 'node:crypto'
import { appendFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { getSystemCode } from '../../errors.ts'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import { reserveSpace } from '../../system/disk.ts'
import { RecentMap } from '../../system/recent-map.ts'

/** Bounds memory, so that about 150,000 sentences of the shipped model fit. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

/** Bounds memory, so that word vectors take 3 MiB. */
const MAX_WORDS = 2048

export type Sentence = { readonly documentId?: string; readonly text: string }

type VectorCache = Pick<VectorFile, 'get' | 'add'>

/** Bytes of a text's digest, so that collisions are out of the question. */
const DIGEST_BYTES = 16
const SCALE_BYTES = 4
/** Largest int8 level, so that the scale is symmetric. */
const LEVELS = 127
/** Bounds a file, so that a cache stays small; the rest is computed each time. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const UNWRITABLE = new Set(['disk_full', 'ENOENT', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'])

export class SentenceVectors {
  readonly #embedder: Embedder
  readonly #findFile: (documentId: string) => Promise<string | undefined>
  /** Keyed by path, least recently used first. */
  readonly #files = new Map<string, Promise<VectorFile>>()
  readonly #words = new RecentVectors()

  /** Takes a document's path from `findFile`; undefined if it is gone. */
  constructor(embedder: Embedder, findFile: (documentId: string) => Promise<string | undefined>) {
    this.#embedder = embedder
    this.#findFile = findFile
  }

  async getVectors(
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const files = await this.#open(new Set(sentences.flatMap(({ documentId }) => documentId ?? [])))
    const found = sentences.map(({ documentId, text }) => files.get(documentId)?.get(text))
    const missing = [
      ...new Set(sentences.filter((_, index) => !found[index]).map(sentence => sentence.text)),
    ]
    const embedded =
      missing.length > 0 ? await this.#embedder.embed(missing, 'passage', signal) : []
    const made = new Map(
      missing.map((text, index) => [text, decode(encode('', embedded[index]!), 0)]),
    )
    for (const [documentId, file] of files) {
      const own = sentences.filter(
        sentence => sentence.documentId === documentId && made.has(sentence.text),
      )
      await file.add(new Map(own.map(({ text }) => [text, made.get(text)!])))
    }
    return sentences.map(({ text }, index) => found[index] ?? made.get(text)!)
  }

  async #open(
    documentIds: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string | undefined, VectorCache>> {
    const open = [...documentIds].map(async id => {
      const path = await this.#findFile(id)
      return path === undefined ? [] : [[id, await this.#load(path)] as const]
    })
    const files = (await Promise.all(open)).flat()
    await this.#shrink()
    return new Map<string | undefined, VectorCache>([[undefined, this.#words], ...files])
  }

  #load(path: string): Promise<VectorFile> {
    const file = this.#files.get(path) ?? VectorFile.load(path, this.#embedder.dimensions)
    this.#files.delete(path)
    this.#files.set(path, file)
    file.catch(() => this.#files.delete(path))
    return file
  }

  /** Evicts the least recently used file; current users keep theirs. */
  async #shrink(): Promise<void> {
    const loaded = await Promise.all(
      [...this.#files].map(async ([path, file]) => [path, (await file).sizeBytes] as const),
    )
    let sizeBytes = loaded.reduce((sum, [, bytes]) => sum + bytes, 0)
    for (const [path, bytes] of loaded) {
      if (sizeBytes <= MAX_MEMORY_BYTES) return
      this.#files.delete(path)
      sizeBytes -= bytes
    }
  }
}

class RecentVectors {
  readonly #vectors = new RecentMap<string, Float32Array>(MAX_WORDS)

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text)
    if (vector) this.#vectors.set(text, vector)
    return vector
  }

  async add(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const [text, vector] of vectors) this.#vectors.set(text, vector)
  }
}

/**
 * Record: a digest, a float32 scale and a signed byte per dimension (cosines differ by .0005).
 * An incomplete file is discarded.
 */
class VectorFile {
  readonly #file: string
  readonly #recordBytes: number
  readonly #records = new Map<string, Buffer>()

  private constructor(file: string, dimensions: number) {
    this.#file = file
    this.#recordBytes = DIGEST_BYTES + SCALE_BYTES + dimensions
  }

  /** Empty if the file is missing. */
  static async load(file: string, dimensions: number): Promise<VectorFile> {
    const loaded = new VectorFile(file, dimensions)
    await loaded.#load()
    return loaded
  }

  get sizeBytes(): number {
    return this.#records.size * this.#recordBytes
  }

  get(text: string): Float32Array | undefined {
    const record = this.#records.get(hashText(text))
    return record && decode(record)
  }

  /** Adds while there is room. Only appends, so that several processes may write. */
  async add(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const fresh: Buffer[] = []
    for (const [text, vector] of vectors) {
      const digest = hashText(text)
      if (this.#records.has(digest) || this.sizeBytes >= MAX_FILE_BYTES) continue
      const record = encode(digest, vector)
      this.#records.set(digest, record)
      fresh.push(record)
    }
    if (fresh.length > 0) await this.#append(Buffer.concat(fresh))
  }

  /** Keeps vectors in memory if they cannot be written. */
  async #append(bytes: Buffer): Promise<void> {
    try {
      reserveSpace(path.dirname(this.#file), bytes.length)
      await appendFile(this.#file, bytes)
    } catch (error) {
      if (!UNWRITABLE.has(getSystemCode(error) ?? '')) throw error
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

function hashText(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, DIGEST_BYTES)
}

function encode(digest: string, vector: Float32Array): Buffer {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
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
