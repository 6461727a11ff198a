import { type Block, nestedText, repeatCell } from '../../../block.ts'
import { beforeItem, listNumber, type Numbering } from '../office/list-numbers.ts'
import { numberFormat } from '../office/number-format.ts'
import type { OoxmlPackage, Relation } from '../office/ooxml.ts'
import { attribute, relationId } from '../office/xml.ts'
import { at, descendants, elements, textOf, type XmlElement } from '../office/xml-tree.ts'
import { type Elevation, elevated } from '../raised-text.ts'
import { tableOf } from '../table-blocks.ts'

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
export function slideTitle({ tree }: SlidePart): string | undefined {
  const shapes = shapesOf(at(tree, 'cSld', 'spTree'))
  return shapes
    .filter(isTitle)
    .map(shape => drawingLine(at(shape, 'txBody')))
    .find(Boolean)
}

/** Everything else on a slide, in the order of its shapes: text, tables, charts and diagrams, also in groups. */
export async function* slideBody(part: SlidePart): AsyncGenerator<Block> {
  for (const shape of shapesOf(at(part.tree, 'cSld', 'spTree'))) {
    if (isTitle(shape) || FURNITURE.has(placeholder(shape) ?? '')) continue
    if (shape.name === 'graphicFrame') yield* frameBlocks(part, shape)
    else yield* drawingParagraphs(at(shape, 'txBody'))
  }
}

/** The speaker's notes on a notes page. */
export function* notesBlocks(tree: XmlElement): Iterable<Block> {
  for (const shape of shapesOf(at(tree, 'cSld', 'spTree'))) {
    if (!FURNITURE.has(placeholder(shape) ?? '')) yield* drawingParagraphs(at(shape, 'txBody'))
  }
}

/** The parts that hold the pictures of a slide, in the order of its shapes, each once. */
export function slidePictures({ tree, relations }: SlidePart): readonly string[] {
  const blips = [...descendants(tree, 'pic')].flatMap(picture => [...descendants(picture, 'blip')])
  const parts = blips.map(
    ({ attributes }) => relations.get(relationId(attributes, 'embed') ?? '')?.target,
  )
  return [...new Set(parts.filter(part => part !== undefined))]
}

export function countPictures({ tree }: SlidePart): number {
  return [...descendants(tree, 'pic')].length
}

/** Shapes in order, groups opened; of alternatives the newer one, unless it holds nothing we read. */
function shapesOf(tree: XmlElement | undefined): readonly XmlElement[] {
  return elements(tree).flatMap(child => {
    if (child.name === 'grpSp') return shapesOf(child)
    if (child.name !== 'AlternateContent') return child
    const choice = shapesOf(at(child, 'Choice'))
    return choice.length > 0 ? choice : shapesOf(at(child, 'Fallback'))
  })
}

function isTitle(shape: XmlElement): boolean {
  return TITLES.has(placeholder(shape) ?? '')
}

function placeholder(shape: XmlElement): string | undefined {
  const place = at(shape, 'nvSpPr', 'nvPr', 'ph')
  return place && (place.attributes.type ?? 'obj')
}

async function* frameBlocks(
  { pack, relations }: SlidePart,
  frame: XmlElement,
): AsyncGenerator<Block> {
  const content = at(frame, 'graphic', 'graphicData')
  for (const table of elements(content, 'tbl')) {
    const rows = slideTable(table)
    if (rows.some(row => row.some(Boolean))) yield tableOf(rows)
  }
  for (const chart of elements(content, 'chart')) {
    const space = await pack.tree(relations.get(relationId(chart.attributes) ?? '')?.target)
    if (space) yield* chartBlocks(space)
  }
  for (const diagram of elements(content, 'relIds')) {
    yield* diagramBlocks(
      await pack.tree(relations.get(relationId(diagram.attributes, 'dm') ?? '')?.target),
    )
  }
}

/** SmartArt: the text of each of its points. */
function* diagramBlocks(model: XmlElement | undefined): Iterable<Block> {
  for (const point of elements(at(model, 'ptLst'), 'pt')) {
    const text = drawingLine(at(point, 't'))
    if (text && !/^(pres|parTrans|sibTrans)$/.test(point.attributes.type ?? ''))
      yield { kind: 'list', text }
  }
}

/** Reads a chart of an Office file: its title, and its numbers as a table with the series as columns. */
function* chartBlocks(space: XmlElement): Iterable<Block> {
  const chart = at(space, 'chart')
  const title = drawingText(at(chart, 'title'))
  if (title) yield { kind: 'caption', text: title }
  const axes = [...descendants(at(chart, 'plotArea'), 'title')].map(drawingText).filter(Boolean)
  const series = [...descendants(at(chart, 'plotArea'), 'ser')]
  const table = series.length > 0 ? dataOf(series) : undefined
  if (table && table.length > 1) yield { ...tableOf(table), numbers: 'native' }
  if (axes.length > 0) yield { kind: 'caption', text: axes.join(' / ') }
}

/** The text of a shape or title on one line. */
function drawingText(element: XmlElement | undefined): string {
  return [...descendants(element, 'p')]
    .map(paragraph => [...descendants(paragraph, 't')].map(textOf).join(''))
    .join(' ')
    .trim()
}

function dataOf(series: readonly XmlElement[]): readonly (readonly string[])[] {
  const names = series.map(one => points(at(one, 'tx')).get(0) ?? textOf(at(one, 'tx', 'v')).trim())
  const categories = points(elements(series[0], 'cat', 'xVal')[0])
  const values = series.map(one => points(elements(one, 'val', 'yVal')[0]))
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
function points(reference: XmlElement | undefined): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const cache of descendants(reference, 'strCache', 'numCache', 'strLit', 'numLit', 'lvl')) {
    const format = numberFormat(textOf(at(cache, 'formatCode')) || 'General')
    for (const point of elements(cache, 'pt')) {
      const index = Number(attribute(point.attributes, 'idx'))
      const written = textOf(at(point, 'v')).trim()
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
function slideTable(table: XmlElement): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (const row of elements(table, 'tr')) {
    const above = rows.at(-1) ?? []
    const cells: string[] = []
    for (const [column, cell] of elements(row, 'tc').entries())
      cells.push(cellText(cell, { left: cells.at(-1), above: above[column] }))
    rows.push(cells)
  }
  return rows
}

/** Every cell of the grid is there; those hidden under a merged one say so. */
function cellText(
  cell: XmlElement,
  { left, above }: { left?: string | undefined; above?: string | undefined },
): string {
  if (isTrue(cell.attributes.hMerge)) return repeatCell(left ?? '')
  if (isTrue(cell.attributes.vMerge)) return repeatCell(above ?? '')
  return drawingLine(at(cell, 'txBody'))
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

/** The paragraphs of a shape's text, in DrawingML: list items where they have a bullet or a number, or are set in under another. */
function* drawingParagraphs(body: XmlElement | undefined): Iterable<Block> {
  const numbers: number[] = []
  for (const paragraph of elements(body, 'p')) {
    const text = paragraphText(paragraph)
    if (text === '') continue
    const properties = at(paragraph, 'pPr')
    const level = Math.min(8, Number(properties?.attributes.lvl) || 0)
    const number = nextNumber(numbers, level, at(properties, 'buAutoNum'))
    const isItem = level > 0 || number !== '' || at(properties, 'buChar') !== undefined
    yield isItem
      ? { kind: 'list', text: nestedText(number + text, level) }
      : { kind: 'paragraph', text }
  }
}

/** The number of a paragraph that has one; `numbers` holds the last of each level and forgets those of deeper ones. */
function nextNumber(numbers: number[], level: number, numbering: XmlElement | undefined): string {
  numbers.length = Math.min(numbers.length, level + (numbering ? 1 : 0))
  if (!numbering) return ''
  const last = numbers[level]
  const number = last === undefined ? Number(numbering.attributes.startAt) || 1 : last + 1
  numbers[level] = number
  const { type = '' } = numbering.attributes
  const shown = listNumber(number, COUNTED_BY.find(([name]) => type.startsWith(name))?.[1] ?? '1')
  if (type.endsWith('Plain')) return beforeItem(shown)
  if (type.endsWith('ParenBoth')) return beforeItem(`(${shown})`)
  return beforeItem(`${shown}${type.endsWith('ParenR') ? ')' : '.'}`)
}

/** All the text of a shape on one line. */
function drawingLine(body: XmlElement | undefined): string {
  return elements(body, 'p').map(paragraphText).join(' ').replace(/\s+/g, ' ').trim()
}

/** Runs and fields joined; line breaks and vertical tabs are line breaks. */
function paragraphText(paragraph: XmlElement): string {
  return elements(paragraph, 'r', 'fld', 'br', 'm', 'oMathPara', 'AlternateContent')
    .map(run => {
      if (run.name === 'br') return '\n'
      return run.name === 'r' || run.name === 'fld'
        ? elevated(textOf(at(run, 't')), elevationOf(run))
        : mathText(run)
    })
    .join('')
    .replaceAll('\v', '\n')
    .trim()
}

/** `baseline` is in thousandths of a per cent of the font's size. */
function elevationOf(run: XmlElement): Elevation | undefined {
  const baseline = Number(at(run, 'rPr')?.attributes.baseline) || 0
  return baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : undefined
}

/** Formulas: the text of what is shown, not of the picture that stands in for it elsewhere. */
function mathText(element: XmlElement): string {
  if (element.name === 'Fallback') return ''
  if (element.name === 't') return textOf(element)
  return elements(element).map(mathText).join('')
}
