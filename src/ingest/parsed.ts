import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BLOCK_SEPARATOR, type Block, type PlacedBlock } from './block.ts'
import { reserveSpace, temporaryName } from './disk.ts'
import { DocumentLanguage } from './document-language.ts'
import type { Metadata, PageReport, ParserEvent, Warning } from './parser.ts'

/** Everything a parser said of a document except its blocks. */
export type ParsedReport = {
  readonly parserId: string
  readonly mediaType: string
  readonly title: string
  readonly metadata: Metadata
  readonly pages: readonly PageReport[]
  readonly warnings: readonly Warning[]
  /** Length of the parsed text in UTF-16 units. */
  readonly characters: number
  readonly blocks: number
}

/** More warnings than this are counted, not kept. */
const MAX_WARNINGS = 1_000
/** A title or name is cut here. */
const MAX_FACT_CHARS = 1_000
const BUFFER_CHARS = 256 * 1024
const WINDOW_CHARS = 32 * 1024

/**
 * The parsed output of one document, on disk: `text.u16` (UTF-16LE, so that a span is read by position),
 * `blocks.jsonl` (a record per block, its text left out) and `report.json`.
 */
export class ParsedDocument {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  get exists(): boolean {
    return existsSync(path.join(this.#folder, 'report.json'))
  }

  async report(): Promise<ParsedReport> {
    return JSON.parse(await readFile(path.join(this.#folder, 'report.json'), 'utf8')) as ParsedReport // our own file
  }

  /** `[charStart, charEnd)` of the parsed text, clipped to its length. */
  async read(charStart: number, charEnd: number): Promise<string> {
    const file = await open(path.join(this.#folder, 'text.u16'))
    try {
      const bytes = Buffer.alloc(Math.max(0, charEnd - charStart) * 2)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, charStart * 2)
      return bytes.toString('utf16le', 0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** The blocks in order; only one is held at a time. */
  blocks(signal?: AbortSignal): AsyncGenerator<PlacedBlock> {
    return this.texts(readRecords<Omit<PlacedBlock, 'text'>>(path.join(this.#folder, 'blocks.jsonl')), signal)
  }

  /** Things with their places, each with its text; quickest when the places ascend. */
  async *texts<Item extends Place>(
    items: AsyncIterable<Item>,
    signal?: AbortSignal,
  ): AsyncGenerator<Item & { text: string }> {
    const file = await open(path.join(this.#folder, 'text.u16'))
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

  /** Store what a parser yields, as it comes. After a crash there is all of it or nothing. */
  async write(parserId: string, mediaType: string, events: AsyncIterable<ParserEvent>): Promise<ParsedReport> {
    const temporary = temporaryName(this.#folder)
    await mkdir(temporary) // not recursive: a content that was removed meanwhile must not come back
    try {
      const writer = await ParsedWriter.open(temporary)
      const report = await writer.consume(parserId, mediaType, events)
      await writeFile(path.join(temporary, 'report.json'), JSON.stringify(report))
      await adopt(temporary, this.#folder)
      return report
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  }
}

type Place = { readonly charStart: number; readonly charEnd: number }

/** Reads ahead in a text file, so that neighbouring spans cost one read together. */
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
    return this.#bytes.toString('utf16le', (charStart - this.#start) * 2, (charEnd - this.#start) * 2)
  }
}

/** Another process may have written the same meanwhile: equal stages give equal output, so theirs is kept. */
async function adopt(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // rename throws system errors only
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

/** Appends text and records; buffered, so memory does not grow with the document. */
class ParsedWriter {
  readonly #folder: string
  readonly #text: FileHandle
  readonly #records: FileHandle
  #pendingText: string[] = []
  #pendingRecords: string[] = []
  #pendingChars = 0
  #length = 0
  #blocks = 0
  #firstHeading = ''
  readonly #language = new DocumentLanguage()

  private constructor(folder: string, text: FileHandle, records: FileHandle) {
    this.#folder = folder
    this.#text = text
    this.#records = records
  }

  static async open(folder: string): Promise<ParsedWriter> {
    const [text, records] = await Promise.all(
      ['text.u16', 'blocks.jsonl'].map(name => open(path.join(folder, name), 'w')),
    )
    return new ParsedWriter(folder, text!, records!) // two names, two files
  }

  async consume(parserId: string, mediaType: string, events: AsyncIterable<ParserEvent>): Promise<ParsedReport> {
    const pages: PageReport[] = []
    const warnings: Warning[] = []
    let metadata: Metadata = {}
    try {
      for await (const event of events) {
        if (event.type === 'block') await this.#append(event.block)
        else if (event.type === 'page') pages.push(event.report)
        else if (event.type === 'metadata') metadata = { ...metadata, ...event.metadata }
        else if (warnings.length < MAX_WARNINGS) warnings.push(event.warning)
      }
      await this.#flush()
      await this.#text.datasync()
    } finally {
      await Promise.all([this.#text.close(), this.#records.close()])
    }
    const described = { ...clipped(metadata), ...withTag(this.#language.tag(metadata.language)) }
    const title = described.title || this.#firstHeading.slice(0, MAX_FACT_CHARS)
    const size = { characters: this.#length, blocks: this.#blocks }
    return { parserId, mediaType, title, metadata: described, pages, warnings, ...size }
  }

  async #append({ text, ...rest }: Block): Promise<void> {
    if (this.#blocks > 0) this.#push(BLOCK_SEPARATOR)
    const charStart = this.#length
    this.#push(text)
    this.#blocks++
    this.#language.add({ kind: rest.kind, text })
    if (!this.#firstHeading && rest.kind === 'heading') this.#firstHeading = text
    this.#pendingRecords.push(`${JSON.stringify({ ...rest, charStart, charEnd: this.#length })}\n`)
    if (this.#pendingChars >= BUFFER_CHARS) await this.#flush()
  }

  #push(text: string): void {
    this.#pendingText.push(text)
    this.#pendingChars += text.length
    this.#length += text.length
  }

  async #flush(): Promise<void> {
    await reserveSpace(this.#folder, this.#pendingChars * 2)
    await this.#text.appendFile(Buffer.from(this.#pendingText.join(''), 'utf16le'))
    await this.#records.appendFile(this.#pendingRecords.join(''))
    this.#pendingText = []
    this.#pendingRecords = []
    this.#pendingChars = 0
  }
}

/** What files say of themselves without anything senseless: no empty facts, none without end. */
function clipped({ language: _, ...metadata }: Metadata): Metadata {
  const facts = Object.entries(metadata).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.trim().slice(0, MAX_FACT_CHARS) : value]
  })
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && value !== ''))
}

function withTag(language: string | undefined): Metadata {
  return language === undefined ? {} : { language }
}

/** Records of a JSON Lines file that this program wrote. */
export async function* readRecords<Item>(file: string): AsyncGenerator<Item> {
  const input = createReadStream(file, 'utf8')
  try {
    // readline also splits at U+2028, which JSON leaves unescaped; crlfDelay does not change that, so split by hand
    let rest = ''
    for await (const piece of input) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as Item // our own file
    }
    if (rest) yield JSON.parse(rest) as Item // our own file
  } finally {
    input.destroy()
  }
}
