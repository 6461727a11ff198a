import { decodeBytes } from '../rtf/charsets.ts'

/** [MS-XLS] 2.3; the older types OpenOffice's documentation of Excel's format. */
export const RECORD = {
  eof: 0x0a,
  header: 0x14,
  footer: 0x15,
  note: 0x1c,
  dateMode: 0x22,
  filePass: 0x2f,
  continuation: 0x3c,
  codePage: 0x42,
  object: 0x5d,
  sheet: 0x85,
  multipleNumbers: 0xbd,
  richLabel: 0xd6,
  scenario: 0xaf,
  mergedCells: 0xe5,
  sharedStrings: 0xfc,
  sharedLabel: 0xfd,
  textObject: 0x1b6,
  validation: 0x1be,
  packedNumber: 0x27e,
  linkTip: 0x800,
  opening: 0x809,
  chartSeries: 0x1003,
  chartText: 0x100d,
  chartTitle: 0x1025,
} as const

export type BiffRecord = { readonly type: number; readonly start: number; readonly end: number }

const HEAD_BYTES = 4

export function* readRecords(bytes: Buffer, offset: number): Generator<BiffRecord> {
  for (let recordStart = offset; recordStart + HEAD_BYTES <= bytes.length; ) {
    const start = recordStart + HEAD_BYTES
    const end = start + bytes.readUInt16LE(recordStart + 2)
    if (end > bytes.length) return
    yield { type: bytes.readUInt16LE(recordStart), start, end }
    recordStart = end
  }
}

export function isOpening({ type }: BiffRecord): boolean {
  return (type & 0xff) === 0x09 && type <= 0x809
}

export class RecordReader {
  readonly #bytes: Buffer
  readonly #parts: readonly BiffRecord[]
  #part = 0
  #at: number

  constructor(bytes: Buffer, ...parts: readonly [BiffRecord, ...BiffRecord[]]) {
    this.#bytes = bytes
    this.#parts = parts
    this.#at = parts[0].start
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end && this.#part >= this.#parts.length - 1
  }

  get remaining(): number {
    return Math.max(0, this.#end - this.#at)
  }

  readByte(): number {
    return this.#readNumber(1)
  }

  readUint16(): number {
    return this.#readNumber(2)
  }

  readUint32(): number {
    return this.#readNumber(4)
  }

  readDouble(): number {
    return this.remaining >= 8 ? this.#bytes.readDoubleLE(this.#move(8)) : 0
  }

  skip(count: number): void {
    for (let remaining = count; remaining > 0 && !this.isAtEnd; ) {
      if (this.remaining === 0) this.#openNextPart()
      const step = Math.min(remaining, this.remaining)
      this.#at += step
      remaining -= step
    }
  }

  /**
   * Excel 97: flags, characters of one or two bytes, and fonts and pronunciation, which are
   * omitted.
   */
  readUnicode(count: number): string {
    const flags = this.readByte()
    const runs = flags & 8 ? this.readUint16() : 0
    const phonetics = flags & 4 ? this.readUint32() : 0
    const text = this.readCharacters(count, (flags & 1) === 1)
    this.skip(runs * 4 + phonetics)
    return text
  }

  /** A further part states anew how wide its characters are. */
  readCharacters(count: number, areWide: boolean): string {
    let text = ''
    let width = areWide ? 2 : 1
    for (let remaining = count; remaining > 0; ) {
      const step = Math.min(remaining, Math.floor(this.remaining / width))
      if (step > 0) {
        const start = this.#move(step * width)
        text += this.#bytes.toString(width === 2 ? 'utf16le' : 'latin1', start, this.#at)
        remaining -= step
      } else {
        if (this.#part >= this.#parts.length - 1) break
        this.#openNextPart()
        width = this.readByte() & 1 ? 2 : 1
      }
    }
    return text
  }

  /** Excel 95 and before. */
  readBytes(count: number, codePage: number): string {
    const length = Math.min(count, this.remaining)
    const start = this.#move(length)
    return decodeBytes(this.#bytes.toString('latin1', start, start + length), codePage)
  }

  #readNumber(width: number): number {
    if (this.remaining === 0) this.#openNextPart()
    return this.remaining >= width ? this.#bytes.readUIntLE(this.#move(width), width) : 0
  }

  #move(count: number): number {
    const start = this.#at
    this.#at += count
    return start
  }

  #openNextPart(): void {
    const next = this.#parts[this.#part + 1]
    if (!next) return
    this.#part++
    this.#at = next.start
  }

  get #end(): number {
    return this.#parts[this.#part]?.end ?? 0
  }
}
