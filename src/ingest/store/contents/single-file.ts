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
import { packWarnings, unpackWarnings } from '../../../errors/localizable.ts'
import { getSystemCode } from '../../../errors.ts'
import { createTemporaryName, reserveSpace } from '../../../system/disk.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { Chunk } from '../../chunk/chunker.ts'
import { ChunkReader, type ChunkRecord, ChunkRecorder } from './chunk-records.ts'
import type { BlockRecord, ParsedReport } from './parsed-writer.ts'

export type SingleFileContent = {
  readonly report: ParsedReport
  readonly text: string
  readonly blocks: readonly BlockRecord[]
  readonly chunks: readonly Chunk[]
}

const MAGIC = Buffer.from('PSM1', 'latin1')
const CRC_OFFSET = MAGIC.length
const NUMBER_BYTES = 4
/** The checksum covers everything from here on. */
const LENGTHS_OFFSET = CRC_OFFSET + NUMBER_BYTES
const PARTS = 4
const HEADER_BYTES = LENGTHS_OFFSET + PARTS * NUMBER_BYTES

/**
 * A small document in one file. Little-endian: `PSM1`, CRC-32 of the rest, lengths of four parts,
 * then text in UTF-16, blocks without text, report, and chunks without text, as JSON.
 */
export class SingleFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  get exists(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) !== undefined
  }

  /** Throws a `SyntaxError` if the file is damaged. */
  read(): SingleFileContent {
    const file = readFileSync(this.#path)
    const isIntact = file.length >= HEADER_BYTES && file.subarray(0, CRC_OFFSET).equals(MAGIC)
    if (!isIntact || file.readUInt32LE(CRC_OFFSET) !== crc32(file.subarray(LENGTHS_OFFSET)))
      throw new SyntaxError(`The file ${this.#path} is incomplete.`)
    let offset = HEADER_BYTES
    const readPart = (part: number) => {
      const start = offset
      offset += readLength(file, part)
      return file.subarray(start, offset)
    }
    const text = readPart(0)
    const blocks = readPart(1)
    const report = readPart(2)
    const chunks = readPart(3)
    const parse = {
      text: once(() => text.toString('utf16le')),
      blocks: once(() => parseOwnJson<BlockRecord[]>(blocks.toString())),
      report: once(() => unpackWarnings(parseOwnJson<ParsedReport>(report.toString()))),
      chunks: once(() => toChunks(parseOwnJson<ChunkRecord[]>(chunks.toString()))),
    }
    return {
      get text() {
        return parse.text()
      },
      get blocks() {
        return parse.blocks()
      },
      get report() {
        return parse.report()
      },
      get chunks() {
        return parse.chunks()
      },
    }
  }

  /** Clips the span; undefined without the file. Throws as `read`. */
  readSpan(charStart: number, charEnd: number): string | undefined {
    const file = openFile(this.#path)
    if (file === undefined) return undefined
    try {
      const header = Buffer.alloc(HEADER_BYTES) // stays zero if the file is cut off
      readSync(file, header, 0, HEADER_BYTES, 0)
      const end = Math.min(charEnd * 2, readLength(header, 0))
      const bytes = Buffer.allocUnsafe(Math.max(0, end - charStart * 2))
      const bytesRead = readSync(file, bytes, 0, bytes.length, HEADER_BYTES + charStart * 2)
      const text = bytes.toString('utf16le', 0, bytesRead)
      const isIntact = header.subarray(0, CRC_OFFSET).equals(MAGIC) && bytesRead === bytes.length
      return isIntact && !text.includes('\0') ? text : this.read().text.slice(charStart, charEnd) // a power cut leaves zeros
    } finally {
      closeSync(file)
    }
  }

  /** Writes everything or, after a crash, nothing. Creates no removed folder. */
  write({ text, blocks, report, chunks }: SingleFileContent): void {
    const parts = [
      Buffer.from(text, 'utf16le'),
      ...[blocks, packWarnings(report), toRecords(chunks)].map(part =>
        Buffer.from(JSON.stringify(part)),
      ),
    ]
    const header = Buffer.alloc(HEADER_BYTES)
    MAGIC.copy(header)
    for (const [part, { length }] of parts.entries())
      header.writeUInt32LE(length, LENGTHS_OFFSET + part * NUMBER_BYTES)
    const file = Buffer.concat([header, ...parts])
    file.writeUInt32LE(crc32(file.subarray(LENGTHS_OFFSET)), CRC_OFFSET)
    reserveSpace(path.dirname(this.#path), file.length)
    const temporary = createTemporaryName(this.#path)
    try {
      writeFileSync(temporary, file)
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

/** Parses when first called: most callers need one or two parts. */
function once<T>(parse: () => T): () => T {
  let parsed: T | undefined
  return () => {
    parsed ??= parse()
    return parsed
  }
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function readLength(header: Buffer, part: number): number {
  return header.readUInt32LE(LENGTHS_OFFSET + part * NUMBER_BYTES)
}

function toChunks(records: readonly ChunkRecord[]): readonly Chunk[] {
  const reader = new ChunkReader()
  return records.map(record => reader.chunk(record))
}

function toRecords(chunks: readonly Chunk[]): readonly ChunkRecord[] {
  const recorder = new ChunkRecorder()
  return chunks.map(chunk => recorder.record(chunk))
}
