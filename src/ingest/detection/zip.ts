import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../errors.ts'
import { damagedFile } from '../parser.ts'

const MAX_ENTRIES = 10_000
const MAX_TOTAL_BYTES = 500 * 1024 * 1024
const MAX_RATIO = 100
/** Up to this size a high ratio means a plain file, not a bomb. */
const RATIO_FREE_BYTES = 10 * 1024 * 1024

const CUT_OFF = 'it is damaged or cut off'

/**
 * A zip file, known from its central directory before anything inflates.
 * Throws `corrupt` for what cannot be read and `too_large` for bombs, naming the document.
 */
export class ZipArchive {
  readonly #zip: ZipFile
  readonly #name: string
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, name: string, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#name = name
    this.#entries = entries
  }

  static async open(path: string, name: string): Promise<ZipArchive> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(error => {
      throw damagedFile(name, CUT_OFF, error)
    })
    try {
      return new ZipArchive(zip, name, await readDirectory(zip, name))
    } catch (error) {
      zip.close()
      throw error instanceof AppError ? error : damagedFile(name, CUT_OFF, error)
    }
  }

  get entryNames(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Throws `too_large` when what the directory promises is more than a document ever needs. */
  refuseBombs(): void {
    let total = 0
    let compressed = 0
    for (const entry of this.#entries.values()) {
      total += entry.uncompressedSize
      compressed += entry.compressedSize
    }
    if (total > MAX_TOTAL_BYTES) throw tooLarge(this.#name, `it inflates to ${megabytes(total)}`)
    if (total > RATIO_FREE_BYTES && total > compressed * MAX_RATIO) {
      throw tooLarge(this.#name, `it inflates ${Math.round(total / Math.max(1, compressed))} times`)
    }
  }

  /** Inflate every entry once, keeping nothing: a directory that promises less than there is is found out. */
  async verify(signal?: AbortSignal): Promise<void> {
    for (const entry of this.#entries.values()) {
      for await (const _ of this.#inflate(entry)) signal?.throwIfAborted()
    }
  }

  /** The bytes of an entry; undefined when there is none of that name. */
  async read(entryName: string): Promise<Buffer | undefined> {
    const stream = this.stream(entryName)
    if (!stream) return undefined
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part)
    return Buffer.concat(parts)
  }

  /** The bytes of an entry as they inflate; undefined when there is none of that name. */
  stream(entryName: string): AsyncIterable<Buffer> | undefined {
    const entry = this.#entries.get(entryName)
    return entry && this.#inflate(entry)
  }

  close(): void {
    this.#zip.close()
  }

  /** yauzl ends the stream with an error as soon as an entry is larger than the directory says. */
  async *#inflate(entry: Entry): AsyncIterable<Buffer> {
    if (entry.isEncrypted()) {
      throw new AppError('encrypted', `${this.#name} is protected by a password. Save it without one and add it again.`)
    }
    try {
      yield* await this.#zip.openReadStreamPromise(entry)
    } catch (error) {
      throw damagedFile(this.#name, CUT_OFF, error)
    }
  }
}

async function readDirectory(zip: ZipFile, name: string): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw tooLarge(name, `it has ${zip.entryCount} entries`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return entries
}

function tooLarge(name: string, reason: string): AppError {
  const limits = `${megabytes(MAX_TOTAL_BYTES)}, ${MAX_ENTRIES} entries, ratio ${MAX_RATIO}`
  return new AppError('too_large', `Refused ${name}: ${reason}. The limits for a zip container are ${limits}.`)
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
