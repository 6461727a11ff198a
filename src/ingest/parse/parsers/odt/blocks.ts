import { type Block, indentNestedText, repeatCell } from '../../../block.ts'
import { findAttribute } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'
import { toElevatedText } from '../raised-text.ts'
import { buildTableBlock } from '../table-blocks.ts'
import type { OdtStyles } from './styles.ts'

const SHAPES = [
  ...['frame', 'custom-shape', 'text-box', 'g', 'control', 'rect', 'ellipse', 'circle', 'line'],
  ...['polyline', 'polygon', 'regular-polygon', 'path', 'connector', 'caption', 'measure'],
]
const ASIDE = new Set(['note', 'annotation', ...SHAPES])
/** Protects against cells repeated to format an empty page. */
const MAX_REPEATED = 100
const MAX_CELLS = 500_000

/** Not part of the text, or repeats it. */
const LEFT_OUT = new Set(['note-citation', 'ruby-text', 'tracked-changes', 'object', 'object-ole'])
/** Elements of a shape or a table. In a line, `title` is a field. */
const ALTERNATIVES = new Set(['title', 'desc'])

type List = { readonly style: string | undefined; readonly level: number }

type ItemStart = { readonly marker: string; readonly depth: number }

export function* readOdtBlocks(
  element: XmlElement,
  styles: OdtStyles,
  item?: ItemStart,
): Iterable<Block> {
  if (element.name === 'list') yield* listBlocks(element, styles)
  else if (element.name === 'table') yield* readTable(element, styles)
  else if (element.name === 'p' || element.name === 'h') yield* readParagraph(element, styles, item)
  else if (element.name === 'annotation') yield* readComment(element, styles)
  else
    for (const child of findChildren(element))
      if (!LEFT_OUT.has(child.name) && !ALTERNATIVES.has(child.name))
        yield* readOdtBlocks(child, styles)
}

export function* readOdfShapes(row: XmlElement, styles: OdtStyles): Iterable<Block> {
  for (const shape of findDescendants(row, ...SHAPES)) yield* readOdtBlocks(shape, styles)
}

export function isOdfShape(name: string): boolean {
  return SHAPES.includes(name)
}

function* readParagraph(
  paragraph: XmlElement,
  styles: OdtStyles,
  item: ItemStart | undefined,
): Iterable<Block> {
  const asides: XmlElement[] = []
  const text = readInlineText(paragraph, { styles, asides })
    .replace(/ *\n */g, '\n')
    .trim()
  if (text) yield toBlock(paragraph, styles, { text, item })
  for (const aside of asides) yield* readOdtBlocks(aside, styles)
}

function* readComment(comment: XmlElement, styles: OdtStyles): Iterable<Block> {
  const text = findChildren(comment, 'p', 'list')
    .flatMap(child => [...readOdtBlocks(child, styles)])
    .map(block => block.text.trim())
    .join(' ')
  const author = readElementText(findChild(comment, 'creator')).trim()
  const name = author ? `Comment by ${author}` : 'Comment'
  if (text) yield { kind: 'paragraph', text: `${name}: ${text}` }
}

type Line = { readonly text: string; readonly item: ItemStart | undefined }

function toBlock(paragraph: XmlElement, styles: OdtStyles, { text, item }: Line): Block {
  const styled = styles.findHeadingLevel(findAttribute(paragraph.attributes, 'style-name'))
  const stated = Number(findAttribute(paragraph.attributes, 'outline-level')) || 1
  const level = paragraph.name === 'h' ? Math.min(6, stated) : styled
  if (level !== undefined) return { kind: 'heading', level, text: text.replace(/\s+/g, ' ') }
  return item
    ? { kind: 'list', text: indentNestedText(item.marker + text, item.depth) }
    : { kind: 'paragraph', text }
}

type Inline = { readonly styles: OdtStyles; readonly asides: XmlElement[] }

function readInlineText(element: XmlElement, { styles, asides }: Inline): string {
  const elevation =
    element.name === 'span'
      ? styles.findElevation(findAttribute(element.attributes, 'style-name'))
      : undefined
  return element.children
    .map(child => {
      if (typeof child === 'string') return toElevatedText(child.replace(/\s+/g, ' '), elevation)
      if (child.name === 's')
        return ' '.repeat(Math.min(100, Number(findAttribute(child.attributes, 'c')) || 1))
      if (child.name === 'tab') return '\t'
      if (child.name === 'line-break') return '\n'
      if (ASIDE.has(child.name)) asides.push(child)
      return ASIDE.has(child.name) || LEFT_OUT.has(child.name)
        ? ''
        : readInlineText(child, { styles, asides })
    })
    .join('')
}

function* listBlocks(element: XmlElement, styles: OdtStyles, outer?: List): Iterable<Block> {
  const style = findAttribute(element.attributes, 'style-name') ?? outer?.style
  const list: List = { style, level: (outer?.level ?? 0) + 1 }
  let number = 0
  for (const item of findChildren(element, 'list-item', 'list-header')) {
    const hasOwnText = findChildren(item, 'p', 'h').length > 0
    number = Number(findAttribute(item.attributes, 'start-value')) || number + (hasOwnText ? 1 : 0)
    const marker = item.name === 'list-item' ? styles.listMarker(list, number) : ''
    yield* readItem(item, styles, { list, marker })
  }
}

type Item = { readonly list: List; readonly marker: string }

function* readItem(item: XmlElement, styles: OdtStyles, { list, marker }: Item): Iterable<Block> {
  let start = { marker, depth: list.level - 1 }
  for (const child of findChildren(item)) {
    if (child.name === 'list') yield* listBlocks(child, styles, list)
    else {
      yield* readOdtBlocks(child, styles, start)
      start = { marker: '', depth: list.level }
    }
  }
}

/** A table of one column only arranges its content. */
function* readTable(table: XmlElement, styles: OdtStyles): Iterable<Block> {
  const rows = readOdtRows(table, cell =>
    [...readOdtBlocks(cell, styles)]
      .map(block => block.text)
      .join(' ')
      .replace(/\s+/g, ' '),
  )
  if (rows.some(row => row.length > 1)) yield buildTableBlock(rows)
  else for (const cell of findDescendants(table, 'table-cell')) yield* readOdtBlocks(cell, styles)
}

function readOdtRows(
  table: XmlElement,
  textOf: (cell: XmlElement) => string,
): readonly (readonly string[])[] {
  const rows = listRows(table)
  const grid: string[][] = rows.map(() => [])
  let cells = 0
  for (const [y, row] of rows.entries()) {
    let column = 0
    for (const cell of findChildren(row, 'table-cell', 'covered-table-cell')) {
      const repeated = readCount(cell, 'number-columns-repeated')
      const isOwn = cell.name === 'table-cell'
      const width = isOwn ? Math.max(repeated, readCount(cell, 'number-columns-spanned')) : repeated
      const height = isOwn && cells < MAX_CELLS ? readCount(cell, 'number-rows-spanned') : 1
      fill(grid.slice(y, y + height), { column, width, text: isOwn ? textOf(cell) : '' })
      cells += width * height
      column += repeated
    }
  }
  return grid.map(row => Array.from(row, cell => cell ?? '')).filter(row => row.some(Boolean))
}

function fill(
  rows: readonly string[][],
  { column, width, text }: { column: number; width: number; text: string },
): void {
  const copy = repeatCell(text)
  for (const [y, row] of rows.entries()) {
    for (let x = column; x < column + width; x++) row[x] ??= y === 0 && x === column ? text : copy
  }
}

function listRows(table: XmlElement): readonly XmlElement[] {
  return findChildren(
    table,
    'table-row',
    'table-header-rows',
    'table-rows',
    'table-row-group',
  ).flatMap(child => (child.name === 'table-row' ? child : listRows(child)))
}

function readCount(cell: XmlElement, name: string): number {
  return Math.min(MAX_REPEATED, Math.max(1, Number(findAttribute(cell.attributes, name)) || 1))
}
