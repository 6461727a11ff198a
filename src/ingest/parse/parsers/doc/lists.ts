import { TABLE, type WordFile } from './word-file.ts'

/** Bytes of a list, of what refers to one, and of a level ([MS-DOC] 2.9.147, 2.9.131 and 2.9.150). */
const LIST_BYTES = 28
const REFERENCE_BYTES = 16
const LEVEL_BYTES = 28
const LEVELS = 9
/** Formats of numbers that show none: bullets and nothing ([MS-OSHARED] 2.2.1.3). */
const WITHOUT_NUMBER = new Set([23, 255])

/** Numbers that Word shows before paragraphs without storing them as text. */
export class WordLists {
  /** Keyed by the number of the list. */
  readonly #levels: ReadonlyMap<number, readonly number[]>
  /** Numbers of the lists that paragraphs refer to. */
  readonly #references: readonly number[]

  constructor(file: WordFile) {
    this.#levels = readLevels(file)
    const references = file.readTable(TABLE.listReferences)
    const stated = references.length < 4 ? 0 : references.readUInt32LE(0)
    const stored = Math.floor((references.length - 4) / REFERENCE_BYTES)
    this.#references = Array.from({ length: Math.min(stated, stored) }, (_, index) =>
      references.readUInt32LE(4 + index * REFERENCE_BYTES),
    )
  }

  /** Counts references from 1. */
  hasNumber(reference: number, level: number): boolean {
    const list = this.#references[reference - 1]
    const levels = list === undefined ? undefined : this.#levels.get(list)
    const format = levels?.[level] ?? levels?.[0]
    return format !== undefined && !WITHOUT_NUMBER.has(format)
  }
}

/** Levels follow the table of lists: one of a simple list, else nine. */
function readLevels(file: WordFile): ReadonlyMap<number, readonly number[]> {
  const lists = file.readTable(TABLE.lists)
  const formats = listFormats(file.readBehindTable(TABLE.lists))
  const levels = new Map<number, readonly number[]>()
  for (let start = 2; start + LIST_BYTES <= lists.length; start += LIST_BYTES) {
    const isSimple = (lists.readUInt8(start + 26) & 1) === 1
    const count = isSimple ? 1 : LEVELS
    const own = Array.from({ length: count }, () => formats.next().value)
    levels.set(
      lists.readUInt32LE(start),
      own.filter(format => format !== undefined),
    )
  }
  return levels
}

/** Each level has properties and a text of its own length. */
function* listFormats(bytes: Buffer): Generator<number, undefined> {
  for (let offset = 0; offset + LEVEL_BYTES <= bytes.length; ) {
    yield bytes.readUInt8(offset + 4)
    offset += LEVEL_BYTES + bytes.readUInt8(offset + 24) + bytes.readUInt8(offset + 25)
    offset += 2 + 2 * (offset + 2 <= bytes.length ? bytes.readUInt16LE(offset) : 0)
  }
  return undefined
}
