import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { hasWords, SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { isOdfShape, readOdtBlocks } from './odt/blocks.ts'
import { OdfDocument } from './odt/odf-document.ts'
import { countUnreadParts, readOdfStyles } from './odt/odt.ts'
import { OdtStyles } from './odt/styles.ts'
import { findAttribute, type XmlPart } from './office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  readXmlElements,
  type XmlElement,
} from './office/xml-tree.ts'

const PARTS = new Set(['page', 'master-page'])
const STYLES = new Set(['style', 'list-style'])
const FURNITURE = /^(?:header|footer|date-time|page-number)$/
const DECLARED = /^(?:header|footer|date-time)-decl$/
const FIELDS = ['header', 'footer', 'date-time', 'date', 'time', 'page-number', 'page-count']

export const odpParser: Parser = {
  id: 'odp@6',
  mediaTypes: [
    'application/vnd.oasis.opendocument.presentation',
    'application/vnd.oasis.opendocument.presentation-template',
    'application/vnd.oasis.opendocument.presentation-flat-xml',
  ],
  parse: parseOdp,
}

async function* parseOdp(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const document = await OdfDocument.open(input, signal)
  try {
    const skipped = new SkippedText()
    yield { type: 'metadata', metadata: await document.readMetadata(skipped) }
    const styles = new OdtStyles()
    const masters = await readOdfStyles(document.styles, styles, name => name === 'master-page')
    const deck = { styles, masters: [...masters], skipped, furniture: new Set<string>() }
    yield* toBlockEvents(readSlides(document.content, deck), input.name, signal)
    yield* skipped.listWarnings()
  } finally {
    document.close()
  }
}

type Deck = {
  readonly styles: OdtStyles
  readonly masters: XmlElement[]
  readonly skipped: SkippedText
  readonly furniture: Set<string>
}

async function* readSlides(part: XmlPart, deck: Deck): AsyncGenerator<Block> {
  const { styles, masters, skipped } = deck
  const isIncluded = (name: string) => STYLES.has(name) || PARTS.has(name) || DECLARED.test(name)
  const used = new Set<string | undefined>()
  let page = 0
  for await (const element of readXmlElements(part, isIncluded)) {
    if (element.name !== 'page') addPart(element, deck)
    else {
      page++
      used.add(findAttribute(element.attributes, 'master-page-name'))
      addFurniture(element, deck)
      for (const block of readSlide(element, styles, skipped)) yield { ...block, page }
    }
  }
  for (const master of masters) {
    if (!used.has(findAttribute(master.attributes, 'name'))) continue
    addFurniture(master, deck)
    yield* readMaster(master, styles)
  }
  for (const text of deck.furniture) yield { kind: 'paragraph', text }
}

function addPart(element: XmlElement, { styles, masters, furniture }: Deck): void {
  if (element.name === 'master-page') masters.push(element)
  else if (DECLARED.test(element.name)) addDeclared(element, furniture)
  else styles.add(element)
}

function* readMaster(master: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findChildren(master))
    if (findClass(shape) === '' && isOdfShape(shape.name)) yield* readOdtBlocks(shape, styles)
}

/** A date that is computed is no text of the presentation. */
function addDeclared({ children, attributes }: XmlElement, furniture: Set<string>): void {
  const isComputed = findAttribute(attributes, 'source') === 'current-date'
  const text = children
    .filter(child => typeof child === 'string')
    .join('')
    .trim()
  if (!isComputed && text) furniture.add(text)
}

function addFurniture(page: XmlElement, { styles, furniture }: Deck): void {
  const shapes = [page, ...findChildren(page, 'notes')].flatMap(part => findChildren(part))
  for (const shape of shapes.filter(shape => FURNITURE.test(findClass(shape)))) {
    const fields = [...findDescendants(shape, ...FIELDS)].map(readElementText).join('')
    const text = readElementText(shape)
    if (text.trim() === fields.trim() || !hasWords(text)) continue
    for (const { text } of readOdtBlocks(shape, styles)) furniture.add(text)
  }
}

function* readSlide(slide: XmlElement, styles: OdtStyles, skipped: SkippedText): Iterable<Block> {
  countUnreadParts(slide, skipped)
  skipped.add('form controls', [...findDescendants(slide, 'control')].length)
  skipped.add('pictures', [...findDescendants(slide, 'image')].length)
  const shapes = findChildren(slide).filter(shape => !FURNITURE.test(findClass(shape)))
  for (const shape of shapes.filter(shape => findClass(shape) === 'title')) {
    const text = [...readOdtBlocks(shape, styles)].map(block => block.text).join(' ')
    if (text) yield { kind: 'heading', level: 1, text: text.replace(/\s+/g, ' ') }
  }
  for (const shape of shapes)
    if (findClass(shape) !== 'title')
      yield* shape.name === 'notes' ? readNotes(shape, styles) : readOdtBlocks(shape, styles)
}

function* readNotes(notes: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findChildren(notes))
    if (!FURNITURE.test(findClass(shape)) && shape.name !== 'page-thumbnail')
      yield* readOdtBlocks(shape, styles)
}

function findClass({ attributes }: XmlElement): string {
  return attributes['presentation:class'] ?? findAttribute(attributes, 'class') ?? ''
}
