import { createDamagedError } from '../../parser.ts'
import { MS_TO_1970, toIsoTime } from '../ole2/summary.ts'
import type { MessageSource } from './message.ts'
import { type ItemProperties, PROPERTY, VALUE } from './properties.ts'

/** Signature and key (specification [MS-OXTNEF], 2.1.3.1). */
const HEAD_BYTES = 6
/** Level, number and length (specification, 2.1.3.1). */
const ATTRIBUTE_BYTES = 9
/** Specification, 2.1.3.1. */
const CHECKSUM_BYTES = 2
/** Levels of attributes: of the message or of an attachment. */
const LEVELS = new Set([1, 2])
/** Attributes ([MS-OXTNEF] 2.1.3.2). */
const ATTRIBUTE = {
  from: 0x8000,
  sent: 0x8005,
  content: 0x800f,
  title: 0x8010,
  startOfAttachment: 0x9002,
  properties: 0x9003,
  recipients: 0x9004,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
} as const
/** Attributes of older programs, by the properties that they stand for. */
const TEXTS: Readonly<Record<number, number>> = {
  32772: PROPERTY.subject,
  32776: PROPERTY.messageClass,
  32780: PROPERTY.body,
}
/** [MS-OXPROPS] 1.3.2. */
const FIRST_NAMED = 0x8000
/** Specification [MS-DTYP], 2.3.4. */
const GUID_BYTES = 16
/** Interface of messages ([MS-OXTNEF] 2.1.3.4.1); others are OLE objects. */
const MESSAGE_ID = Buffer.from('0703020000000000c000000000000046', 'hex')
/** Bytes of values of other than 4 bytes ([MS-OXCDATA] 2.11.1). Shorter ones are filled up. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  5: 8,
  6: 8,
  7: 8,
  20: 8,
  [VALUE.time]: 8,
  72: 16,
}
const VARIABLE: ReadonlySet<number> = new Set([
  VALUE.object,
  VALUE.bytesText,
  VALUE.wideText,
  VALUE.binary,
])

type Attribute = { readonly id: number; readonly bytes: Buffer }

/** Throws `corrupt` for a message that is cut off. */
export function openTnef(bytes: Buffer, name: string): MessageSource {
  const message = new TnefMessage()
  for (const attribute of listAttributes(bytes, name)) message.add(attribute)
  return {
    own: message.own,
    recipients: message.recipients,
    attachments: message.attachments.map(openAttachment),
    names: message.names,
  }
}

class TnefMessage {
  readonly own = new TnefProperties()
  readonly recipients: TnefProperties[] = []
  readonly attachments: TnefProperties[] = []
  readonly names = new Map<number | string, number>()

  add({ id, bytes }: Attribute): void {
    const attachment = this.attachments.at(-1)
    if (id === ATTRIBUTE.startOfAttachment) this.attachments.push(new TnefProperties())
    else if (id === ATTRIBUTE.properties) this.#readInto(this.own, bytes)
    else if (id === ATTRIBUTE.recipients) this.recipients.push(...readRows(bytes, this.names))
    else if (!attachment) addOlderAttribute(this.own, id, bytes)
    else if (id === ATTRIBUTE.attachmentProperties) this.#readInto(attachment, bytes)
    else if (id === ATTRIBUTE.content) attachment.addOlder(PROPERTY.content, VALUE.binary, bytes)
    else if (id === ATTRIBUTE.title) attachment.addOlder(PROPERTY.fileName, VALUE.bytesText, bytes)
  }

  #readInto(properties: TnefProperties, bytes: Buffer): void {
    new PropertyReader(bytes, this.names).readInto(properties)
  }
}

/** Ends before other bytes, which some programs append. */
function* listAttributes(bytes: Buffer, name: string): Iterable<Attribute> {
  for (let offset = HEAD_BYTES; LEVELS.has(bytes[offset] ?? 0) || offset === HEAD_BYTES; ) {
    const start = offset + ATTRIBUTE_BYTES
    const end = start <= bytes.length ? start + bytes.readUInt32LE(offset + 5) : start
    if (end > bytes.length) throw createDamagedError(name, 'it is damaged or cut off')
    yield { id: bytes.readUInt16LE(offset + 1), bytes: bytes.subarray(start, end) }
    offset = end + CHECKSUM_BYTES
  }
}

function addOlderAttribute(own: TnefProperties, id: number, value: Buffer): void {
  const property = TEXTS[id]
  if (property !== undefined) own.addOlder(property, VALUE.bytesText, value)
  else if (id === ATTRIBUTE.codePage) own.addOlder(PROPERTY.codePage, VALUE.number, value)
  else if (id === ATTRIBUTE.sent) own.sent = readDate(value)
  else if (id === ATTRIBUTE.from) addSender(own, value)
}

function readDate(value: Buffer): string | undefined {
  if (value.length < 12) return undefined
  const [year = 0, month = 1, ...rest] = Array.from({ length: 6 }, (_, index) =>
    value.readUInt16LE(index * 2),
  )
  const milliseconds = Date.UTC(year, month - 1, ...rest)
  return toIsoTime((milliseconds + MS_TO_1970) * 10_000)
}

/** A name and an address such as `SMTP:ada@example.org`, after four numbers of 2 bytes. */
function addSender(own: TnefProperties, value: Buffer): void {
  if (value.length < 8) return
  const nameEnd = 8 + value.readUInt16LE(4)
  const address = value.subarray(nameEnd, nameEnd + value.readUInt16LE(6))
  own.addOlder(PROPERTY.senderName, VALUE.bytesText, value.subarray(8, nameEnd))
  own.addOlder(PROPERTY.senderAddress, VALUE.bytesText, address.subarray(address.indexOf(':') + 1))
}

function* readRows(value: Buffer, names: Map<number | string, number>): Iterable<TnefProperties> {
  const reader = new PropertyReader(value, names)
  for (let left = reader.readUint32(); left > 0 && !reader.isAtEnd; left--) {
    const row = new TnefProperties()
    reader.readInto(row)
    yield row
  }
}

function openAttachment(properties: TnefProperties): MessageSource['attachments'][number] {
  const content = properties.find(PROPERTY.content, VALUE.object)
  const isMessage = content?.subarray(0, GUID_BYTES).equals(MESSAGE_ID) ?? false
  return {
    properties,
    openMessage:
      content && isMessage ? async () => openTnef(content.subarray(GUID_BYTES), '') : undefined,
    isObject: content !== undefined && !isMessage,
  }
}

class TnefProperties implements ItemProperties {
  readonly #values = new Map<number, readonly Buffer[]>()
  /** Time of sending that older programs write. */
  sent: string | undefined

  add(name: number, type: number, values: readonly Buffer[]): void {
    this.#values.set(name * 0x1_0000 + type, values)
  }

  addOlder(name: number, type: number, value: Buffer): void {
    if (!this.find(name, type)) this.add(name, type, [value])
  }

  find(name: number, type: number): Buffer | undefined {
    return this.#values.get(name * 0x1_0000 + type)?.[0]
  }

  getNumber(name: number): number | undefined {
    const value = this.find(name, VALUE.number)
    return value && value.length >= 4 ? value.readUInt32LE(0) : undefined
  }

  getTime(name: number): string | undefined {
    const value = this.find(name, VALUE.time)
    if (!value || value.length < 8) return name === PROPERTY.submitted ? this.sent : undefined
    return toIsoTime(value.readUInt32LE(0) + value.readUInt32LE(4) * 2 ** 32)
  }

  async readText(name: number): Promise<string | Buffer | undefined> {
    const wide = this.find(name, VALUE.wideText)
    return wide ? decodeWide(wide) : this.find(name, VALUE.bytesText)
  }

  async readBinary(name: number): Promise<Buffer | undefined> {
    return this.find(name, VALUE.binary)
  }

  async readTexts(name: number): Promise<readonly (string | Buffer)[]> {
    const key = name * 0x1_0000 + VALUE.many
    const wide = this.#values.get(key + VALUE.wideText)
    return wide?.map(decodeWide) ?? this.#values.get(key + VALUE.bytesText) ?? []
  }
}

function decodeWide(bytes: Buffer): string {
  return bytes.toString('utf16le').replace(/\0.*$/s, '')
}

/** [MS-OXTNEF] 2.1.3.4. Beyond the end all bytes are 0. */
class PropertyReader {
  readonly #bytes: Buffer
  readonly #names: Map<number | string, number>
  #at = 0

  constructor(bytes: Buffer, names: Map<number | string, number>) {
    this.#bytes = bytes
    this.#names = names
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  readInto(properties: TnefProperties): void {
    for (let left = this.readUint32(); left > 0 && !this.isAtEnd; left--) {
      const type = this.#readUint16()
      const name = this.#readUint16()
      if (name >= FIRST_NAMED) this.#readName(name)
      properties.add(name, type, this.#readValues(type))
    }
  }

  readUint32(): number {
    return this.#readUint16() + this.#readUint16() * 0x1_0000
  }

  #readName(number: number): void {
    this.#at += GUID_BYTES
    const isText = this.readUint32() === 1
    const key = this.readUint32()
    this.#names.set(isText ? decodeWide(this.#readPadded(key)) : key, number)
  }

  #readValues(type: number): readonly Buffer[] {
    const isVariable = VARIABLE.has(type & ~VALUE.many)
    const count = isVariable || type & VALUE.many ? this.readUint32() : 1
    const values: Buffer[] = []
    for (let left = count; left > 0 && !this.isAtEnd; left--) {
      const length = isVariable ? this.readUint32() : (VALUE_BYTES[type & ~VALUE.many] ?? 4)
      values.push(this.#readPadded(length))
    }
    return values
  }

  #readPadded(length: number): Buffer {
    const start = this.#at
    this.#at += Math.ceil(length / 4) * 4
    return this.#bytes.subarray(start, start + length)
  }

  #readUint16(): number {
    const value = this.#at + 2 <= this.#bytes.length ? this.#bytes.readUInt16LE(this.#at) : 0
    this.#at += 2
    return value
  }
}
