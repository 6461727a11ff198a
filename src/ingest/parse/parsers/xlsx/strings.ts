import { clipText } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import type { OoxmlPackage } from '../office/ooxml.ts'
import { findChild, readElementText, readXmlElements, type XmlElement } from '../office/xml-tree.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'

/**
 * Per cell that refers to a string, two for each byte of its XML, so that a repeated string
 * multiplies nothing.
 */
const CHARS_PER_CELL = 60
/** Any workbook may repeat these, so that small ones are never clipped. */
const FREE_CHARS = 32 * 1024
/** Long, so that labels and names are always repeated in full. */
const MAX_CUT_CHARS = 60

/**
 * Returns a string in full once, and again while there is room, which grows with every cell; then
 * its beginning.
 */
export class SharedStrings {
  readonly #strings: readonly string[]
  readonly #returned = new Set<number>()
  readonly #charsPerCell: number
  #room = FREE_CHARS
  #cut = 0

  constructor(strings: readonly string[], charsPerCell = CHARS_PER_CELL) {
    this.#strings = strings
    this.#charsPerCell = charsPerCell
  }

  get cut(): number {
    return this.#cut
  }

  take(index: number): string | undefined {
    const text = this.#strings[index]
    if (text === undefined) return undefined
    this.#room += this.#charsPerCell
    if (!this.#returned.has(index)) {
      this.#returned.add(index)
      return text
    }
    const cutChars = Math.min(MAX_CUT_CHARS, this.#charsPerCell)
    if (text.length > cutChars && text.length > this.#room) {
      this.#cut++
      return `${clipText(text, cutChars)}…`
    }
    this.#room -= text.length
    return text
  }
}

export async function readSharedStrings(
  pack: OoxmlPackage,
  part: string | undefined,
  skipped: SkippedText,
): Promise<readonly string[]> {
  const source = part && pack.stream(part)
  if (!source) return []
  const strings: string[] = []
  for await (const item of readXmlElements(source, name => name === 'si')) {
    strings.push(copyText(readRichText(item)))
    if (findChild(item, 'rPh')) skipped.add('reading aids')
  }
  return strings
}

/** Joins runs of several fonts. Omits phonetic guides. */
export function readRichText(item: XmlElement): string {
  return item.children
    .map(child => {
      if (typeof child === 'string' || child.name === 'rPh') return ''
      return child.name === 't'
        ? toElevatedText(readElementText(child), findElevation(item))
        : readRichText(child)
    })
    .join('')
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
}

function findElevation(run: XmlElement): Elevation | undefined {
  const align = findChild(run, 'rPr', 'vertAlign')?.attributes.val
  return align === 'superscript' ? 'raised' : align === 'subscript' ? 'lowered' : undefined
}

/** A slice would keep the entire piece of XML alive. */
function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
