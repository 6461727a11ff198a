import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { hasWords, SkippedText, warnOfHiddenText } from '../../skipped-text.ts'
import { mergeTextAndPictures, type Picture } from '../office/embedded-pictures.ts'
import { isEmbeddedObject, OoxmlPackage, type Relation } from '../office/ooxml.ts'
import { findAttribute } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import { hasMoreThanPageNumber } from '../page-furniture.ts'
import { type DocxContext, hasText, PartReader } from './body.ts'
import { ListNumbers, readNumbering } from './numbering.ts'
import { readStyles } from './styles.ts'

const DOCUMENT = 'word/document.xml'
const USUAL_PARTS = {
  styles: 'word/styles.xml',
  numbering: 'word/numbering.xml',
  comments: 'word/comments.xml',
  settings: 'word/settings.xml',
  footnotes: 'word/footnotes.xml',
  endnotes: 'word/endnotes.xml',
} as const

export const docxParser: Parser = {
  id: 'docx@20',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  usesOcr: true,
  parse: parseDocx,
}

async function* parseDocx(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  const pack = await OoxmlPackage.open(input, signal)
  try {
    const main = await pack.findMainPart(DOCUMENT)
    const context = await openContext(pack, main)
    yield* pack.emitMetadata(context.skipped)
    const blocks = readDocumentBlocks(context, main)
    const pictures = () => listPictures(context)
    yield* mergeTextAndPictures(blocks, pictures, input, signal)
    yield* warnOfHiddenText(context.hidden.runs)
    yield* context.skipped.listWarnings()
  } finally {
    pack.close()
  }
}

async function openContext(pack: OoxmlPackage, main: string): Promise<DocxContext> {
  const styles = readStyles(await readUsualPart(pack, main, 'styles'))
  const numbering = readNumbering(await readUsualPart(pack, main, 'numbering'))
  const comments = await readUsualPart(pack, main, 'comments')
  return {
    pack,
    styles,
    numbers: new ListNumbers({ styles, numbering }),
    comments: mapById(findChildren(comments, 'comment')),
    skipped: new SkippedText(),
    pictures: new Set(),
    noteKeys: [],
    hidden: { runs: 0 },
  }
}

async function readUsualPart(
  pack: OoxmlPackage,
  main: string,
  type: keyof typeof USUAL_PARTS,
): Promise<XmlElement | undefined> {
  const [relation] = await pack.findRelations(main, type)
  return pack.readTree(relation?.target ?? USUAL_PARTS[type])
}

function mapById(elements: readonly XmlElement[]): Map<string, XmlElement> {
  return new Map(elements.map(element => [findAttribute(element.attributes, 'id') ?? '', element]))
}

async function* readDocumentBlocks(context: DocxContext, main: string): AsyncGenerator<Block> {
  const { pack, skipped } = context
  const part = pack.stream(main)
  const relations = await pack.readRelations(main)
  if (part) yield* new PartReader(context, relations).readPart(part)
  yield* readNotes(context, main)
  yield* readHeadersAndFooters(context, main)
  await countBuildingBlocks(context, relations.values())
  const settings = await readUsualPart(pack, main, 'settings')
  const variables = findChildren(findChild(settings, 'docVars'), 'docVar')
  skipped.add('variables', variables.filter(hasWordsAsValue).length)
  skipped.add('embedded objects', [...relations.values()].filter(isEmbeddedObject).length)
  skipped.add('comments', [...context.comments.values()].filter(hasText).length)
}

function hasWordsAsValue({ attributes }: XmlElement): boolean {
  return hasWords(findAttribute(attributes, 'val') ?? '')
}

/** Omits texts that stand in for an empty content control, which the document shows. */
async function countBuildingBlocks(
  { pack, skipped }: DocxContext,
  relations: Iterable<Relation>,
): Promise<void> {
  const glossary = [...relations].find(({ type }) => type === 'glossaryDocument')
  const blocks = [...findDescendants(await pack.readTree(glossary?.target), 'docPart')]
  const isPrompt = (block: XmlElement) =>
    [...findDescendants(block, 'type')].some(
      ({ attributes }) => findAttribute(attributes, 'val') === 'bbPlcHdr',
    )
  skipped.add('building blocks', blocks.filter(block => hasText(block) && !isPrompt(block)).length)
}

async function* readNotes(context: DocxContext, main: string): AsyncGenerator<Block> {
  for (const kind of ['footnote', 'endnote'] as const) {
    const root = await readUsualPart(context.pack, main, `${kind}s`)
    const [separators, own] = [true, false].map(isOne =>
      findChildren(root, kind).filter(note => isSeparator(note) === isOne),
    )
    const notes = mapById(own ?? [])
    const [relation] = await context.pack.findRelations(main, `${kind}s`)
    const part = relation?.target ?? USUAL_PARTS[`${kind}s`]
    const reader = new PartReader(context, await context.pack.readRelations(part))
    for (const [index, key] of context.noteKeys.entries()) {
      const id = key.startsWith(`${kind} `) ? key.slice(kind.length + 1) : ''
      const note = notes.get(id)
      notes.delete(id)
      if (note) yield* numberNote(reader.readElement(note), index + 1)
    }
    const unread = [...notes.values(), ...(separators ?? [])]
    context.skipped.add('notes', unread.filter(hasText).length)
  }
}

function isSeparator({ attributes }: XmlElement): boolean {
  const type = findAttribute(attributes, 'type') ?? 'normal'
  return type !== 'normal'
}

async function* numberNote(blocks: AsyncIterable<Block>, number: number): AsyncGenerator<Block> {
  let isFirst = true
  for await (const block of blocks) {
    if (block.kind === 'list') yield { ...block, text: `  ${block.text}` }
    else if (block.rows) yield block
    else yield { kind: 'list', text: isFirst ? `${number}. ${block.text}` : `  ${block.text}` }
    isFirst = false
  }
}

async function* readHeadersAndFooters(context: DocxContext, main: string): AsyncGenerator<Block> {
  const texts = new Set<string>()
  for (const type of ['header', 'footer']) {
    for (const { target } of await context.pack.findRelations(main, type)) {
      const part = context.pack.stream(target)
      const relations = await context.pack.readRelations(target)
      if (!part) continue
      const pictures = new Set<string>() // a logo is no text of the document
      const reader = new PartReader({ ...context, pictures }, relations, { omitsPages: true })
      for await (const block of reader.readPart(part)) {
        if (!texts.has(block.text) && hasMoreThanPageNumber(block.text)) yield toPlainBlock(block)
        texts.add(block.text)
      }
    }
  }
}

/** A heading in a page header is none of the document. */
function toPlainBlock(block: Block): Block {
  return block.kind === 'heading' ? { kind: 'paragraph', text: block.text } : block
}

function listPictures({ pack, pictures }: DocxContext): readonly Picture[] {
  return [...pictures].filter(part => pack.has(part)).map(part => () => pack.read(part))
}
