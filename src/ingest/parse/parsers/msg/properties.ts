import type { CompoundEntry, CompoundFile } from '../../detection/ole2.ts'
import { toIsoTime } from '../ole2/summary.ts'

/** Names of properties ([MS-OXPROPS]); those from 0x8000 on are in the list of names of a message. */
export const PROPERTY = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitted: 0x0039,
  sentForName: 0x0042,
  replyTo: 0x0050,
  sentForAddress: 0x0065,
  headers: 0x007d,
  recipientKind: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  shownBcc: 0x0e02,
  shownCc: 0x0e03,
  shownTo: 0x0e04,
  delivered: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  shownName: 0x3001,
  address: 0x3003,
  content: 0x3701,
  shortFileName: 0x3704,
  attachMethod: 0x3705,
  fileName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  smtpAddress: 0x39fe,
  bodyCodePage: 0x3fde,
  locale: 0x3ff1,
  codePage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
  sentForSmtpAddress: 0x5d02,
} as const

/** Types of values ([MS-OXCDATA] 2.11.1). */
const NUMBER = 0x0003
const STORAGE = 0x000d
const BYTES_TEXT = 0x001e
const WIDE_TEXT = 0x001f
const TIME = 0x0040
const BINARY = 0x0102
/** Bit of the types of lists. */
const MANY = 0x1000
/** Protects from damaged lists. */
const MAX_VALUES = 100
const FIXED_STREAM = '__PROPERTIES_VERSION1.0'
const ENTRY_BYTES = 16

/** Bytes before the properties of a message, of one within another, and of a recipient or attachment ([MS-OXMSG] 2.4.1). */
export const HEAD_BYTES = { message: 32, nested: 24, part: 8 } as const

export class MsgProperties {
  readonly #file: CompoundFile
  readonly storage: CompoundEntry
  /** Values of fixed size by name and type. */
  readonly #fixed: ReadonlyMap<number, Buffer>

  private constructor(
    file: CompoundFile,
    storage: CompoundEntry,
    fixed: ReadonlyMap<number, Buffer>,
  ) {
    this.#file = file
    this.storage = storage
    this.#fixed = fixed
  }

  static async open(
    file: CompoundFile,
    storage: CompoundEntry,
    headBytes: number,
  ): Promise<MsgProperties> {
    const entry = storage.entries.get(FIXED_STREAM)
    const bytes = entry && !entry.isStorage ? await file.read(entry) : Buffer.alloc(0)
    const fixed = new Map<number, Buffer>()
    for (let offset = headBytes; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES)
      fixed.set(bytes.readUInt32LE(offset), bytes.subarray(offset + 8, offset + ENTRY_BYTES))
    return new MsgProperties(file, storage, fixed)
  }

  getNumber(name: number): number | undefined {
    return this.#fixed.get(toKey(name, NUMBER))?.readUInt32LE(0)
  }

  /** Returns a time as ISO 8601, or undefined for a date that is none of a document. */
  getTime(name: number): string | undefined {
    const value = this.#fixed.get(toKey(name, TIME))
    return value && toIsoTime(value.readUInt32LE(0) + value.readUInt32LE(4) * 2 ** 32)
  }

  /** Returns the bytes of a text whose charset the message states. */
  async readText(name: number): Promise<string | Buffer | undefined> {
    const wide = await this.#readStream(name, WIDE_TEXT)
    return wide
      ? wide.toString('utf16le').replace(/\0.*$/s, '')
      : await this.#readStream(name, BYTES_TEXT)
  }

  async readBinary(name: number): Promise<Buffer | undefined> {
    return await this.#readStream(name, BINARY)
  }

  /** Returns the values of a list of texts. */
  async readTexts(name: number): Promise<readonly (string | Buffer)[]> {
    const texts: (string | Buffer)[] = []
    for (let index = 0; index < MAX_VALUES; index++) {
      const suffix = `-${index.toString(16).padStart(8, '0').toUpperCase()}`
      const wide = await this.#readStream(name, MANY | WIDE_TEXT, suffix)
      const text = wide ?? (await this.#readStream(name, MANY | BYTES_TEXT, suffix))
      if (!text) break
      texts.push(wide ? wide.toString('utf16le') : text)
    }
    return texts
  }

  findStorage(name: number): CompoundEntry | undefined {
    const entry = this.storage.entries.get(toStreamName(name, STORAGE))
    return entry?.isStorage ? entry : undefined
  }

  async #readStream(name: number, type: number, suffix = ''): Promise<Buffer | undefined> {
    const entry = this.storage.entries.get(`${toStreamName(name, type)}${suffix}`)
    return entry && !entry.isStorage ? await this.#file.read(entry) : undefined
  }
}

function toKey(name: number, type: number): number {
  return name * 0x1_0000 + type
}

function toStreamName(name: number, type: number): string {
  return `__SUBSTG1.0_${toKey(name, type).toString(16).padStart(8, '0').toUpperCase()}`
}

/**
 * Numbers of an item's own properties in this file by those of [MS-OXPROPS] or by their names
 * ([MS-OXMSG] 2.2.3).
 */
export async function readNames(file: CompoundFile): Promise<ReadonlyMap<number | string, number>> {
  const read = async (stream: number) => {
    const list = file.root.entries.get('__NAMEID_VERSION1.0')
    const entry = list?.entries.get(toStreamName(stream, BINARY))
    return entry && !entry.isStorage ? await file.read(entry) : Buffer.alloc(0)
  }
  const bytes = await read(3)
  const texts = await read(4)
  const names = new Map<number | string, number>()
  for (let index = 0; index + 8 <= bytes.length; index += 8) {
    const key = bytes.readUInt32LE(index)
    const isText = (bytes.readUInt16LE(index + 4) & 1) === 1
    names.set(isText ? readName(texts, key) : key, 0x8000 + bytes.readUInt16LE(index + 6))
  }
  return names
}

function readName(texts: Buffer, start: number): string {
  if (start + 4 > texts.length) return ''
  return texts.subarray(start + 4, start + 4 + texts.readUInt32LE(start)).toString('utf16le')
}
