import {
  type LocalizableMessage,
  localizable,
  withMessage,
} from '../../../../../errors/localizable.ts'
import { getFirst } from '../../../../../system/items.ts'
import type { Warning } from '../../../parser.ts'
import { formatPageRanges } from '../page-ranges.ts'
import type { LooseObject } from './loose-objects.ts'
import { findLooseObjects } from './loose-objects.ts'
import { findLoosePages, type Numbering } from './loose-pages.ts'
import { checkPageState, findLostFonts, hasFontNames, LOST_FONT_TEXT } from './loose-parts.ts'

export type Salvaged = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly complete: readonly number[]
  readonly broken: readonly number[]
  readonly unfonted: ReadonlySet<number>
  readonly total: number | undefined
  readonly numbering: Numbering
}

const DOUBTS: Readonly<Record<Numbering, string>> = {
  listed: '',
  guessed:
    ' A part of the list of its pages is missing. The pages behind are numbered as if each missing list of pages held as many pages as those beside it: their numbers may be wrong.',
  found:
    ' The list of its pages, or a part of it, is missing. Its pages are numbered as they stand in the file: their numbers may be wrong.',
}

/** Short, so that no list is long to search. */
const LIST_LENGTH = 100

/** Bytes before the header: the limit of Acrobat (PDF Reference 1.7, 2006, appendix H, note 13). */
const HEADER_BYTES = 1024

type Objects = ReadonlyMap<number, LooseObject>

export function isCutOff(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const last = bytes.lastIndexOf('endobj')
  return last >= 0 && bytes.indexOf('startxref', last) < 0
}

export function recoverPdf(file: Uint8Array): Salvaged | undefined {
  const bytes = fromHeader(Buffer.from(file.buffer, file.byteOffset, file.length))
  const objects = findLooseObjects(bytes)
  const { pages, total, numbering } = findLoosePages(objects)
  const cipher = readCipher(bytes)
  if (pages.length === 0 || cipher === undefined) return undefined
  const states = pages.map(page =>
    page === undefined ? 'missing' : checkPageState(objects, objects.get(page)!),
  )
  const listPageNumbers = (state: string) =>
    states.flatMap((other, index) => (other === state ? [index + 1] : []))
  const isUnfonted = (page: number | undefined) =>
    page !== undefined && !hasFontNames(objects, objects.get(page)!)
  return {
    bytes: appendNewEnd(bytes, objects, pages, cipher),
    complete: listPageNumbers('whole'),
    broken: listPageNumbers('broken'),
    unfonted: new Set(pages.flatMap((page, index) => (isUnfonted(page) ? [index + 1] : []))),
    total,
    numbering,
  }
}

export function buildSalvageWarning({ complete, broken, total, numbering }: Salvaged): Warning {
  const pageCount =
    total === undefined ? 'how many it had is not known' : localizable`it had ${total}`
  const parts =
    broken.length > 0 ? localizable`, and parts of page ${formatPageRanges(broken)}` : ''
  const message = localizable`The file is damaged or cut off. Recovered: ${count(complete.length)} (${formatPageRanges(complete)})${parts}; ${pageCount}. What else it held, be it pages, fonts or pictures, is missing: add a complete copy of it if there is one.${DOUBTS[numbering]}`
  return withMessage({ code: 'corrupt' }, message)
}

function count(pages: number): LocalizableMessage {
  return pages === 1 ? localizable`${pages} page` : localizable`${pages} pages`
}

/** Offsets in a PDF count from its header. */
function fromHeader(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.subarray(0, HEADER_BYTES).indexOf('%PDF-')))
}

/** Returns an empty text without encryption, and undefined if parts of it are missing. */
function readCipher(bytes: Buffer): string | undefined {
  const offset = bytes.lastIndexOf('/Encrypt')
  if (offset < 0) return ''
  const around = bytes.toString('latin1', Math.max(0, offset - 2048), offset + 2048)
  const reference = /\/Encrypt\s+\d+\s+\d+\s+R/.exec(around)?.[0]
  const id = /\/ID\s*\[\s*<[^>]*>\s*<[^>]*>\s*\]/.exec(around)?.[0]
  return reference && id ? reference + id : undefined
}

function appendNewEnd(
  bytes: Buffer,
  objects: Objects,
  pages: readonly (number | undefined)[],
  cipher: string,
): Uint8Array<ArrayBuffer> {
  const fonts = new Set(findLostFonts(objects))
  const last = [...objects.keys(), ...fonts].reduce((max, number) => Math.max(max, number), 0)
  const end = new NewEnd(bytes.length, last + 1)
  for (const { number, generation, offset, text } of objects.values()) {
    if (fonts.has(number)) continue
    if (offset === undefined) end.write(number, text)
    else end.place(number, generation, offset)
  }
  for (const font of fonts) end.write(font, LOST_FONT_TEXT)
  const kids = pages.map(page => ({
    reference: writeReference(objects, page) ?? end.add('<</Type/Page>>'),
    count: 1,
  }))
  const lists = Array.from({ length: Math.ceil(kids.length / LIST_LENGTH) }, (_, index) => {
    const part = kids.slice(index * LIST_LENGTH, (index + 1) * LIST_LENGTH)
    return { reference: end.add(writeKids(part)), count: part.length }
  })
  const root = end.add(`<</Type/Catalog/Pages ${end.add(writeKids(lists))}>>`)
  return new Uint8Array(Buffer.concat([bytes, end.finish(`/Root ${root}${cipher}`)]))
}

function writeReference(objects: Objects, page: number | undefined): string | undefined {
  return page === undefined ? undefined : `${page} ${objects.get(page)!.generation} R`
}

function writeKids(
  kids: readonly { readonly reference: string; readonly count: number }[],
): string {
  const count = kids.reduce((sum, kid) => sum + kid.count, 0)
  return `<</Type/Pages/Count ${count}/Kids[${kids.map(kid => kid.reference).join(' ')}]>>`
}

class NewEnd {
  /** Ends what was cut off in its middle. */
  #parts = ['\nendstream\nendobj\n']
  readonly #entries: string[] = []
  #length: number
  #next: number

  constructor(start: number, next: number) {
    this.#length = start + getFirst(this.#parts).length
    this.#next = next
  }

  place(number: number, generation: number, offset: number): void {
    this.#entries.push(`${number} 1\n${pad(offset, 10)} ${pad(generation, 5)} n \n`)
  }

  write(number: number, text: string): void {
    this.place(number, 0, this.#length)
    const part = `${number} 0 obj\n${text}\nendobj\n`
    this.#parts.push(part)
    this.#length += part.length
  }

  add(text: string): string {
    const number = this.#next++
    this.write(number, text)
    return `${number} 0 R`
  }

  finish(trailer: string): Buffer {
    const table = `xref\n${this.#entries.join('')}trailer\n<</Size ${this.#next}${trailer}>>\nstartxref\n${this.#length}\n%%EOF\n`
    return Buffer.from(this.#parts.join('') + table, 'latin1')
  }
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
