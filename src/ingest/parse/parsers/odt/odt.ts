import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { mergeTextAndPictures } from '../office/embedded-pictures.ts'
import { findAttribute, parseXmlEvents, type XmlPart } from '../office/xml.ts'
import { findChildren, findDescendants, type XmlElement, XmlTrees } from '../office/xml-tree.ts'
import { hasMoreThanPageNumber } from '../page-furniture.ts'
import { readOdtBlocks } from './blocks.ts'
import { OdfDocument } from './odf-document.ts'
import { OdtStyles } from './styles.ts'

export const odtParser: Parser = {
  id: 'odt@11',
  mediaTypes: [
    'application/vnd.oasis.opendocument.text',
    'application/vnd.oasis.opendocument.text-template',
    'application/vnd.oasis.opendocument.text-flat-xml',
  ],
  usesOcr: true,
  parse: parseOdt,
}

const STYLES = new Set(['style', 'list-style'])
const CONTENTS = new Set(['p', 'h', 'list', 'table', 'image'])

/** Lists of contents repeat the text; tracked changes were deleted; forms have no text. */
const LEFT_OUT = /^(tracked-changes|forms|.*-index|table-of-content|bibliography|master-styles)$/

const FURNITURE = /^(?:header|footer)(?:-left|-first)?$/

async function* parseOdt(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const document = await OdfDocument.open(input, signal)
  try {
    yield { type: 'metadata', metadata: await document.readMetadata() }
    const styles = new OdtStyles()
    const furniture = await readOdfStyles(document.styles, styles)
    const pictures = new Set<string>()
    const skipped = new SkippedText()
    const blocks = readBodyBlocks(document.content, { styles, pictures, skipped, furniture })
    yield* mergeTextAndPictures(blocks, () => document.findPictures(pictures), input, signal)
    yield* skipped.listWarnings()
  } finally {
    document.close()
  }
}

export async function readOdfStyles(
  part: XmlPart | undefined,
  styles: OdtStyles,
): Promise<readonly XmlElement[]> {
  const furniture: XmlElement[] = []
  if (!part) return furniture
  const trees = new XmlTrees(name => STYLES.has(name) || FURNITURE.test(name))
  for await (const events of parseXmlEvents(part)) {
    for (const event of events) {
      const element = trees.add(event)
      if (!element) continue
      if (STYLES.has(element.name)) styles.add(element)
      else furniture.push(element)
    }
  }
  return furniture
}

function* readFurniture(elements: readonly XmlElement[], styles: OdtStyles): Iterable<Block> {
  const texts = new Set<string>()
  for (const block of elements.flatMap(element => [...readOdtBlocks(element, styles)])) {
    if (!texts.has(block.text) && hasMoreThanPageNumber(block.text)) yield block
    texts.add(block.text)
  }
}

type OdtBody = {
  readonly styles: OdtStyles
  readonly pictures: Set<string>
  readonly skipped: SkippedText
  readonly furniture: readonly XmlElement[]
}

async function* readBodyBlocks(
  part: XmlPart,
  { styles, pictures, skipped, furniture }: OdtBody,
): AsyncGenerator<Block> {
  const trees = new XmlTrees(name => STYLES.has(name) || CONTENTS.has(name) || LEFT_OUT.test(name))
  for await (const events of parseXmlEvents(part)) {
    for (const event of events) {
      const element = trees.add(event)
      if (!element || isLeftOut(element, skipped)) continue
      if (STYLES.has(element.name)) styles.add(element)
      else yield* readOdtBlocks(element, styles)
      for (const entry of findPictureEntries(element)) pictures.add(entry)
    }
  }
  yield* readFurniture(furniture, styles)
}

/** Counts what is left out. */
function isLeftOut(element: XmlElement, skipped: SkippedText): boolean {
  const count = (...names: readonly string[]) => [...findDescendants(element, ...names)].length
  skipped.add('reading aids', count('ruby-text'))
  skipped.add('embedded objects', count('object', 'object-ole'))
  skipped.add('text alternatives', countAlternatives(element))
  if (element.name === 'tracked-changes') skipped.add('deleted texts', count('deletion'))
  if (element.name === 'forms') skipped.add('form controls', findChildren(element).length)
  return LEFT_OUT.test(element.name)
}

/** Counts texts that stand for pictures and shapes. */
function countAlternatives(element: XmlElement): number {
  const shapes = [...findDescendants(element, 'frame', 'custom-shape', 'g')]
  return shapes.flatMap(shape => findChildren(shape, 'title', 'desc')).length
}

function* findPictureEntries(element: XmlElement): Iterable<string> {
  const images = element.name === 'image' ? [element] : findDescendants(element, 'image')
  for (const { attributes } of images) yield findAttribute(attributes, 'href') ?? ''
}
