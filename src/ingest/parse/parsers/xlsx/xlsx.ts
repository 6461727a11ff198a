import {
  type LocalizableMessage,
  localizable,
  withMessage,
} from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { hasWords, SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { formatLetters } from '../office/list-numbers.ts'
import { isEmbeddedObject, OoxmlPackage } from '../office/ooxml.ts'
import { findRelationId, parseXmlEvents, type XmlAttributes, type XmlEvent } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  readElementText,
  type XmlElement,
  XmlTrees,
} from '../office/xml-tree.ts'
import { TableBlocks } from '../table-blocks.ts'
import { CellLinks } from './cell-links.ts'
import { MergedCells, parseCellReference } from './cells.ts'
import {
  ASIDES,
  countAside,
  countForeignData,
  countRelated,
  readComments,
  readDrawings,
} from './drawings.ts'
import { readRichText, readSharedStrings, SharedStrings } from './strings.ts'
import { CellStyles } from './styles.ts'

/** Few, so that a warning can be read. */
const MAX_NAMES = 20

const LINK_FORMULA = /^HYPERLINK\("([^"]+)"/i

/** A text, or an array that begins with one. */
const TEXT_FORMULA = /^=?\{?"/

const WORKBOOK = 'xl/workbook.xml'

export const xlsxParser: Parser = {
  id: 'xlsx@13',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  parse: parseXlsx,
}

async function* parseXlsx(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  const pack = await OoxmlPackage.open(input, signal)
  try {
    const workbook = await readWorkbook(pack, input.name)
    const skipped = new SkippedText()
    yield* pack.emitMetadata(skipped)
    yield* warnOfHiddenSheets(workbook.sheets)
    yield* warnOfMissingSheets(workbook, input.name)
    skipped.add('named texts', workbook.namedTexts)
    const shared = await readShared(pack, workbook, skipped)
    yield* warnOfUnusedFormats(shared.styles.unused)
    await countForeignData(pack, workbook.part, shared.skipped)
    yield* toBlockEvents(readWorkbookBlocks(pack, workbook, shared), input.name, signal)
    yield* warnOfLostCells(shared.lost.cells)
    yield* warnOfMissingValues(shared.unvalued)
    yield* warnOfCutCells(shared.strings.cut)
    yield* shared.skipped.listWarnings()
  } finally {
    pack.close()
  }
}

export function* warnOfHiddenSheets(
  sheets: readonly Pick<Sheet, 'name' | 'isHidden'>[],
): Iterable<ParserEvent> {
  const names = sheets.filter(sheet => sheet.isHidden).map(sheet => sheet.name)
  if (names.length === 0) return
  const message = localizable`Hidden in the workbook, but read: ${names.join(', ')}.`
  yield { type: 'warning', warning: withMessage({ code: 'hidden_sheets' }, message) }
}

/** Throws `corrupt` if no sheet is left. */
function* warnOfMissingSheets({ sheets, missing }: Workbook, name: string): Iterable<ParserEvent> {
  if (missing.length === 0) return
  const names = missing.slice(0, MAX_NAMES).join(', ')
  if (sheets.length === 0)
    throw createDamagedError(name, localizable`its sheets are not in it (${names})`)
  yield buildMissingPartsWarning(
    localizable`Sheets that the workbook lists are not in it: ${names}.`,
  )
}

export function* warnOfLostCells(cells: number): Iterable<ParserEvent> {
  if (cells === 0) return
  yield buildMissingPartsWarning(
    cells === 1
      ? localizable`The text of ${cells} cell is not in the workbook: its list of texts is missing or cut off.`
      : localizable`The text of ${cells} cells is not in the workbook: its list of texts is missing or cut off.`,
  )
}

/** Some programs write formulas without computing them. */
function* warnOfMissingValues({ count, cells }: Unvalued): Iterable<ParserEvent> {
  if (count === 0) return
  const names = `${cells.join(', ')}${count > cells.length ? ', …' : ''}`
  const subject = count === 1 ? '1 formula has' : `${count} formulas have`
  const message = localizable`${subject} no stored value: ${names}. Open the workbook in Excel or LibreOffice, save it, and add it again.`
  yield { type: 'warning', warning: withMessage({ code: 'missing_values' }, message) }
}

function* warnOfUnusedFormats(count: number): Iterable<ParserEvent> {
  if (count === 0) return
  const message =
    count === 1
      ? localizable`${count} number format is longer than Excel allows: numbers are written without them.`
      : localizable`${count} number formats are longer than Excel allows: numbers are written without them.`
  yield { type: 'warning', warning: withMessage({ code: 'bad_format' }, message) }
}

export function* warnOfCutCells(count: number): Iterable<ParserEvent> {
  if (count === 0) return
  const message =
    count === 1
      ? localizable`${count} cell repeats a long text: it is given in full once, and only its beginning there.`
      : localizable`${count} cells repeat a long text: it is given in full once, and only its beginning there.`
  yield { type: 'warning', warning: withMessage({ code: 'repeated_text' }, message) }
}

function buildMissingPartsWarning(message: LocalizableMessage): ParserEvent {
  return { type: 'warning', warning: withMessage({ code: 'missing_parts' }, message) }
}

type Shared = {
  readonly strings: SharedStrings
  readonly styles: CellStyles
  readonly lost: { cells: number }
  readonly unvalued: Unvalued
  readonly skipped: SkippedText
}

type Unvalued = { count: number; readonly cells: string[] }

async function readShared(
  pack: OoxmlPackage,
  workbook: Workbook,
  skipped: SkippedText,
): Promise<Shared> {
  const findPart = async (type: string) =>
    (await pack.findRelations(workbook.part, type))[0]?.target
  const strings = new SharedStrings(
    await readSharedStrings(pack, await findPart('sharedStrings'), skipped),
  )
  const styles = await CellStyles.read(pack, await findPart('styles'), workbook.is1904)
  return {
    strings,
    styles,
    lost: { cells: 0 },
    unvalued: { count: 0, cells: [] },
    skipped,
  }
}

async function* readWorkbookBlocks(
  pack: OoxmlPackage,
  workbook: Workbook,
  shared: Shared,
): AsyncGenerator<Block> {
  for (const sheet of workbook.sheets) {
    let isEmpty = true
    for await (const block of readSheet(pack, sheet, shared)) {
      if (isEmpty && sheet.name.trim()) yield { kind: 'heading', level: 1, text: sheet.name.trim() }
      isEmpty = false
      yield block
    }
  }
}

async function* readSheet(
  pack: OoxmlPackage,
  { name, part, isChart }: Sheet,
  shared: Shared,
): AsyncGenerator<Block> {
  if (!isChart) yield* readCells(pack, { name, part }, shared)
  else
    for (const aside of findChildren(await pack.readTree(part))) countAside(aside, shared.skipped)
  yield* readDrawings(pack, part)
  const relations = [...(await pack.readRelations(part)).values()]
  shared.skipped.add('embedded objects', relations.filter(isEmbeddedObject).length)
  await countRelated(pack, part, shared.skipped)
}

async function* readCells(
  pack: OoxmlPackage,
  { name, part }: Pick<Sheet, 'name' | 'part'>,
  shared: Shared,
): AsyncGenerator<Block> {
  const merges = await MergedCells.find(pack.stream(part)!.bytes)
  const links = await CellLinks.find(pack.stream(part)!.bytes, await pack.readRelations(part))
  const rows = new SheetRows({ ...shared, merges, links, sheet: name })
  const asides = new XmlTrees(element => ASIDES.has(element))
  const tables = new TableBlocks({ areBlanksWritten: false, numbers: 'native' })
  for await (const events of parseXmlEvents(pack.stream(part)!)) {
    for (const event of events) {
      for (const row of rows.add(event)) yield* tables.add(row.cells, row.native, row.targets)
      countAside(asides.add(event), shared.skipped)
    }
  }
  yield* tables.end()
  yield* readComments(pack, part)
}

type Sheet = {
  readonly name: string
  readonly part: string
  readonly isHidden: boolean
  readonly isChart: boolean
}

type Workbook = {
  readonly part: string
  readonly sheets: readonly Sheet[]
  readonly missing: readonly string[]
  readonly namedTexts: number
  /** Days are counted from 1904. */
  readonly is1904: boolean
}

async function readWorkbook(pack: OoxmlPackage, name: string): Promise<Workbook> {
  if (pack.has('xl/workbook.bin')) {
    throw new AppError(
      'unsupported_format',
      localizable`${name} is a binary workbook. Save it as .xlsx and add it again.`,
    )
  }
  const part = await pack.findMainPart(WORKBOOK)
  const tree = await pack.readTree(part)
  const relations = await pack.readRelations(part)
  const missing: string[] = []
  const sheets = findChildren(findChild(tree, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const relation = relations.get(findRelationId(attributes) ?? '')
    const isThere = relation !== undefined && pack.has(relation.target)
    if (!isThere) missing.push(attributes.name ?? '')
    if (!isThere || !/^(?:work|chart|dialog)sheet$/.test(relation.type)) return []
    return [
      {
        name: attributes.name ?? '',
        part: relation.target,
        isChart: relation.type !== 'worksheet',
        isHidden: /hidden/i.test(attributes.state ?? ''),
      },
    ]
  })
  if (tree?.name !== 'workbook')
    throw createDamagedError(name, localizable`${part} is not a workbook`)
  return {
    part,
    sheets,
    missing,
    namedTexts: findChildren(findChild(tree, 'definedNames'), 'definedName').filter(isText).length,
    is1904: /^(1|true)$/.test(findChild(tree, 'workbookPr')?.attributes.date1904 ?? ''),
  }
}

function isText(name: XmlElement): boolean {
  const formula = readElementText(name).trim()
  return TEXT_FORMULA.test(formula) && hasWords(formula)
}

type SheetContext = Shared & {
  readonly merges: MergedCells
  readonly links: CellLinks
  readonly sheet: string
}

/** `native`: columns with stored numbers. */
type SheetRow = {
  readonly cells: readonly string[]
  readonly native: ReadonlySet<number>
  readonly targets: readonly string[]
}

/** Any number of missing rows becomes one blank row. */
class SheetRows {
  readonly #context: SheetContext
  readonly #cells = new XmlTrees(name => name === 'c')
  #row: string[] = []
  #native = new Set<number>()
  #targets: string[] = []
  #rowNumber = -1
  #hasOwnText = false
  #isBehindGap = false

  constructor(context: SheetContext) {
    this.#context = context
  }

  add(event: XmlEvent): readonly SheetRow[] {
    const cell = this.#cells.add(event)
    if (cell) this.#addCell(cell)
    if (event.type === 'open' && event.name === 'row') this.#openRow(event.attributes)
    return event.type === 'close' && event.name === 'row' ? this.#closeRow() : []
  }

  #openRow(attributes: XmlAttributes): void {
    const stated = Number(attributes.r) - 1
    const rowNumber = stated > this.#rowNumber ? stated : this.#rowNumber + 1
    this.#isBehindGap ||= rowNumber > this.#rowNumber + 1
    this.#rowNumber = rowNumber
    this.#row = []
    this.#native = new Set()
    this.#targets = []
    this.#hasOwnText = false
  }

  #addCell(cell: XmlElement): void {
    const column = parseCellReference(cell.attributes.r)?.column ?? this.#row.length
    const text = this.#readText(cell)
    if (text === '') {
      this.#noteMissingValue(cell, column)
      return
    }
    for (let blank = this.#row.length; blank < column; blank++) this.#row.push('')
    this.#row[column] = text
    const target = LINK_FORMULA.exec(readElementText(findChild(cell, 'f')))?.[1]
    if (target) this.#targets.push(target)
    if (cell.attributes.t === undefined || cell.attributes.t === 'n') this.#native.add(column)
    this.#hasOwnText = true
  }

  /** A text may be empty; any other formula has a value. */
  #noteMissingValue(cell: XmlElement, column: number): void {
    if (cell.attributes.t === 'str' || !findChild(cell, 'f')) return
    const { unvalued, sheet } = this.#context
    unvalued.count++
    if (unvalued.cells.length < MAX_NAMES)
      unvalued.cells.push(
        `${sheet}!${formatLetters(column + 1).toUpperCase()}${this.#rowNumber + 1}`,
      )
  }

  #closeRow(): readonly SheetRow[] {
    this.#context.merges.fill(this.#rowNumber, this.#row)
    if (!this.#hasOwnText) {
      this.#isBehindGap ||= this.#row.length === 0
      return []
    }
    const targets = [...this.#targets, ...this.#context.links.list(this.#rowNumber)]
    const row = { cells: this.#row, native: this.#native, targets }
    const gap = { cells: [], native: new Set<number>(), targets: [] }
    const rows = this.#isBehindGap ? [gap, row] : [row]
    this.#isBehindGap = false
    return rows
  }

  #readText(cell: XmlElement): string {
    const written = readElementText(
      cell.children.find(child => typeof child !== 'string' && child.name === 'v') as XmlElement,
    )
    switch (cell.attributes.t) {
      case 's':
        return written === '' ? '' : this.#getSharedText(Number(written))
      case 'inlineStr':
        return readRichText(cell)
      case 'b':
        return written === '' ? '' : written === '1' ? 'TRUE' : 'FALSE'
      case 'str':
      case 'e':
        return written
      case 'd':
        return written.replace(/T00:00:00(\.0+)?Z?$/, '')
      default:
        return this.#number(written, cell.attributes.s)
    }
  }

  #getSharedText(number: number): string {
    const text = this.#context.strings.take(number)
    if (text === undefined) this.#context.lost.cells++
    return text ?? ''
  }

  #number(written: string, style: string | undefined): string {
    const value = Number(written)
    return written === '' || Number.isNaN(value)
      ? written
      : this.#context.styles.format(Number(style ?? 0))(value)
  }
}
