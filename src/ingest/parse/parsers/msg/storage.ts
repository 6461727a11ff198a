import type { CompoundEntry, CompoundFile } from '../../detection/ole2.ts'
import { toIsoTime } from '../ole2/summary.ts'
import type { MessageSource } from './message.ts'
import { type ItemProperties, PROPERTY, VALUE } from './properties.ts'

const RECIPIENT = /^__RECIP_VERSION1\.0_#/
const ATTACHMENT = /^__ATTACH_VERSION1\.0_#/
/** Ways in which an attachment is stored ([MS-OXCMSG] 2.2.2.9). */
const NESTED_MESSAGE = 5
const OBJECT = 6
/** Protects from damaged lists. */
const MAX_VALUES = 100
const FIXED_STREAM = '__PROPERTIES_VERSION1.0'
const ENTRY_BYTES = 16

/** Bytes before the properties of a message, of one within another, and of a recipient or attachment ([MS-OXMSG] 2.4.1). */
const HEAD_BYTES = { message: 32, nested: 24, part: 8 } as const

type Storage = {
  readonly file: CompoundFile
  readonly entry: CompoundEntry
  readonly names: MessageSource['names']
}

export async function openMsg(file: CompoundFile): Promise<MessageSource> {
  const storage = { file, entry: file.root, names: await readNames(file) }
  return await openStorage(storage, HEAD_BYTES.message)
}

async function openStorage(storage: Storage, headBytes: number): Promise<MessageSource> {
  const { file, entry, names } = storage
  const openPart = (part: CompoundEntry) => MsgProperties.open(file, part, HEAD_BYTES.part)
  return {
    own: await MsgProperties.open(file, entry, headBytes),
    recipients: await Promise.all(listParts(entry, RECIPIENT).map(openPart)),
    attachments: await Promise.all(
      listParts(entry, ATTACHMENT).map(async part => openAttachment(storage, await openPart(part))),
    ),
    names,
  }
}

function openAttachment(
  storage: Storage,
  properties: MsgProperties,
): MessageSource['attachments'][number] {
  const method = properties.getNumber(PROPERTY.attachMethod)
  const content = properties.findStorage(PROPERTY.content)
  const isMessage = method === NESTED_MESSAGE && content !== undefined
  return {
    properties,
    openMessage: isMessage
      ? () => openStorage({ ...storage, entry: content }, HEAD_BYTES.nested)
      : undefined,
    isObject: method === OBJECT || (content !== undefined && method !== NESTED_MESSAGE),
  }
}

function listParts(storage: CompoundEntry, name: RegExp): readonly CompoundEntry[] {
  return [...storage.entries]
    .filter(([key, entry]) => entry.isStorage && name.test(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry)
}

class MsgProperties implements ItemProperties {
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
    return this.#fixed.get(toKey(name, VALUE.number))?.readUInt32LE(0)
  }

  getTime(name: number): string | undefined {
    const value = this.#fixed.get(toKey(name, VALUE.time))
    return value && toIsoTime(value.readUInt32LE(0) + value.readUInt32LE(4) * 2 ** 32)
  }

  async readText(name: number): Promise<string | Buffer | undefined> {
    const wide = await this.#readStream(name, VALUE.wideText)
    return wide
      ? wide.toString('utf16le').replace(/\0.*$/s, '')
      : await this.#readStream(name, VALUE.bytesText)
  }

  async readBinary(name: number): Promise<Buffer | undefined> {
    return await this.#readStream(name, VALUE.binary)
  }

  async readTexts(name: number): Promise<readonly (string | Buffer)[]> {
    const texts: (string | Buffer)[] = []
    for (let index = 0; index < MAX_VALUES; index++) {
      const suffix = `-${index.toString(16).padStart(8, '0').toUpperCase()}`
      const wide = await this.#readStream(name, VALUE.many | VALUE.wideText, suffix)
      const text = wide ?? (await this.#readStream(name, VALUE.many | VALUE.bytesText, suffix))
      if (!text) break
      texts.push(wide ? wide.toString('utf16le') : text)
    }
    return texts
  }

  findStorage(name: number): CompoundEntry | undefined {
    const entry = this.storage.entries.get(toStreamName(name, VALUE.object))
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
async function readNames(file: CompoundFile): Promise<ReadonlyMap<number | string, number>> {
  const read = async (stream: number) => {
    const list = file.root.entries.get('__NAMEID_VERSION1.0')
    const entry = list?.entries.get(toStreamName(stream, VALUE.binary))
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
