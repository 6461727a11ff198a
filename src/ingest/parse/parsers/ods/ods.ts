import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { hasWords, SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { readOdfShapes, readOdtBlocks } from '../odt/blocks.ts'
import { OdfDocument } from '../odt/odf-document.ts'
import { countUnreadParts, readOdfStyles } from '../odt/odt.ts'
import { OdtStyles } from '../odt/styles.ts'
import { findAttribute, parseXmlEvents, type XmlEvent, type XmlPart } from '../office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
  XmlTrees,
} from '../office/xml-tree.ts'
import { TableBlocks } from '../table-blocks.ts'
import { SheetRows } from './rows.ts'

const PARTS = new Set([
  ...['table-row', 'shapes', 'tracked-changes', 'scenario', 'title', 'desc'],
  ...['content-validation', 'data-pilot-table', 'forms', 'master-styles'],
])
const PAGE_NUMBER = new Set(['page-number', 'page-count'])
const FIELDS = new Set(['sheet-name', 'title', 'file-name', 'date', 'time'])
/** Stands for a page's number; the word before it is no text. */
const NUMBER_MARK = '\ufffc'
const NUMBERED = /[\p{L}\p{M}.]*\s*\ufffc\s*\p{Script=Han}?/gu

export const odsParser: Parser = {
  id: 'ods@4',
  mediaTypes: [
    'application/vnd.oasis.opendocument.spreadsheet',
    'application/vnd.oasis.opendocument.spreadsheet-template',
    'application/vnd.oasis.opendocument.spreadsheet-flat-xml',
  ],
  parse: parseOds,
}

async function* parseOds(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const document = await OdfDocument.open(input, signal)
  try {
    const skipped = new SkippedText()
    yield { type: 'metadata', metadata: await document.readMetadata(skipped) }
    countPrinted(await readOdfStyles(document.styles, new OdtStyles()), skipped)
    yield* toBlockEvents(readSheets(document.content, skipped), input.name, signal)
    yield* skipped.listWarnings()
  } finally {
    document.close()
  }
}

async function* readSheets(part: XmlPart, skipped: SkippedText): AsyncGenerator<Block> {
  const sheets = new Sheets(skipped)
  for await (const events of parseXmlEvents(part))
    for (const event of events) yield* sheets.add(event)
}

class Sheets {
  readonly #skipped: SkippedText
  readonly #parts = new XmlTrees(name => PARTS.has(name))
  #name = ''
  #isInSheet = false
  #rows = new SheetRows()
  #tables = new TableBlocks({ areBlanksWritten: false, numbers: 'native' })

  constructor(skipped: SkippedText) {
    this.#skipped = skipped
  }

  *add(event: XmlEvent): Iterable<Block> {
    const part = this.#parts.add(event)
    if (part) yield* this.#withHeading(this.#readPart(part))
    else if (event.type === 'open' && event.name === 'table') this.#openSheet(event)
    else if (event.type === 'close' && event.name === 'table') yield* this.#closeSheet()
  }

  #openSheet({ attributes }: Extract<XmlEvent, { type: 'open' }>): void {
    this.#name = findAttribute(attributes, 'name')?.trim() ?? ''
    this.#isInSheet = true
    this.#rows = new SheetRows()
    this.#tables = new TableBlocks({ areBlanksWritten: false, numbers: 'native' })
  }

  *#closeSheet(): Iterable<Block> {
    yield* this.#withHeading(this.#tables.end())
    yield* this.#rows.listComments()
    this.#isInSheet = false
  }

  *#withHeading(blocks: Iterable<Block>): Iterable<Block> {
    for (const block of blocks) {
      if (this.#name) yield { kind: 'heading', level: 1, text: this.#name }
      this.#name = ''
      yield block
    }
  }

  *#readPart(part: XmlElement): Iterable<Block> {
    this.#count(part)
    if (part.name === 'shapes') yield* readOdtBlocks(part, new OdtStyles())
    if (part.name !== 'table-row') return
    for (const { cells, native } of this.#rows.read(part)) yield* this.#tables.add(cells, native)
    yield* readOdfShapes(part, new OdtStyles())
  }

  #count(part: XmlElement): void {
    const skipped = this.#skipped
    if (part.name === 'master-styles') {
      countPrinted([...findDescendants(part, ...PRINTED)], skipped)
      return
    }
    countUnreadParts(part, skipped)
    if (part.name === 'forms') skipped.add('form controls', findChildren(part).length)
    else skipped.add('form controls', [...findDescendants(part, 'control')].length)
    if (part.name === 'tracked-changes') skipped.add('deleted texts', countDeletions(part))
    if (part.name === 'scenario') skipped.add('scenarios')
    if (part.name === 'content-validation' && hasOwnTexts(part)) skipped.add('validation texts')
    const isForeign = findChildren(part, 'source-cell-range').length === 0
    if (part.name === 'data-pilot-table' && isForeign) skipped.add('pivot tables')
    if (/^(?:title|desc)$/.test(part.name) && this.#isInSheet) skipped.add('text alternatives')
  }
}

const PRINTED = ['header', 'header-left', 'header-first', 'footer', 'footer-left', 'footer-first']

function countPrinted(printed: readonly XmlElement[], skipped: SkippedText): void {
  for (const element of printed) {
    const isVisible = findAttribute(element.attributes, 'display') !== 'false'
    const text = readWithoutFields(element).replace(NUMBERED, '')
    if (isVisible && /\p{L}/u.test(text))
      skipped.add(element.name.startsWith('header') ? 'headers' : 'footers')
  }
}

function readWithoutFields({ children }: XmlElement): string {
  return children
    .map(child => {
      if (typeof child === 'string') return child
      if (PAGE_NUMBER.has(child.name)) return NUMBER_MARK
      return FIELDS.has(child.name) ? '' : readWithoutFields(child)
    })
    .join('')
}

function hasOwnTexts(validation: XmlElement): boolean {
  const messages = [...findDescendants(validation, 'help-message', 'error-message')]
  const condition = findAttribute(validation.attributes, 'condition') ?? ''
  return (
    condition.includes('in-list("') || messages.some(message => hasWords(readElementText(message)))
  )
}

function countDeletions(changes: XmlElement): number {
  return [...findDescendants(changes, 'deletion', 'previous')].length
}
