import { type Block, repeatCell } from '../../../block.ts'
import { isOdfShape } from '../odt/blocks.ts'
import { formatLetters } from '../office/list-numbers.ts'
import { findAttribute } from '../office/xml.ts'
import { findChildren, type XmlElement } from '../office/xml-tree.ts'

/** Protects against cells repeated to format a page. */
const MAX_REPEATED = 100
/** Limit of LibreOffice. */
const MAX_COLUMNS = 16_384
/** Further digits are remains of binary arithmetic. */
const MAX_DIGITS = 15

/** `native`: columns that are numbers in the file. */
type Row = { readonly cells: readonly string[]; readonly native: ReadonlySet<number> }

type Span = { readonly column: number; readonly width: number; rows: number; readonly text: string }

export class SheetRows {
  readonly #comments: Block[] = []
  #spans: Span[] = []
  #rowNumber = 0;

  /** A row without text is blank once, however often it repeats. */
  *read(row: XmlElement): Iterable<Row> {
    const repeated = readCount(row, 'number-rows-repeated')
    const cells: string[] = []
    const native = new Set<number>()
    const covering = this.#spans
    let column = 0
    for (const cell of findChildren(row, 'table-cell', 'covered-table-cell')) {
      if (column < MAX_COLUMNS) this.#readCell(cell, { column, cells, native })
      column += readCount(cell, 'number-columns-repeated')
    }
    for (const span of covering) fillSpan(cells, span)
    this.#spans = this.#spans.filter(span => --span.rows > 0)
    this.#rowNumber += repeated
    const isBlank = cells.every(cell => cell === '')
    for (let copy = 0; copy < (isBlank ? 1 : Math.min(repeated, MAX_REPEATED)); copy++)
      yield { cells: Array.from(cells, cell => cell ?? ''), native }
  }

  listComments(): readonly Block[] {
    return this.#comments
  }

  #readCell(
    cell: XmlElement,
    {
      column,
      cells,
      native,
    }: { readonly column: number; readonly cells: string[]; readonly native: Set<number> },
  ): void {
    const place = `${formatLetters(column + 1).toUpperCase()}${this.#rowNumber + 1}`
    for (const comment of findChildren(cell, 'annotation')) {
      const text = readParagraphs(comment)
      if (text) this.#comments.push({ kind: 'paragraph', text: `${place}: ${text}` })
    }
    const { text, isNumber } = readValue(cell)
    if (text === '') return
    const repeated = Math.min(MAX_REPEATED, readCount(cell, 'number-columns-repeated'))
    const width = Math.min(MAX_REPEATED, readCount(cell, 'number-columns-spanned'))
    const rows = readCount(cell, 'number-rows-spanned')
    for (let index = column; index < column + repeated; index++) {
      cells[index] = text
      if (isNumber) native.add(index)
    }
    fillSpan(cells, { column, width, text })
    if (rows > 1) this.#spans.push({ column, width, rows, text })
  }
}

function fillSpan(cells: string[], { column, width, text }: Omit<Span, 'rows'>): void {
  for (let index = column; index < column + width; index++) cells[index] ||= repeatCell(text)
}

/** Writes numbers with a decimal point, whatever the sheet's language. */
function readValue(cell: XmlElement): { readonly text: string; readonly isNumber: boolean } {
  const displayText = readParagraphs(cell)
  const value = findAttribute(cell.attributes, 'value')
  switch (findAttribute(cell.attributes, 'value-type')) {
    case 'float':
      return { text: formatNumber(value, displayText), isNumber: true }
    case 'percentage':
      return { text: `${formatNumber(String(Number(value) * 100), displayText)}%`, isNumber: true }
    case 'currency': {
      const currency = findAttribute(cell.attributes, 'currency') ?? ''
      return { text: `${formatNumber(value, displayText)} ${currency}`.trim(), isNumber: true }
    }
    case 'date': {
      const date = findAttribute(cell.attributes, 'date-value') ?? displayText
      return { text: date.replace(/T00:00:00$/, ''), isNumber: false }
    }
    default:
      return {
        text: displayText || (findAttribute(cell.attributes, 'string-value') ?? ''),
        isNumber: false,
      }
  }
}

function formatNumber(value: string | undefined, displayText: string): string {
  const exact = Number(value)
  if (value === undefined || Number.isNaN(exact)) return displayText
  const decimals = /^-?\d+(?:\.(\d+))?$/.exec(displayText)?.[1]?.length ?? 0
  const isRounded = Math.abs(Number(displayText) - exact) <= 0.5 * 10 ** -decimals
  return isRounded && displayText !== ''
    ? displayText
    : String(Number(exact.toPrecision(MAX_DIGITS)))
}

function readParagraphs(element: XmlElement): string {
  return findChildren(element, 'p').map(readInlineText).join(' ').replace(/\s+/g, ' ').trim()
}

function readInlineText({ children }: XmlElement): string {
  return children
    .map(child => {
      if (typeof child === 'string') return child
      if (child.name === 's' || child.name === 'tab' || child.name === 'line-break') return ' '
      const isAside = /^(?:annotation|note)$/.test(child.name) || isOdfShape(child.name)
      return isAside ? '' : readInlineText(child)
    })
    .join('')
}

function readCount(element: XmlElement, name: string): number {
  return Math.max(1, Math.trunc(Number(findAttribute(element.attributes, name))) || 1)
}
