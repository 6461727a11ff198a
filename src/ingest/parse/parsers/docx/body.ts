import { posix } from 'node:path'
import { type Block, indentNestedText } from '../../../block.ts'
import { hasWords } from '../../skipped-text.ts'
import { readHtmlBlocks } from '../html/blocks.ts'
import { parseDom } from '../html/dom.ts'
import { decodePage } from '../html/html.ts'
import { toLinks } from '../link-targets.ts'
import { readChart, readDiagram } from '../office/charts.ts'
import { chooseAlternative } from '../office/drawing-text.ts'
import { formatBeforeItem } from '../office/list-numbers.ts'
import type { OoxmlPackage, Relation } from '../office/ooxml.ts'
import { findAttribute, findRelationId, type XmlPart } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  readXmlElements,
  type XmlElement,
} from '../office/xml-tree.ts'
import { countOthers, countUnchosen } from './choices.ts'
import { type Anchored, type InlineContext, InlineReader } from './inline.ts'
import type { ListItem, ListNumbers } from './numbering.ts'
import { findHeadingLevel, readValue } from './styles.ts'
import { isLayoutTable, listCells, listRows, readTableRows } from './table.ts'

export type DocxContext = InlineContext & {
  readonly pack: OoxmlPackage
  readonly numbers: ListNumbers
  /** Keyed by id; removed once read. */
  readonly comments: Map<string, XmlElement>
}

const BODY_ELEMENTS = new Set(['p', 'tbl', 'altChunk', 'AlternateContent', 'oMathPara', 'sdtPr'])
/** Lists of contents and figures repeat the document. */
const CONTENTS_STYLE = /^(?:toc \d|table of figures)$/

export class PartReader {
  readonly #context: DocxContext
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #inline: InlineReader
  /** Text of paragraphs whose end is deleted: the next one continues it. */
  #carried = ''
  #carriedTargets: readonly string[] = []
  #isInContents = false
  #openControl: XmlElement | undefined

  constructor(
    context: DocxContext,
    relations: ReadonlyMap<string, Relation>,
    options = { omitsPages: false },
  ) {
    this.#context = context
    this.#relations = relations
    this.#inline = new InlineReader(context, relations, options)
  }

  async *readPart(part: XmlPart): AsyncGenerator<Block> {
    for await (const element of readXmlElements(part, name => BODY_ELEMENTS.has(name))) {
      this.#countChoices(element)
      yield* this.readElement(element)
    }
    this.#countChoices(undefined)
    yield* splitParagraphs(this.#carried).map(text => ({ kind: 'paragraph' as const, text }))
  }

  #countChoices(element: XmlElement | undefined): void {
    const { skipped } = this.#context
    skipped.add('choices of lists', countOthers(this.#openControl, element))
    skipped.add('choices of lists', element ? countUnchosen(element) : 0)
    this.#openControl = element?.name === 'sdtPr' ? element : undefined
  }

  async *readElement(element: XmlElement): AsyncGenerator<Block> {
    switch (element.name) {
      case 'p':
      case 'oMathPara':
        return yield* this.#readParagraph(element)
      case 'tbl':
        return yield* this.#readTable(element)
      case 'altChunk':
        return yield* this.#readInsertedDocument(element)
      case 'sdtPr':
        return
      case 'AlternateContent':
        return yield* this.#readElements(findChildren(chooseAlternative(element)))
      default:
        yield* this.#readElements(findChildren(element))
    }
  }

  async *#readElements(elements: readonly XmlElement[]): AsyncGenerator<Block> {
    for (const element of elements) yield* this.readElement(element)
  }

  async *#readParagraph(paragraph: XmlElement): AsyncGenerator<Block> {
    const properties = findChild(paragraph, 'pPr')
    const isJoined = findChild(properties, 'rPr', 'del') !== undefined
    const item = isJoined ? undefined : this.#context.numbers.count(properties)
    const { text, anchored, targets } = this.#inline.readParagraph(paragraph)
    const joined = this.#carried + text
    const allTargets = [...this.#carriedTargets, ...targets]
    this.#carried = isJoined ? joined : ''
    this.#carriedTargets = isJoined ? allTargets : []
    const [first, ...others] = isJoined ? [] : this.#buildBlocks(joined, { properties, item })
    if (first) yield { ...first, ...toLinks(allTargets, joined) }
    yield* others
    for (const object of anchored) yield* this.#readAnchored(object)
  }

  *#buildBlocks(
    text: string,
    { properties, item }: { properties: XmlElement | undefined; item: ListItem | undefined },
  ): Iterable<Block> {
    const { styles } = this.#context
    const styleId = readValue(properties, 'pStyle')
    const name = styles.get(styleId ?? '')?.name ?? ''
    const isContents = CONTENTS_STYLE.test(name) && hasWords(text)
    if (isContents && !this.#isInContents) this.#context.skipped.add('contents lists')
    this.#isInContents = isContents
    if (text.trim() === '' || CONTENTS_STYLE.test(name)) return
    const number = formatBeforeItem(item?.number ?? '')
    const [first = '', ...others] = splitParagraphs(number + text)
    const level = findHeadingLevel(styleId, styles)
    if (level !== undefined) {
      yield { kind: 'heading', level, text: [first, ...others].join(' ').replace(/\s+/g, ' ') }
    } else if (item) {
      yield { kind: 'list', text: indentNestedText(first, item.depth) }
      for (const part of others)
        yield { kind: 'list', text: indentNestedText(part, item.depth + 1) }
    } else {
      const kind = name === 'caption' ? 'caption' : 'paragraph'
      yield* [first, ...others].map(part => ({ kind, text: part }) as const)
    }
  }

  async *#readTable(table: XmlElement): AsyncGenerator<Block> {
    const rows = listRows(table, this.#context.skipped)
    const named = findChildren(findChild(table, 'tblPr'), 'tblCaption', 'tblDescription')
    this.#context.skipped.add('text alternatives', named.length)
    if (isLayoutTable(rows, this.#context.styles))
      return yield* this.#readElements(rows.flatMap(listCells))
    const anchored: Anchored[] = []
    const targets: string[] = []
    const block = readTableRows(rows, cell => this.#readCellText(cell, { anchored, targets }))
    if (block) yield { ...block, ...toLinks(targets, block.text) }
    for (const object of anchored) yield* this.#readAnchored(object)
  }

  #readCellText(
    cell: XmlElement,
    found: { readonly anchored: Anchored[]; readonly targets: string[] },
  ): string {
    const texts = findChildren(cell).map(element => {
      if (element.name !== 'p') return this.#readCellText(element, found)
      const { number = '' } = this.#context.numbers.count(findChild(element, 'pPr')) ?? {}
      const inline = this.#inline.readParagraph(element)
      found.anchored.push(...inline.anchored)
      found.targets.push(...inline.targets)
      return formatBeforeItem(number) + inline.text
    })
    return texts.join(' ').replace(/\s+/g, ' ').trim()
  }

  async *#readAnchored(object: Anchored): AsyncGenerator<Block> {
    if (object.type === 'blocks') return yield* this.#readElements(object.elements)
    if (object.type === 'word-art') return yield { kind: 'paragraph', text: object.text }
    if (object.type === 'comment') return yield* this.#readComment(object.id)
    const { pack, skipped } = this.#context
    const tree = await pack.readTree(this.#relations.get(object.id)?.target)
    yield* object.type === 'chart' ? readChart(tree, skipped) : readDiagram(tree)
  }

  *#readComment(id: string): Iterable<Block> {
    const comment = this.#context.comments.get(id)
    this.#context.comments.delete(id)
    const text = [...findDescendants(comment, 'p')]
      .map(paragraph => this.#inline.readParagraph(paragraph).text)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    const author = comment && findAttribute(comment.attributes, 'author')
    const name = author ? `Comment by ${author}` : 'Comment'
    if (text) yield { kind: 'paragraph', text: `${name}: ${text}` }
  }

  async *#readInsertedDocument({ attributes }: XmlElement): AsyncGenerator<Block> {
    const { pack, skipped } = this.#context
    const target = this.#relations.get(findRelationId(attributes) ?? '')?.target ?? ''
    const format = /^\.(x?html?|txt)$/i.exec(posix.extname(target))?.[1]
    const bytes = format && (await pack.read(target))
    if (!bytes) return skipped.add('inserted documents')
    const { text } = decodePage(bytes)
    if (format !== 'txt') return yield* readHtmlBlocks(await parseDom(text), skipped)
    yield* splitParagraphs(text).map(paragraph => ({ kind: 'paragraph' as const, text: paragraph }))
  }
}

function splitParagraphs(text: string): readonly string[] {
  return text
    .replace(/[ \t\u00a0]+/g, ' ')
    .split(/\n *(?:\n *)+/)
    .map(paragraph => paragraph.replace(/ *\n */g, '\n').trim())
    .filter(Boolean)
}

export function hasText(element: XmlElement): boolean {
  return [...findDescendants(element, 't')].some(text => readElementText(text).trim() !== '')
}
