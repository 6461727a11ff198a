import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { reserveSpace, temporaryName } from '../../../system/disk.ts'
import type { Chunk } from '../../chunk/chunker.ts'
import { ChunkReader, type ChunkRecord, ChunkRecorder } from './chunk-records.ts'
import type { BlockRecord, ParsedReport } from './parsed-writer.ts'

/** All that is made of a small document before it is embedded. */
export type WholeDocument = {
  readonly report: ParsedReport
  readonly text: string
  readonly blocks: readonly BlockRecord[]
  readonly chunks: readonly Chunk[]
}

const MAGIC = Buffer.from('PSM1', 'latin1')
const CRC_AT = MAGIC.length
/** Unsigned, 32 bits. */
const NUMBER_BYTES = 4
/** Where the lengths of the parts stand, which is also what the checksum covers: all from here on. */
const LENGTHS_AT = CRC_AT + NUMBER_BYTES
const PARTS = 4
const HEADER_BYTES = LENGTHS_AT + PARTS * NUMBER_BYTES

/**
 * A small document in one file: on ext4 a file or folder of its own for each part takes more CPU than making the part.
 * Little-endian: `PSM1`, the CRC-32 of what follows it, the lengths of four parts in bytes, then the parts: the parsed text in
 * UTF-16, so that a span is read by position; blocks without their text, the parser's report, and chunks without their
 * text, each as JSON.
 */
export class WholeFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  get exists(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) !== undefined
  }

  /** Throws a `SyntaxError` for one that a power cut left without its end, or with other bytes. */
  read(): WholeDocument {
    const file = readFileSync(this.#path)
    const isWhole = file.length >= HEADER_BYTES && file.subarray(0, CRC_AT).equals(MAGIC)
    if (!isWhole || file.readUInt32LE(CRC_AT) !== crc32(file.subarray(LENGTHS_AT)))
      throw new SyntaxError(`The file ${this.#path} is not whole.`)
    let at = HEADER_BYTES
    const [text, blocks, report, chunks] = Array.from({ length: PARTS }, (_, part) => {
      const start = at
      at += lengthOf(file, part)
      return file.subarray(start, at)
    }) as [Buffer, Buffer, Buffer, Buffer] // as many as PARTS
    return {
      text: text.toString('utf16le'),
      blocks: JSON.parse(blocks.toString()) as BlockRecord[], // our own file, as its checksum says
      report: JSON.parse(report.toString()) as ParsedReport,
      chunks: chunksOf(JSON.parse(chunks.toString()) as ChunkRecord[]),
    }
  }

  /** `[charStart, charEnd)` of the parsed text, clipped to its length. Throws as `read` where it looks torn and is. */
  readSpan(charStart: number, charEnd: number): string {
    const file = openSync(this.#path, 'r')
    try {
      const header = Buffer.alloc(HEADER_BYTES) // of a torn file, no text
      readSync(file, header, 0, HEADER_BYTES, 0)
      const end = Math.min(charEnd * 2, lengthOf(header, 0))
      const bytes = Buffer.allocUnsafe(Math.max(0, end - charStart * 2))
      const bytesRead = readSync(file, bytes, 0, bytes.length, HEADER_BYTES + charStart * 2)
      const text = bytes.toString('utf16le', 0, bytesRead)
      const isWhole = header.subarray(0, CRC_AT).equals(MAGIC) && bytesRead === bytes.length
      return isWhole && !text.includes('\0') ? text : this.read().text.slice(charStart, charEnd) // a power cut leaves zeros
    } finally {
      closeSync(file)
    }
  }

  /**
   * All of it or, after a crash, nothing. The folder must be there: a content that was removed stays removed. Another process
   * may have written the same meanwhile: equal stages give equal output.
   */
  write({ text, blocks, report, chunks }: WholeDocument): void {
    const parts = [
      Buffer.from(text, 'utf16le'),
      ...[blocks, report, recordsOf(chunks)].map(part => Buffer.from(JSON.stringify(part))),
    ]
    const header = Buffer.alloc(HEADER_BYTES)
    MAGIC.copy(header)
    for (const [part, { length }] of parts.entries())
      header.writeUInt32LE(length, LENGTHS_AT + part * NUMBER_BYTES)
    const file = Buffer.concat([header, ...parts])
    file.writeUInt32LE(crc32(file.subarray(LENGTHS_AT)), CRC_AT)
    reserveSpace(path.dirname(this.#path), file.length)
    const temporary = temporaryName(this.#path)
    try {
      writeFileSync(temporary, file) // a few pages of memory: the way through the thread pool costs more
      renameSync(temporary, this.#path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}

function lengthOf(header: Buffer, part: number): number {
  return header.readUInt32LE(LENGTHS_AT + part * NUMBER_BYTES)
}

function chunksOf(records: readonly ChunkRecord[]): readonly Chunk[] {
  const reader = new ChunkReader()
  return records.map(record => reader.chunk(record))
}

function recordsOf(chunks: readonly Chunk[]): readonly ChunkRecord[] {
  const recorder = new ChunkRecorder()
  return chunks.map(chunk => recorder.record(chunk))
}
