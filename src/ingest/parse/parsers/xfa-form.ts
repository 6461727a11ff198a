import { readFile } from 'node:fs/promises'
import type { ParserInput } from '../parser.ts'
import type { SkippedText } from '../skipped-text.ts'
import { findAttribute } from './office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readXmlTree,
  type XmlElement,
} from './office/xml-tree.ts'
import { inflateStream } from './pdf/annotation-bytes.ts'
import { formatMark } from './pdf/fields.ts'

/** Protects against generated files; the packets of a form are few. */
const MAX_STREAMS = 20_000
const PACKET = /<(?:\w+:)?(?:template|datasets)[\s>]/
/** Characters before which a packet has its first element. */
const HEAD = 4_096
const BLOCKS = new Set(['p', 'br', 'div', 'li'])
const UNSEEN = new Set(['hidden', 'invisible', 'inactive'])

/**
 * Reads the texts and filled fields of an XFA form in the order of its template; none if it cannot
 * be read.
 */
export async function readXfaForm(
  input: ParserInput,
  skipped: SkippedText,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const packets = [...listPackets(await readFile(input.path, { signal }))]
  const roots = await Promise.all(
    packets.map(bytes => readPacket(bytes, input.name, signal)),
  ).catch(() => []) // damaged: the caller reports the form as left out
  signal?.throwIfAborted()
  const form = { name: '', attributes: {}, children: roots }
  const template = [...findDescendants(form, 'template')].at(-1)
  const data = [...findDescendants(form, 'data')].at(-1)
  return template || data ? listLines(template, new FormData(template, data), skipped) : []
}

/** Pages may repeat the form. */
export function omitShownLines(
  lines: readonly string[],
  pages: readonly string[],
): readonly string[] {
  const shown = pages.map(toLetters).join('')
  const unshown = lines.filter(line => !shown.includes(toLetters(line)))
  return countLetters(unshown) * 2 < countLetters(lines) ? unshown : lines
}

function countLetters(lines: readonly string[]): number {
  return lines.reduce((count, line) => count + toLetters(line).length, 0)
}

function toLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function* listPackets(file: Buffer): Iterable<Buffer> {
  let start = file.indexOf('stream')
  for (let count = 0; start >= 0 && count < MAX_STREAMS; count++) {
    const end = file.indexOf('endstream', start)
    if (end < 0) return
    const bytes = inflateStream(file, start) ?? file.subarray(start + 'stream'.length, end)
    if (PACKET.test(bytes.toString('latin1', 0, HEAD))) yield bytes
    start = file.indexOf('stream', end + 'endstream'.length)
  }
}

function readPacket(bytes: Buffer, name: string, signal?: AbortSignal): Promise<XmlElement> {
  const pieces = (async function* () {
    yield bytes.subarray(Math.max(0, bytes.indexOf('<')))
  })()
  return readXmlTree({ name, part: 'XFA', bytes: pieces, signal })
}

class FormData {
  readonly #values = new Map<string, string[]>()
  readonly #fields = new Map<string, number>()

  constructor(template: XmlElement | undefined, data: XmlElement | undefined) {
    for (const { attributes } of findDescendants(template, 'field', 'exclGroup')) {
      const { name = '' } = attributes
      this.#fields.set(name, (this.#fields.get(name) ?? 0) + 1)
    }
    this.#add(data)
  }

  /** A repeated field takes all values; fields that share a name take one each. */
  take(name: string): readonly string[] {
    const values = this.#values.get(name) ?? []
    return values.splice(0, this.#fields.get(name) === 1 ? values.length : 1)
  }

  listRest(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values].flatMap(([name, values]) =>
      values.map(value => [name, value] as const),
    )
  }

  #add(element: XmlElement | undefined, name = element?.name ?? ''): void {
    const children = findChildren(element)
    const isChoice = (child: XmlElement) => child.name === 'value' && !this.#fields.has('value')
    for (const child of children) this.#add(child, isChoice(child) ? name : child.name)
    if (!element || children.length > 0 || isPicture(element)) return
    const value = readText(element)
    if (value) this.#values.set(name, [...(this.#values.get(name) ?? []), value])
  }
}

function listLines(
  template: XmlElement | undefined,
  data: FormData,
  skipped: SkippedText,
): string[] {
  const lines: string[] = []
  for (const part of findDescendants(template, 'draw', 'field', 'exclGroup')) {
    if (UNSEEN.has(part.attributes.presence ?? ''))
      skipped.add('hidden elements', hasText(part) ? 1 : 0)
    else lines.push(...readPart(part, data, skipped))
  }
  const pictures = [...findDescendants(template, 'image')].filter(
    image => image.children.length > 0,
  )
  skipped.add('pictures', pictures.length)
  for (const [name, value] of data.listRest()) lines.push(`${name}: ${value}`)
  return lines.filter(line => line !== '')
}

function hasText(part: XmlElement): boolean {
  return (readText(findChild(part, 'value')) || readLabel(part)) !== ''
}

function readPart(part: XmlElement, data: FormData, skipped: SkippedText): readonly string[] {
  if (part.name === 'draw') return [readText(findChild(part, 'value'))]
  const values = data.take(part.attributes.name ?? '')
  if (part.name === 'field') return readField(part, values, skipped)
  const choices = findChildren(part, 'field').map(choice => readMark(choice, values[0]))
  return [readLabel(part), ...choices]
}

function readField(
  field: XmlElement,
  filledIn: readonly string[],
  skipped: SkippedText,
): readonly string[] {
  const value = filledIn.join(', ') || readText(findChild(field, 'value'))
  if (findChild(field, 'ui', 'button')) return [readLabel(field)]
  if (findChild(field, 'ui', 'checkButton')) return [readMark(field, value)]
  const list = findChild(field, 'ui', 'choiceList')
  if (list) return readChoices(field, { value, filledIn, list }, skipped)
  return [formatField(field, value)]
}

function formatField(field: XmlElement, value: string): string {
  const label = readLabel(field)
  return label && value ? `${label.replace(/\s*[:：]$/, '')}: ${value}` : label || value
}

type Choice = {
  readonly value: string
  readonly filledIn: readonly string[]
  readonly list: XmlElement
}

/** Lists that stay open show all choices, others only what is chosen. */
function readChoices(
  field: XmlElement,
  { value, filledIn, list }: Choice,
  skipped: SkippedText,
): readonly string[] {
  const items = findChildren(field, 'items')
  const [shown = [], saved = shown] = [
    items.find(({ attributes }) => attributes.save !== '1') ?? items[0],
    items.find(({ attributes }) => attributes.save === '1'),
  ].flatMap(texts => (texts ? [findChildren(texts).map(readText)] : []))
  const values = filledIn.length > 0 ? filledIn : [value]
  const chosen = new Set(shown.filter((_, index) => values.includes(saved[index] ?? '')))
  if (['always', 'multiSelect'].includes(list.attributes.open ?? ''))
    return [readLabel(field), ...shown.map(text => formatMark(chosen.has(text), text))]
  skipped.add('choices of lists', shown.length - chosen.size)
  return [formatField(field, [...chosen].join(', ') || value)]
}

function readLabel(part: XmlElement): string {
  return readText(findChild(part, 'caption', 'value'))
}

function readMark(choice: XmlElement, chosen: string | undefined): string {
  const [item] = findChildren(findChild(choice, 'items'))
  const isChosen = chosen !== undefined && chosen === (item ? readText(item) : '1')
  return formatMark(isChosen, readLabel(choice))
}

function readText(element: XmlElement | undefined): string {
  return collectText(element).replace(/\s+/g, ' ').trim()
}

function collectText(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map(child => {
      if (typeof child === 'string') return child
      if (isPicture(child)) return ''
      return BLOCKS.has(child.name) ? ` ${collectText(child)} ` : collectText(child)
    })
    .join('')
}

function isPicture({ name, attributes }: XmlElement): boolean {
  return name === 'image' || /^image\//.test(findAttribute(attributes, 'contentType') ?? '')
}
