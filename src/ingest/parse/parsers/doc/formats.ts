import { TABLE, type WordFile } from './word-file.ts'

const PAGE_BYTES = 512

type Stretch = { readonly start: number; readonly end: number; readonly properties: Buffer }

/** Finds properties by places in the main stream ([MS-DOC] 2.8.25 and 2.8.26). */
export class FormatPages {
  readonly #stretches: readonly Stretch[]

  constructor(file: WordFile, kind: 'characters' | 'paragraphs') {
    const isParagraphs = kind === 'paragraphs'
    const table = file.readTable(isParagraphs ? TABLE.paragraphPages : TABLE.characterPages)
    const count = Math.max(0, Math.floor((table.length - 4) / 8))
    const pages = Array.from({ length: count }, (_, index) =>
      table.readUInt32LE((count + 1) * 4 + index * 4),
    )
    const numbers = [...new Set(pages)].filter(page => (page + 1) * PAGE_BYTES <= file.main.length)
    this.#stretches = numbers
      .flatMap(page => {
        const bytes = file.main.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
        return isParagraphs
          ? readPage(bytes, 13, readParagraph)
          : readPage(bytes, 1, readCharacters)
      })
      .toSorted((a, b) => a.start - b.start)
  }

  find(offset: number): Stretch | undefined {
    let low = 0
    let high = this.#stretches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#stretches[middle]?.start ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const stretch = this.#stretches[low]
    return stretch && stretch.start <= offset && offset < stretch.end ? stretch : undefined
  }
}

function readPage(
  page: Buffer,
  entryBytes: number,
  read: (page: Buffer, place: number) => Buffer,
): readonly Stretch[] {
  const count = Math.min(page[PAGE_BYTES - 1] ?? 0, Math.floor((PAGE_BYTES - 5) / (4 + entryBytes)))
  return Array.from({ length: count }, (_, index) => ({
    start: page.readUInt32LE(index * 4),
    end: page.readUInt32LE(index * 4 + 4),
    properties: read(page, (page[(count + 1) * 4 + index * entryBytes] ?? 0) * 2),
  }))
}

/** A length of 0 means that the next byte has it. */
function readParagraph(page: Buffer, place: number): Buffer {
  if (place === 0) return Buffer.alloc(0)
  const words = page[place] ?? 0
  if (words > 0) return page.subarray(place + 1, place + words * 2)
  return page.subarray(place + 2, place + 2 + (page[place + 1] ?? 0) * 2)
}

function readCharacters(page: Buffer, place: number): Buffer {
  return place === 0 ? Buffer.alloc(0) : page.subarray(place + 1, place + 1 + (page[place] ?? 0))
}

/** Length by the upper three bits of a property ([MS-DOC] 2.2.5.1); 0: it states its length. */
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3]
/** States its length in two bytes. */
const TABLE_DEFINITION = 0xd608

/** The last of equal properties counts. */
export function readProperties(list: Buffer): ReadonlyMap<number, number> {
  const properties = new Map<number, number>()
  for (let offset = 0; offset + 3 <= list.length; ) {
    const property = list.readUInt16LE(offset)
    const bytes = OPERAND_BYTES[property >> 13] ?? 0
    offset += 2
    if (bytes > 0) {
      if (offset + bytes <= list.length) properties.set(property, list.readUIntLE(offset, bytes))
      offset += bytes
    } else if (property === TABLE_DEFINITION)
      offset += offset + 2 <= list.length ? list.readUInt16LE(offset) + 1 : 2
    else offset += 1 + (list[offset] ?? 0)
  }
  return properties
}

/** 0 to 8; 9 for body text ([MS-DOC] 2.6.2). */
const OUTLINE_LEVEL = 0x2640
/** Reference of a paragraph to a list, and the level in it. */
export const LIST = 0x460b
export const LIST_LEVEL = 0x260a
const MAX_LEVEL = 6
/** Protects against circles. */
const MAX_ANCESTORS = 10

type Style = {
  readonly builtin: number
  readonly base: number
  readonly outline: number | undefined
  readonly list: number | undefined
  readonly listLevel: number | undefined
}

export class WordStyles {
  readonly #styles: readonly (Style | undefined)[]

  constructor(table: Buffer) {
    this.#styles = readStyles(table)
  }

  findLevel(style: number, properties: ReadonlyMap<number, number>): number | undefined {
    const outline = properties.get(OUTLINE_LEVEL) ?? this.#findOutline(style)
    return outline !== undefined && outline < 9 ? Math.min(MAX_LEVEL, outline + 1) : undefined
  }

  /** Falls back to the style of the paragraph. */
  findList(
    style: number,
    properties: ReadonlyMap<number, number>,
  ): { readonly reference: number; readonly level: number } {
    const styles = [...this.#listAncestors(style)]
    const find = (property: 'list' | 'listLevel', own: number | undefined) =>
      own ?? styles.find(ancestor => ancestor[property] !== undefined)?.[property] ?? 0
    return {
      reference: find('list', properties.get(LIST)),
      level: find('listLevel', properties.get(LIST_LEVEL)),
    }
  }

  #findOutline(number: number): number | undefined {
    for (const { outline, builtin } of this.#listAncestors(number)) {
      if (outline !== undefined) return outline
      if (builtin >= 1 && builtin <= 9) return builtin - 1
    }
    return undefined
  }

  *#listAncestors(number: number): Iterable<Style> {
    let style = this.#styles[number]
    for (let count = 0; style && count < MAX_ANCESTORS; count++) {
      yield style
      style = this.#styles[style.base]
    }
  }
}

/** [MS-DOC] 2.9.271. */
function readStyles(table: Buffer): readonly (Style | undefined)[] {
  if (table.length < 6) return []
  const baseBytes = table.readUInt16LE(4)
  const styles: (Style | undefined)[] = []
  for (let offset = 2 + table.readUInt16LE(0); offset + 2 <= table.length; ) {
    const length = table.readUInt16LE(offset)
    styles.push(readStyle(table.subarray(offset + 2, offset + 2 + length), baseBytes))
    offset += 2 + length
  }
  return styles
}

function readStyle(bytes: Buffer, baseBytes: number): Style | undefined {
  if (bytes.length < baseBytes + 2 || bytes.length < 6) return undefined
  const kind = bytes.readUInt16LE(2)
  const own = baseBytes + 2 + bytes.readUInt16LE(baseBytes) * 2 + 2
  const isParagraph = (kind & 0xf) === 1 && own + 4 <= bytes.length
  const list = isParagraph
    ? bytes.subarray(own + 4, own + 2 + bytes.readUInt16LE(own))
    : bytes.subarray(0, 0)
  const properties = readProperties(list)
  return {
    builtin: bytes.readUInt16LE(0) & 0xfff,
    base: kind >> 4,
    outline: properties.get(OUTLINE_LEVEL),
    list: properties.get(LIST),
    listLevel: properties.get(LIST_LEVEL),
  }
}
