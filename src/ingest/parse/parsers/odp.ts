import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { isOdfShape, readOdtBlocks } from './odt/blocks.ts'
import { OdfDocument } from './odt/odf-document.ts'
import { countUnreadParts, readOdfStyles } from './odt/odt.ts'
import { OdtStyles } from './odt/styles.ts'
import { findAttribute, parseXmlEvents, type XmlPart } from './office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
  XmlTrees,
} from './office/xml-tree.ts'

const PARTS = new Set(['page', 'master-page'])
const STYLES = new Set(['style', 'list-style'])
const FURNITURE = /^(?:header|footer|date-time|page-number)$/
const DECLARED = /^(?:header|footer|date-time)-decl$/

export const odpParser: Parser = {
  id: 'odp@5',
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
    const deck = { styles, masters: [...masters], skipped }
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
}

async function* readSlides(part: XmlPart, deck: Deck): AsyncGenerator<Block> {
  const { styles, masters, skipped } = deck
  const trees = new XmlTrees(name => STYLES.has(name) || PARTS.has(name) || DECLARED.test(name))
  const used = new Set<string | undefined>()
  let page = 0
  for await (const events of parseXmlEvents(part)) {
    for (const element of events.flatMap(event => trees.add(event) ?? [])) {
      if (element.name !== 'page') addPart(element, deck)
      else {
        page++
        used.add(findAttribute(element.attributes, 'master-page-name'))
        for (const block of readSlide(element, styles, skipped)) yield { ...block, page }
      }
    }
  }
  for (const master of masters) {
    if (!used.has(findAttribute(master.attributes, 'name'))) continue
    countFurniture(master, skipped)
    yield* readMaster(master, styles)
  }
}

function addPart(element: XmlElement, { styles, masters, skipped }: Deck): void {
  if (element.name === 'master-page') masters.push(element)
  else if (DECLARED.test(element.name)) countDeclared(element, skipped)
  else styles.add(element)
}

function* readMaster(master: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findChildren(master))
    if (findClass(shape) === '' && isOdfShape(shape.name)) yield* readOdtBlocks(shape, styles)
}

/** A date that is computed is no text of the presentation. */
function countDeclared({ name, children, attributes }: XmlElement, skipped: SkippedText): void {
  const isComputed = findAttribute(attributes, 'source') === 'current-date'
  const text = children.filter(child => typeof child === 'string').join('')
  if (!isComputed && text.trim()) skipped.add(name === 'header-decl' ? 'headers' : 'footers')
}

function* readSlide(slide: XmlElement, styles: OdtStyles, skipped: SkippedText): Iterable<Block> {
  countUnreadParts(slide, skipped)
  skipped.add('form controls', [...findDescendants(slide, 'control')].length)
  skipped.add('pictures', [...findDescendants(slide, 'image')].length)
  countFurniture(slide, skipped)
  const shapes = findChildren(slide).filter(shape => !FURNITURE.test(findClass(shape)))
  for (const shape of shapes.filter(shape => findClass(shape) === 'title')) {
    const text = [...readOdtBlocks(shape, styles)].map(block => block.text).join(' ')
    if (text) yield { kind: 'heading', level: 1, text: text.replace(/\s+/g, ' ') }
  }
  for (const shape of shapes)
    if (findClass(shape) !== 'title')
      yield* shape.name === 'notes' ? readNotes(shape, styles) : readOdtBlocks(shape, styles)
}

function countFurniture(page: XmlElement, skipped: SkippedText): void {
  for (const kind of ['header', 'footer'] as const)
    skipped.add(`${kind}s`, findChildren(page).filter(shape => hasText(shape, kind)).length)
}

function* readNotes(notes: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findChildren(notes))
    if (!FURNITURE.test(findClass(shape)) && shape.name !== 'page-thumbnail')
      yield* readOdtBlocks(shape, styles)
}

function hasText(shape: XmlElement, kind: string): boolean {
  if (findClass(shape) !== kind) return false
  const fields = [...findDescendants(shape, 'header', 'footer')].map(readElementText).join('')
  return readElementText(shape).trim() !== fields.trim()
}

function findClass({ attributes }: XmlElement): string {
  return attributes['presentation:class'] ?? findAttribute(attributes, 'class') ?? ''
}
