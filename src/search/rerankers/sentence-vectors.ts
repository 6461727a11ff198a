import { createHash } from 'node:crypto'
import { appendFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Embedder } from '../../ingest/embed/embedder.ts'
import { reserveSpace } from '../../system/disk.ts'

/** Files of vectors that are held in memory, together: about 150,000 sentences of the shipped model. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

/** Single words whose vectors are kept: those of some ten questions, 3 MiB of the shipped model. */
const MAX_WORDS = 2048

/** A sentence, or any other piece, of a document; a single word of no document, which is in too many to be kept with one. */
export type Sentence = { readonly documentId?: string; readonly text: string }

type Kept = Pick<VectorFile, 'get' | 'add'>

/** Bytes of the digest that names a text. */
const DIGEST_BYTES = 16
const SCALE_BYTES = 4
/** Largest an int8 gets. */
const LEVELS = 127
/** No file grows beyond this; what does not fit is computed each time. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const UNWRITABLE = new Set(['disk_full', 'ENOENT', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'])

/**
 * Vectors of pieces of documents, worked out when somebody first asks for them and kept with the document's content,
 * so that they go when it goes. What a question needs of documents that were asked about before costs no embedding.
 * Words are kept in memory only, so that they do not fill the files of sentences.
 */
export class SentenceVectors {
  readonly #embedder: Embedder
  readonly #fileOf: (documentId: string) => Promise<string | undefined>
  /** By path, least recently used first. */
  readonly #files = new Map<string, Promise<VectorFile>>()
  readonly #words = new RecentVectors(MAX_WORDS)

  /** `fileOf` says where the vectors of a document's pieces lie; undefined when it is gone. */
  constructor(embedder: Embedder, fileOf: (documentId: string) => Promise<string | undefined>) {
    this.#embedder = embedder
    this.#fileOf = fileOf
  }

  /** One vector a sentence, in order, as of the embedder's role `passage`. */
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
    const made = new Map(missing.map((text, index) => [text, rounded(embedded[index]!)])) // one vector a text
    for (const [documentId, file] of files) {
      const own = sentences.filter(
        sentence => sentence.documentId === documentId && made.has(sentence.text),
      )
      await file.add(new Map(own.map(({ text }) => [text, made.get(text)!]))) // just asked whether it has
    }
    return sentences.map(({ text }, index) => found[index] ?? made.get(text)!) // what was not found was made
  }

  async #open(documentIds: ReadonlySet<string>): Promise<ReadonlyMap<string | undefined, Kept>> {
    const open = [...documentIds].map(async id => {
      const path = await this.#fileOf(id)
      return path === undefined ? [] : [[id, await this.#load(path)] as const]
    })
    const files = (await Promise.all(open)).flat()
    await this.#shrink()
    return new Map<string | undefined, Kept>([[undefined, this.#words], ...files])
  }

  #load(path: string): Promise<VectorFile> {
    const file = this.#files.get(path) ?? VectorFile.load(path, this.#embedder.dimensions)
    this.#files.delete(path)
    this.#files.set(path, file)
    file.catch(() => this.#files.delete(path))
    return file
  }

  /** What was used longest ago goes first; who still works with it keeps it that long. */
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

/** Vectors by the text that they are of, in memory: of the texts used last. */
class RecentVectors {
  readonly #capacity: number
  /** Least recently used first. */
  readonly #vectors = new Map<string, Float32Array>()

  /** `capacity` in vectors. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(text: string): Float32Array | undefined {
    const vector = this.#vectors.get(text)
    if (vector) this.#keep(text, vector)
    return vector
  }

  async add(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    for (const [text, vector] of vectors) this.#keep(text, vector)
    for (const text of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#capacity) return
      this.#vectors.delete(text)
    }
  }

  #keep(text: string, vector: Float32Array): void {
    this.#vectors.delete(text)
    this.#vectors.set(text, vector)
  }
}

/**
 * Vectors by the text that they are of, in a file of its own beside a content. A record is the text's digest, a float32
 * scale and a signed byte a dimension: a quarter of float32, and a cosine is off by some .0005. A file that ends within
 * a record (a full disk, a killed process) is thrown away.
 */
class VectorFile {
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
    const record = this.#records.get(hashText(text))
    return record && decode(record)
  }

  /** Keep vectors, as far as there is room; the disk is only appended to, so that several processes may. */
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

/** A vector as it is given back once kept: the same before and after, so that results do not depend on the cache. */
function rounded(vector: Float32Array): Float32Array {
  return decode(encode('', vector), 0)
}

function hashText(text: string): string {
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
