import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { type SkippedKind, SkippedText } from '../../skipped-text.ts'
import { mergeTextAndPictures } from '../office/embedded-pictures.ts'
import { findAttribute, type XmlPart } from '../office/xml.ts'
import {
  findChildren,
  findDescendants,
  readXmlElements,
  type XmlElement,
} from '../office/xml-tree.ts'
import { hasMoreThanPageNumber } from '../page-furniture.ts'
import { readOdtBlocks } from './blocks.ts'
import { OdfDocument } from './odf-document.ts'
import { OdtStyles } from './styles.ts'

export const odtParser: Parser = {
  id: 'odt@14',
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
const LEFT_OUT = /^(?:tracked-changes|forms|.*-index|table-of-content|master-styles)$/
const CONTENTS_LIST = /^(?:.*-index|table-of-content)$/

const FURNITURE = /^(?:header|footer)(?:-left|-first)?$/

async function* parseOdt(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const document = await OdfDocument.open(input, signal)
  try {
    const skipped = new SkippedText()
    yield { type: 'metadata', metadata: await document.readMetadata(skipped) }
    const styles = new OdtStyles()
    const furniture = await readOdfStyles(document.styles, styles)
    const pictures = new Set<string>()
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
  isFurniture = (name: string) => FURNITURE.test(name),
): Promise<readonly XmlElement[]> {
  const furniture: XmlElement[] = []
  if (!part) return furniture
  const isIncluded = (name: string) => STYLES.has(name) || isFurniture(name)
  for await (const element of readXmlElements(part, isIncluded)) {
    if (STYLES.has(element.name)) styles.add(element)
    else furniture.push(element)
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

async function* readBodyBlocks(part: XmlPart, body: OdtBody): AsyncGenerator<Block> {
  const inFlatFile: XmlElement[] = []
  const isIncluded = (name: string) => STYLES.has(name) || CONTENTS.has(name) || LEFT_OUT.test(name)
  for await (const element of readXmlElements(part, isIncluded)) {
    inFlatFile.push(...findFurniture(element))
    yield* readPart(element, body)
  }
  yield* readFurniture([...body.furniture, ...inFlatFile], body.styles)
}

function* readPart(element: XmlElement, { styles, pictures, skipped }: OdtBody): Iterable<Block> {
  if (isLeftOut(element, skipped)) return
  if (STYLES.has(element.name)) styles.add(element)
  else yield* readOdtBlocks(element, styles)
  for (const entry of findPictureEntries(element)) pictures.add(entry)
}

function findFurniture(styles: XmlElement): readonly XmlElement[] {
  if (styles.name !== 'master-styles') return []
  return [...findDescendants(styles, 'master-page')]
    .flatMap(page => findChildren(page))
    .filter(({ name }) => FURNITURE.test(name))
}

const COUNTED: Readonly<Record<string, SkippedKind>> = {
  'ruby-text': 'reading aids',
  object: 'embedded objects',
  'object-ole': 'embedded objects',
  plugin: 'recordings',
  'floating-frame': 'linked files',
  'hidden-text': 'hidden elements',
  'toc-mark': 'index entries',
  'user-index-mark': 'index entries',
  'alphabetical-index-mark': 'index entries',
}

export function countUnreadParts(element: XmlElement, skipped: SkippedText): void {
  const kind = COUNTED[element.name]
  if (kind) skipped.add(kind)
  const isLine = element.name === 'p' || element.name === 'h' || element.name === 'span'
  if (element.name === 'a' && findAttribute(element.attributes, 'title'))
    skipped.add('text alternatives')
  for (const child of findChildren(element)) {
    const isAlternative = child.name === 'title' || child.name === 'desc'
    if (isAlternative && !isLine) skipped.add('text alternatives')
    countUnreadParts(child, skipped)
  }
}

function isLeftOut(element: XmlElement, skipped: SkippedText): boolean {
  const count = (...names: readonly string[]) => [...findDescendants(element, ...names)].length
  if (element.name !== 'master-styles') countUnreadParts(element, skipped)
  if (element.name === 'tracked-changes') skipped.add('deleted texts', count('deletion'))
  if (CONTENTS_LIST.test(element.name)) skipped.add('contents lists')
  if (element.name === 'forms') skipped.add('form controls', findChildren(element).length)
  return LEFT_OUT.test(element.name)
}

function* findPictureEntries(element: XmlElement): Iterable<string> {
  const images = element.name === 'image' ? [element] : findDescendants(element, 'image')
  for (const { attributes } of images) yield findAttribute(attributes, 'href') ?? ''
}
