import { AppError } from '../../../../errors.ts'
import type { CompoundEntry, CompoundFile } from '../../detection/ole2.ts'
import type { Metadata } from '../../parser.ts'
import { hasWords, type SkippedText } from '../../skipped-text.ts'
import { DEFAULT_CODE_PAGE, decodeBytes } from '../rtf/charsets.ts'

const STREAM = '\x05SUMMARYINFORMATION'
const FURTHER_STREAM = '\x05DOCUMENTSUMMARYINFORMATION'
/** Property numbers ([MS-OLEPS] 3.1). */
const CODE_PAGE = 1
const TITLE = 2
const SUBJECT = 3
const AUTHOR = 4
const KEYWORDS = 5
const COMMENTS = 6
/** Category, manager and company ([MS-OSHARED] 2.3.3.2.2.1). */
const FURTHER = [2, 14, 15]
/** Places of the offsets of the two sets of a stream, of which a user's own is the second. */
const OWN_SET = 44
const USER_SET = 64
const CREATED = 12
const MODIFIED = 13
/** Kinds of values ([MS-OLEPS] 2.15). */
const INT16 = 2
const BYTES = 30
const WIDE = 31
const TIME = 64
const MAX_PROPERTIES = 100
const MAX_TEXT_BYTES = 2_000
/** Windows counts from 1601. */
export const MS_TO_1970 = 11_644_473_600_000

/** A damaged set of properties states nothing. */
export async function readSummary(file: CompoundFile, skipped: SkippedText): Promise<Metadata> {
  await countFurtherFacts(file, skipped)
  const entry = file.root.entries.get(STREAM)
  if (!entry || entry.isStorage) return {}
  const properties = new PropertySet(await readStream(file, entry), OWN_SET)
  skipped.add('document properties', hasWords(properties.readText(COMMENTS) ?? '') ? 1 : 0)
  return {
    title: properties.readText(TITLE),
    author: properties.readText(AUTHOR),
    subject: properties.readText(SUBJECT),
    keywords: properties.readText(KEYWORDS),
    created: properties.readTime(CREATED),
    modified: properties.readTime(MODIFIED),
  }
}

async function countFurtherFacts(file: CompoundFile, skipped: SkippedText): Promise<void> {
  const entry = file.root.entries.get(FURTHER_STREAM)
  if (!entry || entry.isStorage) return
  const bytes = await readStream(file, entry)
  const own = new PropertySet(bytes, OWN_SET)
  const hasUserSet = bytes.length >= USER_SET + 4 && bytes.readUInt32LE(24) > 1
  const texts = [
    ...FURTHER.map(property => own.readText(property)),
    ...(hasUserSet ? new PropertySet(bytes, USER_SET).listTexts() : []),
  ]
  skipped.add('document properties', texts.filter(text => text && hasWords(text)).length)
}

/** A damaged stream is empty. */
async function readStream(file: CompoundFile, entry: CompoundEntry): Promise<Buffer> {
  try {
    return await file.read(entry)
  } catch (error) {
    if (error instanceof AppError && error.code === 'corrupt') return Buffer.alloc(0)
    throw error
  }
}

class PropertySet {
  readonly #bytes: Buffer
  readonly #places = new Map<number, number>()

  constructor(bytes: Buffer, place: number) {
    this.#bytes = bytes
    const start = this.#readUint32(place)
    const count = Math.min(MAX_PROPERTIES, this.#readUint32(start + 4))
    for (let offset = start + 8; offset < start + 8 + count * 8; offset += 8)
      this.#places.set(this.#readUint32(offset), start + this.#readUint32(offset + 4))
  }

  listTexts(): readonly string[] {
    return [...this.#places.keys()].flatMap(key => (key === 0 ? [] : (this.readText(key) ?? [])))
  }

  readText(property: number): string | undefined {
    const offset = this.#places.get(property)
    if (offset === undefined) return undefined
    const kind = this.#readUint32(offset)
    const length = Math.min(MAX_TEXT_BYTES, this.#readUint32(offset + 4))
    const cutValue = (bytes: number) => this.#bytes.subarray(offset + 8, offset + 8 + bytes)
    const codePage = this.#readInt16(CODE_PAGE) ?? DEFAULT_CODE_PAGE
    const text =
      kind === WIDE || (kind === BYTES && codePage === 1200)
        ? cutValue(kind === WIDE ? length * 2 : length).toString('utf16le')
        : kind === BYTES
          ? decodeBytes(cutValue(length).toString('latin1'), codePage)
          : ''
    return text.replace(/\0.*$/s, '').trim() || undefined
  }

  /** Ignores durations and dates before 1980, which programs write for none. */
  readTime(property: number): string | undefined {
    const offset = this.#places.get(property)
    if (offset === undefined || this.#readUint32(offset) !== TIME) return undefined
    const ticks = this.#readUint32(offset + 4) + this.#readUint32(offset + 8) * 2 ** 32
    return toIsoTime(ticks)
  }

  #readInt16(property: number): number | undefined {
    const offset = this.#places.get(property)
    const isThere = offset !== undefined && this.#readUint32(offset) === INT16
    return isThere ? this.#readUint32(offset + 4) & 0xffff : undefined
  }

  #readUint32(offset: number): number {
    return offset >= 0 && offset + 4 <= this.#bytes.length ? this.#bytes.readUInt32LE(offset) : 0
  }
}

/** Windows counts 100 ns since 1601. Returns undefined for no date of a document. */
export function toIsoTime(ticks: number): string | undefined {
  const date = new Date(ticks / 10_000 - MS_TO_1970)
  const year = date.getUTCFullYear()
  return year >= 1980 && year < 2200 ? date.toISOString().replace(/\.\d+Z$/, 'Z') : undefined
}
