import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { readOdtBlocks } from './odt/blocks.ts'
import { OdfDocument } from './odt/odf-document.ts'
import { readOdfStyles } from './odt/odt.ts'
import { OdtStyles } from './odt/styles.ts'
import { findAttribute, parseXmlEvents, type XmlPart } from './office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
  XmlTrees,
} from './office/xml-tree.ts'

const STYLES = new Set(['style', 'list-style'])
const FURNITURE = /^(?:header|footer|date-time|page-number)$/
const OBJECTS = ['object', 'object-ole']

export const odpParser: Parser = {
  id: 'odp@2',
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
    yield { type: 'metadata', metadata: await document.readMetadata() }
    const styles = new OdtStyles()
    await readOdfStyles(document.styles, styles)
    const skipped = new SkippedText()
    yield* toBlockEvents(readSlides(document.content, styles, skipped), input.name, signal)
    yield* skipped.listWarnings()
  } finally {
    document.close()
  }
}

async function* readSlides(
  part: XmlPart,
  styles: OdtStyles,
  skipped: SkippedText,
): AsyncGenerator<Block> {
  const trees = new XmlTrees(name => STYLES.has(name) || name === 'page')
  let page = 0
  for await (const events of parseXmlEvents(part)) {
    for (const event of events) {
      const element = trees.add(event)
      if (element?.name === 'page') {
        page++
        for (const block of readSlide(element, styles, skipped)) yield { ...block, page }
      } else if (element) styles.add(element)
    }
  }
}

function* readSlide(slide: XmlElement, styles: OdtStyles, skipped: SkippedText): Iterable<Block> {
  skipped.add('embedded objects', [...findDescendants(slide, ...OBJECTS)].length)
  skipped.add('comments', findChildren(slide, 'annotation').length)
  skipped.add('pictures', [...findDescendants(slide, 'image')].length)
  for (const kind of ['header', 'footer'] as const)
    skipped.add(`${kind}s`, findChildren(slide).filter(shape => hasText(shape, kind)).length)
  const shapes = findChildren(slide).filter(shape => !FURNITURE.test(findClass(shape)))
  for (const shape of shapes.filter(one => findClass(one) === 'title')) {
    const text = [...readOdtBlocks(shape, styles)].map(block => block.text).join(' ')
    if (text) yield { kind: 'heading', level: 1, text: text.replace(/\s+/g, ' ') }
  }
  for (const shape of shapes)
    if (findClass(shape) !== 'title' && shape.name !== 'annotation')
      yield* shape.name === 'notes' ? readNotes(shape, styles) : readOdtBlocks(shape, styles)
}

function* readNotes(notes: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findChildren(notes))
    if (!FURNITURE.test(findClass(shape)) && shape.name !== 'page-thumbnail')
      yield* readOdtBlocks(shape, styles)
}

function hasText(shape: XmlElement, kind: string): boolean {
  return findClass(shape) === kind && readElementText(shape).trim() !== ''
}

function findClass({ attributes }: XmlElement): string {
  return attributes['presentation:class'] ?? findAttribute(attributes, 'class') ?? ''
}
