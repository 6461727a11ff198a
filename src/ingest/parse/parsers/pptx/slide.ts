import { type Block, indentNestedText, repeatCell } from '../../../block.ts'
import { formatBeforeItem, formatListNumber, type Numbering } from '../office/list-numbers.ts'
import { compileNumberFormat } from '../office/number-format.ts'
import type { OoxmlPackage, Relation } from '../office/ooxml.ts'
import { findAttribute, findRelationId } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'
import { buildTableBlock } from '../table-blocks.ts'

/** Prefixes of numbering types that do not count in digits. */
const COUNTED_BY: readonly (readonly [string, Numbering])[] = [
  ['alphaLc', 'a'],
  ['alphaUc', 'A'],
  ['romanLc', 'i'],
  ['romanUc', 'I'],
  ['circleNum', '①'],
  ['ea1', '一'],
]

/** Placeholders that say the same on every slide: date, footer, number, header. */
const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])

/** A part of a presentation with what it refers to. */
export type SlidePart = {
  readonly pack: OoxmlPackage
  readonly tree: XmlElement
  readonly relations: ReadonlyMap<string, Relation>
}

/** More points than a reader can tell apart. */
const MAX_POINTS = 5_000

/** The title of a slide, on one line; undefined when it has none. */
export function readSlideTitle({ tree }: SlidePart): string | undefined {
  const shapes = listShapes(findChild(tree, 'cSld', 'spTree'))
  return shapes
    .filter(isTitle)
    .map(shape => readDrawingLine(findChild(shape, 'txBody')))
    .find(Boolean)
}

/** Everything else on a slide, in the order of its shapes: text, tables, charts and diagrams, also in groups. */
export async function* readSlideBody(part: SlidePart): AsyncGenerator<Block> {
  for (const shape of listShapes(findChild(part.tree, 'cSld', 'spTree'))) {
    if (isTitle(shape) || FURNITURE.has(findPlaceholder(shape) ?? '')) continue
    if (shape.name === 'graphicFrame') yield* readFrame(part, shape)
    else yield* readParagraphs(findChild(shape, 'txBody'))
  }
}

/** The speaker's notes on a notes page. */
export function* readNotesBlocks(tree: XmlElement): Iterable<Block> {
  for (const shape of listShapes(findChild(tree, 'cSld', 'spTree'))) {
    if (!FURNITURE.has(findPlaceholder(shape) ?? ''))
      yield* readParagraphs(findChild(shape, 'txBody'))
  }
}

/** The parts that hold the pictures of a slide, in the order of its shapes, each once. */
export function findSlidePictures({ tree, relations }: SlidePart): readonly string[] {
  const blips = [...findDescendants(tree, 'pic')].flatMap(picture => [
    ...findDescendants(picture, 'blip'),
  ])
  const parts = blips.map(
    ({ attributes }) => relations.get(findRelationId(attributes, 'embed') ?? '')?.target,
  )
  return [...new Set(parts.filter(part => part !== undefined))]
}

export function countPictures({ tree }: SlidePart): number {
  return [...findDescendants(tree, 'pic')].length
}

/** Shapes in order, groups opened; of alternatives the newer one, unless it holds nothing we read. */
function listShapes(tree: XmlElement | undefined): readonly XmlElement[] {
  return findChildren(tree).flatMap(child => {
    if (child.name === 'grpSp') return listShapes(child)
    if (child.name !== 'AlternateContent') return child
    const choice = listShapes(findChild(child, 'Choice'))
    return choice.length > 0 ? choice : listShapes(findChild(child, 'Fallback'))
  })
}

function isTitle(shape: XmlElement): boolean {
  return TITLES.has(findPlaceholder(shape) ?? '')
}

function findPlaceholder(shape: XmlElement): string | undefined {
  const place = findChild(shape, 'nvSpPr', 'nvPr', 'ph')
  return place && (place.attributes.type ?? 'obj')
}

async function* readFrame(
  { pack, relations }: SlidePart,
  frame: XmlElement,
): AsyncGenerator<Block> {
  const content = findChild(frame, 'graphic', 'graphicData')
  for (const table of findChildren(content, 'tbl')) {
    const rows = readSlideTable(table)
    if (rows.some(row => row.some(Boolean))) yield buildTableBlock(rows)
  }
  for (const chart of findChildren(content, 'chart')) {
    const space = await pack.readTree(relations.get(findRelationId(chart.attributes) ?? '')?.target)
    if (space) yield* readChart(space)
  }
  for (const diagram of findChildren(content, 'relIds')) {
    yield* readDiagram(
      await pack.readTree(relations.get(findRelationId(diagram.attributes, 'dm') ?? '')?.target),
    )
  }
}

/** SmartArt: the text of each of its points. */
function* readDiagram(model: XmlElement | undefined): Iterable<Block> {
  for (const point of findChildren(findChild(model, 'ptLst'), 'pt')) {
    const text = readDrawingLine(findChild(point, 't'))
    if (text && !/^(pres|parTrans|sibTrans)$/.test(point.attributes.type ?? ''))
      yield { kind: 'list', text }
  }
}

/** Reads a chart of an Office file: its title, and its numbers as a table with the series as columns. */
function* readChart(space: XmlElement): Iterable<Block> {
  const chart = findChild(space, 'chart')
  const title = readDrawingText(findChild(chart, 'title'))
  if (title) yield { kind: 'caption', text: title }
  const axes = [...findDescendants(findChild(chart, 'plotArea'), 'title')]
    .map(readDrawingText)
    .filter(Boolean)
  const series = [...findDescendants(findChild(chart, 'plotArea'), 'ser')]
  const table = series.length > 0 ? readSeries(series) : undefined
  if (table && table.length > 1) yield { ...buildTableBlock(table), numbers: 'native' }
  if (axes.length > 0) yield { kind: 'caption', text: axes.join(' / ') }
}

/** The text of a shape or title on one line. */
function readDrawingText(element: XmlElement | undefined): string {
  return [...findDescendants(element, 'p')]
    .map(paragraph => [...findDescendants(paragraph, 't')].map(readElementText).join(''))
    .join(' ')
    .trim()
}

function readSeries(series: readonly XmlElement[]): readonly (readonly string[])[] {
  const names = series.map(
    one =>
      readPoints(findChild(one, 'tx')).get(0) ?? readElementText(findChild(one, 'tx', 'v')).trim(),
  )
  const categories = readPoints(findChildren(series[0], 'cat', 'xVal')[0])
  const values = series.map(one => readPoints(findChildren(one, 'val', 'yVal')[0]))
  const count = Math.max(
    categories.size,
    ...values.map(column => Math.max(-1, ...column.keys()) + 1),
  )
  const rows = Array.from({ length: Math.min(count, MAX_POINTS) }, (_, index) => [
    categories.get(index) ?? '',
    ...values.map(column => column.get(index) ?? ''),
  ])
  return [['', ...names], ...rows]
}

/** The points of a reference as the file remembers them, by number, written as the chart shows them. */
function readPoints(reference: XmlElement | undefined): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const cache of findDescendants(
    reference,
    'strCache',
    'numCache',
    'strLit',
    'numLit',
    'lvl',
  )) {
    const format = compileNumberFormat(readElementText(findChild(cache, 'formatCode')) || 'General')
    for (const point of findChildren(cache, 'pt')) {
      const index = Number(findAttribute(point.attributes, 'idx'))
      const written = readElementText(findChild(point, 'v')).trim()
      const isNumber =
        cache.name.startsWith('num') && written !== '' && Number.isFinite(Number(written))
      const text = isNumber ? format(Number(written)) : written
      if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && !found.has(index))
        found.set(index, text)
    }
  }
  return found
}

/** The rows of a table on a slide, merged cells repeated. */
function readSlideTable(table: XmlElement): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (const row of findChildren(table, 'tr')) {
    const above = rows.at(-1) ?? []
    const cells: string[] = []
    for (const [column, cell] of findChildren(row, 'tc').entries())
      cells.push(readCellText(cell, { left: cells.at(-1), above: above[column] }))
    rows.push(cells)
  }
  return rows
}

/** Every cell of the grid is there; those hidden under a merged one say so. */
function readCellText(
  cell: XmlElement,
  { left, above }: { left?: string | undefined; above?: string | undefined },
): string {
  if (isTrue(cell.attributes.hMerge)) return repeatCell(left ?? '')
  if (isTrue(cell.attributes.vMerge)) return repeatCell(above ?? '')
  return readDrawingLine(findChild(cell, 'txBody'))
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

/** The paragraphs of a shape's text, in DrawingML: list items where they have a bullet or a number, or are set in under another. */
function* readParagraphs(body: XmlElement | undefined): Iterable<Block> {
  const numbers: number[] = []
  for (const paragraph of findChildren(body, 'p')) {
    const text = readParagraphText(paragraph)
    if (text === '') continue
    const properties = findChild(paragraph, 'pPr')
    const level = Math.min(8, Number(properties?.attributes.lvl) || 0)
    const number = countNumber(numbers, level, findChild(properties, 'buAutoNum'))
    const isItem = level > 0 || number !== '' || findChild(properties, 'buChar') !== undefined
    yield isItem
      ? { kind: 'list', text: indentNestedText(number + text, level) }
      : { kind: 'paragraph', text }
  }
}

/** The number of a paragraph that has one; `numbers` holds the last of each level and forgets those of deeper ones. */
function countNumber(numbers: number[], level: number, numbering: XmlElement | undefined): string {
  numbers.length = Math.min(numbers.length, level + (numbering ? 1 : 0))
  if (!numbering) return ''
  const last = numbers[level]
  const number = last === undefined ? Number(numbering.attributes.startAt) || 1 : last + 1
  numbers[level] = number
  const { type = '' } = numbering.attributes
  const shown = formatListNumber(
    number,
    COUNTED_BY.find(([name]) => type.startsWith(name))?.[1] ?? '1',
  )
  if (type.endsWith('Plain')) return formatBeforeItem(shown)
  if (type.endsWith('ParenBoth')) return formatBeforeItem(`(${shown})`)
  return formatBeforeItem(`${shown}${type.endsWith('ParenR') ? ')' : '.'}`)
}

/** All the text of a shape on one line. */
function readDrawingLine(body: XmlElement | undefined): string {
  return findChildren(body, 'p').map(readParagraphText).join(' ').replace(/\s+/g, ' ').trim()
}

/** Runs and fields joined; line breaks and vertical tabs are line breaks. */
function readParagraphText(paragraph: XmlElement): string {
  return findChildren(paragraph, 'r', 'fld', 'br', 'm', 'oMathPara', 'AlternateContent')
    .map(run => {
      if (run.name === 'br') return '\n'
      return run.name === 'r' || run.name === 'fld'
        ? toElevatedText(readElementText(findChild(run, 't')), findElevation(run))
        : readMathText(run)
    })
    .join('')
    .replaceAll('\v', '\n')
    .trim()
}

/** `baseline` is in thousandths of a per cent of the font's size. */
function findElevation(run: XmlElement): Elevation | undefined {
  const baseline = Number(findChild(run, 'rPr')?.attributes.baseline) || 0
  return baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : undefined
}

/** Formulas: the text of what is shown, not of the picture that stands in for it elsewhere. */
function readMathText(element: XmlElement): string {
  if (element.name === 'Fallback') return ''
  if (element.name === 't') return readElementText(element)
  return findChildren(element).map(readMathText).join('')
}
