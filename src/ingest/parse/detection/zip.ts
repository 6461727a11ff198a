import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { localizable, type Sentence } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { createDamagedError, createPasswordError } from '../parser.ts'
import { decode, decodeAs } from './charset.ts'

const MAX_ENTRIES = 10_000
const MAX_TOTAL_BYTES = 500 * 1024 * 1024
const MAX_RATIO = 100
/** Any ratio is allowed below, so that plain small files are not taken for bombs. */
const RATIO_FREE_BYTES = 10 * 1024 * 1024

/** End record without its comment (APPNOTE 4.3.16). */
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_RECORD_BYTES = 22
const DIRECTORY_BYTES_AT = 12
const DIRECTORY_START_AT = 16
const COMMENT_LENGTH_AT = 20
/** States that ZIP64 has the value (APPNOTE 4.4.1.4). */
const LARGE = 0xffffffff
/** Bytes searched, so that a page appended by a web server does no harm. */
const MAX_TAIL_BYTES = 1024 * 1024
/** Accepts and decodes any name, since nothing is written under it. */
const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false } as const

/** UTF-8 flag of a name (APPNOTE 4.4.4, bit 11). */
const UTF8_NAME = 0x800
/** Field with the name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075
const LINE_FEED = Buffer.from('\n')
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u

const CUT_OFF = 'it is damaged or cut off'

/** Checks the directory before anything inflates. Throws `corrupt`, and `too_large` for bombs. */
export class ZipArchive {
  readonly #zip: ZipFile
  readonly #name: string
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #countBytes: (bytes: number) => void
  /** An entry that is read again counts once. */
  readonly #counted = new Map<Entry, number>()

  private constructor(
    zip: ZipFile,
    name: string,
    {
      entries,
      countBytes,
    }: { entries: ReadonlyMap<string, Entry>; countBytes: (bytes: number) => void },
  ) {
    this.#zip = zip
    this.#name = name
    this.#entries = entries
    this.#countBytes = countBytes
  }

  static async open(
    path: string,
    name: string,
    countBytes: (bytes: number) => void = () => {},
  ): Promise<ZipArchive> {
    const zip = await openZip(path).catch(error => {
      throw createDamagedError(name, CUT_OFF, error)
    })
    try {
      return new ZipArchive(zip, name, { entries: await readDirectory(zip, name), countBytes })
    } catch (error) {
      zip.close()
      throw error instanceof AppError ? error : createDamagedError(name, CUT_OFF, error)
    }
  }

  /** Number of entries whose name another one has, too; the last is read. */
  get repeatedNames(): number {
    return this.#zip.entryCount - this.#entries.size
  }

  get comment(): string {
    return decodeComment(this.#zip.comment)
  }

  readComment(entryName: string): string {
    return decodeComment(this.#entries.get(entryName)?.fileCommentRaw)
  }

  get entryNames(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Throws `too_large` if the directory states more than any document needs. */
  refuseBombs(): void {
    let total = 0
    let compressed = 0
    for (const entry of this.#entries.values()) {
      total += entry.uncompressedSize
      compressed += entry.compressedSize
    }
    if (total > MAX_TOTAL_BYTES)
      throw createTooLargeError(this.#name, localizable`it inflates to ${formatMegabytes(total)}`)
    if (total > RATIO_FREE_BYTES && total > compressed * MAX_RATIO) {
      throw createTooLargeError(
        this.#name,
        localizable`it inflates ${Math.round(total / Math.max(1, compressed))} times`,
      )
    }
  }

  /** Inflates every entry once, because a directory may state too little. */
  async verify(signal?: AbortSignal): Promise<void> {
    for (const entry of this.#entries.values()) {
      for await (const _ of this.#decompress(entry)) signal?.throwIfAborted()
    }
  }

  async read(entryName: string): Promise<Buffer | undefined> {
    const stream = this.stream(entryName)
    if (!stream) return undefined
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Returns when the entry was written; undefined for 1980, which programs write for none. */
  findDate(entryName: string): Date | undefined {
    const date = this.#entries.get(entryName)?.getLastModDate()
    return date && date.getFullYear() > 1980 ? date : undefined
  }

  stream(entryName: string): AsyncIterable<Buffer> | undefined {
    const entry = this.#entries.get(entryName)
    return entry && this.#decompress(entry)
  }

  close(): void {
    this.#zip.close()
  }

  #count(entry: Entry, bytes: number): void {
    const counted = this.#counted.get(entry) ?? 0
    if (bytes <= counted) return
    this.#countBytes(bytes - counted)
    this.#counted.set(entry, bytes)
  }

  /** yauzl fails as soon as an entry is larger than the directory says. */
  async *#decompress(entry: Entry): AsyncIterable<Buffer> {
    if (entry.isEncrypted()) throw createPasswordError(this.#name)
    let bytes = 0
    try {
      for await (const part of await this.#zip.openReadStreamPromise(entry)) {
        bytes += part.length
        this.#count(entry, bytes)
        yield part
      }
    } catch (error) {
      throw createDamagedError(this.#name, CUT_OFF, error)
    }
  }
}

/** Ignores bytes after the end record, which mail and web servers append. */
async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, OPTIONS)
  } catch (error) {
    const end = await findEnd(path)
    if (end === undefined) throw error
    return await fromRandomAccessReaderPromise(new FileRanges(path), end, OPTIONS)
  }
}

async function findEnd(path: string): Promise<number | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - MAX_TAIL_BYTES)
    const tail = Buffer.alloc(size - start)
    await file.read(tail, 0, tail.length, start)
    for (let record = tail.length; record > 0; ) {
      record = tail.lastIndexOf(END_RECORD, record - 1)
      if (record < 0) return undefined
      const end = findRecordEnd(tail, record, start)
      if (end !== undefined) return start + end
    }
    return undefined
  } finally {
    await file.close()
  }
}

/** Returns undefined if the same bytes stand in what follows the archive by chance. */
function findRecordEnd(tail: Buffer, record: number, start: number): number | undefined {
  if (record + END_RECORD_BYTES > tail.length) return undefined
  const directoryBytes = tail.readUInt32LE(record + DIRECTORY_BYTES_AT)
  const directoryStart = tail.readUInt32LE(record + DIRECTORY_START_AT)
  const isLarge = directoryStart === LARGE || directoryBytes === LARGE
  if (!isLarge && directoryStart + directoryBytes > start + record) return undefined
  const end = record + END_RECORD_BYTES + tail.readUInt16LE(record + COMMENT_LENGTH_AT)
  return end < tail.length ? end : undefined
}

class FileRanges extends RandomAccessReader {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 })
  }
}

async function readDirectory(zip: ZipFile, name: string): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw createTooLargeError(name, localizable`it has ${zip.entryCount} entries`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  const charset = findNameCharset(entries)
  return new Map(entries.map(entry => [readName(entry, charset), entry]))
}

/**
 * Windows writes the system's charset instead of code page 437. It must clearly be other letters.
 */
function findNameCharset(entries: readonly Entry[]): string | undefined {
  const names = entries
    .filter(entry => !isStated(entry))
    .map(entry => entry.fileNameRaw)
    .filter(name => name.some(byte => byte > 0x7f))
  if (names.length === 0) return undefined
  const lines = Buffer.concat(names.flatMap(name => [name, LINE_FEED]))
  const { text, charset, isDoubtful } = decode(lines)
  const isBelieved = charset === 'utf-8' || (!isDoubtful && OTHER_LETTER.test(text))
  return isBelieved ? charset : undefined
}

function readName(entry: Entry, charset: string | undefined): string {
  if (charset && !isStated(entry)) return decodeAs(entry.fileNameRaw, charset).replaceAll('\\', '/')
  return getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    false,
  )
}

function decodeComment(comment: Buffer | string | undefined): string {
  return typeof comment === 'string' ? comment : comment?.length ? decode(comment).text : ''
}

function isStated({ generalPurposeBitFlag, extraFields }: Entry): boolean {
  return (
    (generalPurposeBitFlag & UTF8_NAME) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  )
}

function createTooLargeError(name: string, reason: Sentence): AppError {
  const limits = localizable`${formatMegabytes(MAX_TOTAL_BYTES)}, ${MAX_ENTRIES} entries, ratio ${MAX_RATIO}`
  return new AppError(
    'too_large',
    localizable`Refused ${name}: ${reason}. The limits for a zip container are ${limits}.`,
  )
}

function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
