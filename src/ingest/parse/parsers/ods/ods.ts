import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { readOdtBlocks } from '../odt/blocks.ts'
import { OdfDocument } from '../odt/odf-document.ts'
import { OdtStyles } from '../odt/styles.ts'
import { findAttribute, parseXmlEvents, type XmlEvent, type XmlPart } from '../office/xml.ts'
import { findDescendants, type XmlElement, XmlTrees } from '../office/xml-tree.ts'
import { TableBlocks } from '../table-blocks.ts'
import { SheetRows } from './rows.ts'

const PARTS = new Set(['table-row', 'shapes', 'tracked-changes'])

export const odsParser: Parser = {
  id: 'ods@2',
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
    yield { type: 'metadata', metadata: await document.readMetadata() }
    const skipped = new SkippedText()
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
    this.#rows = new SheetRows()
    this.#tables = new TableBlocks({ areBlanksWritten: false, numbers: 'native' })
  }

  *#closeSheet(): Iterable<Block> {
    yield* this.#withHeading(this.#tables.end())
    yield* this.#rows.listComments()
  }

  *#withHeading(blocks: Iterable<Block>): Iterable<Block> {
    for (const block of blocks) {
      if (this.#name) yield { kind: 'heading', level: 1, text: this.#name }
      this.#name = ''
      yield block
    }
  }

  *#readPart(part: XmlElement): Iterable<Block> {
    const objects = [...findDescendants(part, 'object', 'object-ole')].length
    this.#skipped.add('embedded objects', objects)
    if (part.name === 'tracked-changes') this.#skipped.add('deleted texts', countDeletions(part))
    if (part.name === 'shapes') yield* readOdtBlocks(part, new OdtStyles())
    if (part.name !== 'table-row') return
    for (const { cells, native } of this.#rows.read(part)) yield* this.#tables.add(cells, native)
    for (const box of findDescendants(part, 'text-box')) yield* readOdtBlocks(box, new OdtStyles())
  }
}

/** Counts deleted rows, columns and sheets, and cells whose former content is kept. */
function countDeletions(changes: XmlElement): number {
  return [...findDescendants(changes, 'deletion', 'previous')].length
}
