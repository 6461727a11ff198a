import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createTemporaryName } from '../../../system/disk.ts'
import type { Chunk } from '../../chunk/chunker.ts'
import { ChunkReader, type ChunkRecord, ChunkRecorder } from './chunk-records.ts'
import { isTorn, type ParsedDocument, readRecords } from './parsed.ts'

/** Records per write. Protects memory. */
const BATCH = 256

/**
 * `longest`: tokens of the longest chunk. `digest`: set for chunks just written to their own
 * file.
 */
export type ChunkTotals = {
  readonly chunks: number
  readonly tokens: number
  readonly longest: number
  readonly digest?: string
}

/**
 * Chunks of one document without texts: in the file of a small document, else one JSON record
 * each.
 */
export class ChunkedDocument {
  readonly #path: string
  readonly #parsed: ParsedDocument
  #recent: readonly Chunk[] | undefined

  constructor(path: string, parsed: ParsedDocument) {
    this.#path = path
    this.#parsed = parsed
  }

  async readTotals(): Promise<ChunkTotals | undefined> {
    const totals = { chunks: 0, tokens: 0, longest: 0 }
    try {
      for await (const { tokens } of this.readChunks()) count(totals, tokens)
    } catch (error) {
      if (isTorn(error)) return undefined
      throw error
    }
    return totals.chunks > 0 ? totals : undefined
  }

  /** Returns false for an unstored text, which is stored with its chunks. */
  get exists(): boolean {
    if (this.#parsed.isInMemory) return false
    return this.#parsed.chunks !== undefined || existsSync(this.#path)
  }

  /** Returns undefined for a small document, whose file has a checksum. */
  async computeDigest(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#parsed.chunks !== undefined) return undefined
    const digest = new ChunkDigest()
    for await (const chunk of this.#parsed.readTexts(this.readChunks(), signal)) digest.add(chunk)
    return digest.hex()
  }

  readChunks(): AsyncIterable<Chunk> | Iterable<Chunk> {
    return this.#recent ?? this.#parsed.chunks ?? readChunks(this.#path)
  }

  /** Stores all chunks or, after a crash, none. */
  async write(chunks: AsyncIterable<Chunk & { readonly text: string }>): Promise<ChunkTotals> {
    return this.#parsed.isInMemory
      ? await this.#writeWithParsed(chunks)
      : await this.#writeSeparately(chunks)
  }

  async #writeWithParsed(
    chunks: AsyncIterable<Chunk & { readonly text: string }>,
  ): Promise<ChunkTotals> {
    const totals = { chunks: 0, tokens: 0, longest: 0 }
    const all: Chunk[] = []
    for await (const { text: _, ...chunk } of chunks) {
      count(totals, chunk.tokens)
      all.push(chunk)
    }
    this.#parsed.storeWith(all)
    return totals
  }

  async #writeSeparately(
    chunks: AsyncIterable<Chunk & { readonly text: string }>,
  ): Promise<ChunkTotals> {
    const temporary = createTemporaryName(this.#path)
    const totals = { chunks: 0, tokens: 0, longest: 0 }
    const digest = new ChunkDigest()
    const recorder = new ChunkRecorder()
    let batch: Chunk[] = []
    try {
      for await (const { text, ...chunk } of chunks) {
        count(totals, chunk.tokens)
        digest.add({ ...chunk, text })
        if (batch.length >= BATCH) {
          appendFileSync(temporary, formatJsonLines(batch, recorder))
          batch = []
        }
        batch.push(chunk)
      }
      appendFileSync(temporary, formatJsonLines(batch, recorder))
      renameSync(temporary, this.#path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    if (totals.chunks === batch.length) this.#recent = batch
    return { ...totals, digest: digest.hex() }
  }
}

function count(totals: { chunks: number; tokens: number; longest: number }, tokens: number): void {
  totals.chunks++
  totals.tokens += tokens
  totals.longest = Math.max(totals.longest, tokens)
}

function formatJsonLines(chunks: readonly Chunk[], recorder: ChunkRecorder): string {
  return chunks.map(chunk => `${JSON.stringify(recorder.record(chunk))}\n`).join('')
}

async function* readChunks(file: string): AsyncGenerator<Chunk> {
  const reader = new ChunkReader()
  for await (const record of readRecords<ChunkRecord>(file)) yield reader.chunk(record)
}

/** SHA-256 of chunks and texts; detects changes on disk. */
export class ChunkDigest {
  readonly #hash = createHash('sha256')

  add({ text, ...chunk }: Chunk & { readonly text: string }): void {
    this.#hash.update(`${JSON.stringify(chunk)}\n${text}\n`)
  }

  hex(): string {
    return this.#hash.digest('hex')
  }
}
