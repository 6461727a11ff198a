import { closeSync, createReadStream, existsSync, openSync, readSync, renameSync } from 'node:fs'
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { localizable, unpackWarnings } from '../../../errors/localizable.ts'
import { AppError, getSystemCode } from '../../../errors.ts'
import { hashFile } from '../../../system/digest.ts'
import { createTemporaryName, isPlainName } from '../../../system/disk.ts'
import { parseOwnJson } from '../../../system/own-json.ts'
import type { PlacedBlock } from '../../block.ts'
import type { Chunk } from '../../chunk/chunker.ts'
import type { ParserEvent } from '../../parse/parser.ts'
import type { TrigramLanguage } from '../../parse/trigram-language.ts'
import {
  type BlockRecord,
  PARSED,
  type ParsedReport,
  ParsedWriter,
  type StoredAttachment,
} from './parsed-writer.ts'
import type { SingleFile, SingleFileContent } from './single-file.ts'

/** Read ahead, so that neighbouring spans cost one read. */
const WINDOW_CHARS = 32 * 1024

type SmallDocument = Omit<SingleFileContent, 'chunks'> & { readonly chunks?: readonly Chunk[] }

/**
 * Output of a parser. A small document is a `SingleFile`. Others are a folder of `text.u16`
 * (UTF-16LE), `blocks.jsonl` and `report.json`.
 */
export class ParsedDocument {
  readonly #folder: string
  readonly #singleFile: SingleFile | undefined
  #small: SmallDocument | undefined

  /** Without `singleFile`, keeps a small document in memory. */
  constructor(folder: string, singleFile?: SingleFile) {
    this.#folder = folder
    this.#singleFile = singleFile
  }

  get exists(): boolean {
    return this.#singleFile?.exists || existsSync(path.join(this.#folder, PARSED.report))
  }

  /** Returns whether no file is cut off; `ChunkDigest` detects changes. */
  async isIntact(): Promise<boolean> {
    try {
      if (this.#readSmall()) return true
      const { characters, blocks, blocksSha256 } = await this.report()
      const { size } = await stat(path.join(this.#folder, PARSED.text))
      if (size !== characters * 2) return false
      const records = path.join(this.#folder, PARSED.blocks)
      if (blocksSha256) return (await hashFile(records)) === blocksSha256
      return (await countRecords(records)) === blocks // written before there were digests
    } catch (error) {
      if (isTorn(error)) return false
      throw error
    }
  }

  async discard(): Promise<void> {
    if (this.#singleFile?.exists) this.#singleFile.remove()
    else await rm(this.#folder, { recursive: true, force: true })
  }

  async report(): Promise<ParsedReport> {
    const small = this.#readSmall()
    if (small) return small.report
    const report = parseOwnJson<ParsedReport>(
      await readFile(path.join(this.#folder, PARSED.report), 'utf8'),
    )
    return { ...unpackWarnings(report), attachments: report.attachments ?? [] } // written before there were any
  }

  /** Only in memory, until it is stored with its chunks. */
  get isInMemory(): boolean {
    return (
      this.#singleFile !== undefined &&
      this.#small !== undefined &&
      this.#small.chunks === undefined
    )
  }

  get chunks(): readonly Chunk[] | undefined {
    return this.#readSmall()?.chunks
  }

  storeWith(chunks: readonly Chunk[]): void {
    if (!this.#small) throw new Error('Only what is held is stored with its chunks.')
    this.#small = { ...this.#small, chunks }
    this.#singleFile?.write({ ...this.#small, chunks })
  }

  take(other: SingleFile): boolean {
    try {
      const { text, blocks, report } = other.read()
      this.#small = { text, blocks, report }
      return true
    } catch (error) {
      if (isTorn(error)) return false
      throw error
    }
  }

  async read(charStart: number, charEnd: number): Promise<string> {
    const span = this.#readSpan(charStart, charEnd)
    if (span !== undefined) return span
    const file = await open(path.join(this.#folder, PARSED.text))
    try {
      const bytes = Buffer.alloc(Math.max(0, charEnd - charStart) * 2)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, charStart * 2)
      return bytes.toString('utf16le', 0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** Takes a seventh of the CPU. For one or two short passages. */
  readNow(charStart: number, charEnd: number): string {
    const span = this.#readSpan(charStart, charEnd)
    if (span !== undefined) return span
    const file = openSync(path.join(this.#folder, PARSED.text), 'r')
    try {
      const bytes = Buffer.allocUnsafe(Math.max(0, charEnd - charStart) * 2)
      const bytesRead = readSync(file, bytes, 0, bytes.length, charStart * 2)
      return bytes.toString('utf16le', 0, bytesRead)
    } finally {
      closeSync(file)
    }
  }

  readBlocks(signal?: AbortSignal): AsyncGenerator<PlacedBlock> {
    const records =
      this.#readSmall()?.blocks ?? readRecords<BlockRecord>(path.join(this.#folder, PARSED.blocks))
    return this.readTexts(records, signal)
  }

  /** Fastest in ascending order. */
  async *readTexts<Item extends Place>(
    items: AsyncIterable<Item> | Iterable<Item>,
    signal?: AbortSignal,
  ): AsyncGenerator<Item & { text: string }> {
    const small = this.#readSmall()
    if (small) {
      const { text } = small
      for await (const item of items)
        yield { ...item, text: text.slice(item.charStart, item.charEnd) }
      return
    }
    const file = await open(path.join(this.#folder, PARSED.text))
    const window = new TextWindow(file)
    try {
      for await (const item of items) {
        signal?.throwIfAborted()
        yield { ...item, text: await window.read(item) }
      }
    } finally {
      await file.close()
    }
  }

  /** Throws `corrupt` for a path outside of the document. */
  getAttachmentPath({ name, file }: StoredAttachment): string {
    if (!isPlainName(file)) {
      const message = localizable`The stored attachment ${name} is damaged: it is at ${JSON.stringify(file)}. Index its document again.`
      throw new AppError('corrupt', message)
    }
    return path.join(this.#folder, PARSED.attachments, file)
  }

  /** Stores everything or, after a crash, nothing. Without OCR it is stored as `settled`. */
  async write(
    { parserId, mediaType, trigrams, settled }: ParsedOrigin,
    parse: (attachmentsFolder: string) => AsyncIterable<ParserEvent>,
  ): Promise<ParsedReport> {
    const temporary = createTemporaryName(this.#folder)
    const attachmentsFolder = createTemporaryName(`${this.#folder}-${PARSED.attachments}`)
    const writer = new ParsedWriter(temporary, attachmentsFolder, trigrams)
    try {
      const { usesOcr, ...consumed } = await writer.consume(mediaType, parse(attachmentsFolder))
      const target = settled && !usesOcr ? settled : { parserId, parsed: this }
      const report = { parserId: target.parserId, ...consumed }
      const small = await writer.finish(report)
      if (small) target.parsed.#small = { ...small, report }
      else await adopt(temporary, target.parsed.#folder)
      return report
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      throw error
    } finally {
      await writer.close()
    }
  }

  #readSmall(): SmallDocument | undefined {
    if (!this.#small && this.#singleFile?.exists) this.#small = this.#singleFile.read()
    return this.#small
  }

  #readSpan(charStart: number, charEnd: number): string | undefined {
    if (this.#small) return this.#small.text.slice(charStart, charEnd)
    return this.#singleFile?.readSpan(charStart, charEnd)
  }
}

export type ParsedPlace = { readonly parserId: string; readonly parsed: ParsedDocument }

type ParsedOrigin = {
  readonly parserId: string
  readonly mediaType: string
  readonly trigrams: TrigramLanguage
  readonly settled?: ParsedPlace
}

type Place = { readonly charStart: number; readonly charEnd: number }

class TextWindow {
  readonly #file: FileHandle
  #start = 0
  #bytes = Buffer.alloc(0)

  constructor(file: FileHandle) {
    this.#file = file
  }

  async read({ charStart, charEnd }: Place): Promise<string> {
    const isInside = charStart >= this.#start && charEnd * 2 <= this.#start * 2 + this.#bytes.length
    if (!isInside) {
      const bytes = Buffer.allocUnsafe(Math.max(charEnd - charStart, WINDOW_CHARS) * 2)
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, charStart * 2)
      this.#start = charStart
      this.#bytes = bytes.subarray(0, bytesRead)
    }
    return this.#bytes.toString(
      'utf16le',
      (charStart - this.#start) * 2,
      (charEnd - this.#start) * 2,
    )
  }
}

/** Keeps output of another process: equal stages give equal output. */
async function adopt(temporary: string, folder: string): Promise<void> {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    const code = getSystemCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    await rm(temporary, { recursive: true, force: true })
  }
}

export function isTorn(error: unknown): boolean {
  return error instanceof SyntaxError || getSystemCode(error) === 'ENOENT'
}

async function countRecords(file: string): Promise<number> {
  let count = 0
  for await (const _ of readRecords(file)) count++
  return count
}

export async function* readRecords<Item>(file: string): AsyncGenerator<Item> {
  const input = createReadStream(file, 'utf8')
  try {
    // readline also splits at U+2028, which JSON does not escape
    let rest = ''
    for await (const piece of input) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield parseOwnJson<Item>(line)
    }
    if (rest) yield parseOwnJson<Item>(rest)
  } finally {
    input.destroy()
  }
}
