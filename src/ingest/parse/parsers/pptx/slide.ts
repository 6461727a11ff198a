import { type Block, repeatCell } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { readChart, readDiagram } from '../office/charts.ts'
import {
  countAlternatives,
  readDrawingLine,
  readLinks,
  readParagraphs,
} from '../office/drawing-text.ts'
import type { OoxmlPackage, Relation } from '../office/ooxml.ts'
import { findRelationId } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { orderByPlace, type ShapeBox } from './reading-order.ts'

const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])

export type SlidePart = {
  readonly pack: OoxmlPackage
  readonly tree: XmlElement
  readonly relations: ReadonlyMap<string, Relation>
  readonly patterns: readonly XmlElement[]
  readonly skipped: SkippedText
}

export function readSlideTitle({ tree }: SlidePart): string | undefined {
  return listFlatShapes(tree)
    .filter(isTitle)
    .map(shape => readDrawingLine(findChild(shape, 'txBody')))
    .find(Boolean)
}

export async function* readSlideBody(part: SlidePart): AsyncGenerator<Block> {
  for (const shape of listOrdered(findChild(part.tree, 'cSld', 'spTree'), part.patterns)) {
    if (shape.name === 'graphicFrame') yield* readFrame(part, shape)
    else yield* readShape(part, shape)
  }
}

/** Adds the target of the complete shape to its first block. */
function* readShape({ relations }: SlidePart, shape: XmlElement): Iterable<Block> {
  const [first, ...others] = readParagraphs(findChild(shape, 'txBody'), relations)
  const own = findChild(shape, 'nvSpPr', 'cNvPr')
  const { links = [] } = own ? readLinks(own, '', relations) : {}
  if (first)
    yield links.length > 0 ? { ...first, links: [...links, ...(first.links ?? [])] } : first
  yield* others
}

export function readTitleLinks({ tree, relations }: SlidePart): Pick<Block, 'links'> {
  const title = listFlatShapes(tree).find(isTitle)
  return title ? readLinks(title, '', relations) : {}
}

export function listFurnitureTexts({ tree, patterns }: SlidePart): readonly string[] {
  const own = listFlatShapes(tree).filter(shape =>
    /^(?:ftr|hdr)$/.test(findPlaceholder(shape) ?? ''),
  )
  const patterned = patterns
    .flatMap(listFlatShapes)
    .filter(shape => shape.name === 'sp' && findPlaceholder(shape) === undefined)
  return [...own, ...patterned]
    .map(shape => readDrawingLine(findChild(shape, 'txBody')))
    .filter(Boolean)
}

function listFlatShapes(tree: XmlElement): readonly XmlElement[] {
  return listShapes(findChild(tree, 'cSld', 'spTree')).flatMap(shape =>
    shape.name === 'grpSp' ? listFlatGroup(shape) : [shape],
  )
}

function listFlatGroup(group: XmlElement): readonly XmlElement[] {
  return listShapes(group).flatMap(shape =>
    shape.name === 'grpSp' ? listFlatGroup(shape) : [shape],
  )
}

function listOrdered(
  tree: XmlElement | undefined,
  patterns: readonly XmlElement[],
): readonly XmlElement[] {
  const placed = listShapes(tree)
    .map(shape => ({
      box: findBox(shape, patterns),
      shapes: shape.name === 'grpSp' ? listOrdered(shape, patterns) : [shape].filter(isRead),
    }))
    .filter(({ shapes }) => shapes.length > 0)
  return orderByPlace(placed).flatMap(({ shapes }) => shapes)
}

function isRead(shape: XmlElement): boolean {
  if (isTitle(shape) || FURNITURE.has(findPlaceholder(shape) ?? '')) return false
  return shape.name === 'graphicFrame' || readDrawingLine(findChild(shape, 'txBody')) !== ''
}

function findBox(shape: XmlElement, patterns: readonly XmlElement[]): ShapeBox | undefined {
  const own = readBox(shape)
  const placeholder = findChild(shape, 'nvSpPr', 'nvPr', 'ph')
  if (own || !placeholder) return own
  const { idx, type } = placeholder.attributes
  for (const pattern of patterns) {
    const places = listFlatShapes(pattern)
    const match = places.find(place => {
      const other = findChild(place, 'nvSpPr', 'nvPr', 'ph')?.attributes
      return other && (idx === undefined ? other.type === type : other.idx === idx)
    })
    const box = match && readBox(match)
    if (box) return box
  }
  return undefined
}

function readBox(shape: XmlElement): ShapeBox | undefined {
  const frame = findChildren(shape, 'spPr', 'grpSpPr').map(part => findChild(part, 'xfrm'))[0]
  const transform = frame ?? findChild(shape, 'xfrm')
  const offset = findChild(transform, 'off')?.attributes
  const extent = findChild(transform, 'ext')?.attributes
  if (!offset || !extent) return undefined
  const box = {
    x: Number(offset.x),
    y: Number(offset.y),
    width: Number(extent.cx),
    height: Number(extent.cy),
  }
  return Object.values(box).every(Number.isFinite) ? box : undefined
}

export function findSlidePictures({ tree, relations }: SlidePart): readonly string[] {
  const blips = [...findDescendants(tree, 'pic')].flatMap(picture => [
    ...findDescendants(picture, 'blip'),
  ])
  const parts = blips.map(
    ({ attributes }) => relations.get(findRelationId(attributes, 'embed') ?? '')?.target,
  )
  return [...new Set(parts.filter(part => part !== undefined))]
}

export function countUnread({ tree, relations, skipped }: SlidePart): void {
  const media = [...relations.values()].filter(({ type }) => /^(?:audio|video)$/.test(type))
  skipped.add('recordings', new Set(media.map(({ target }) => target)).size)
  skipped.add('text alternatives', countAlternatives(tree))
  const dates = listFlatShapes(tree).filter(shape => findPlaceholder(shape) === 'dt')
  // a date that is computed is no text of the presentation
  skipped.add('footers', dates.filter(date => [...findDescendants(date, 'r')].length > 0).length)
}

export function countPictures({ tree }: SlidePart): number {
  return [...findDescendants(tree, 'pic')].length
}

/** Prefers the newer of two alternatives unless it contains nothing to read. */
function listShapes(tree: XmlElement | undefined): readonly XmlElement[] {
  return findChildren(tree).flatMap(child => {
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
  { pack, relations, skipped }: SlidePart,
  frame: XmlElement,
): AsyncGenerator<Block> {
  const content = findChild(frame, 'graphic', 'graphicData')
  for (const table of findChildren(content, 'tbl')) {
    const rows = readSlideTable(table)
    if (rows.some(row => row.some(Boolean))) {
      const block = buildTableBlock(rows)
      yield { ...block, ...readLinks(table, block.text, relations) }
    }
  }
  for (const chart of findChildren(content, 'chart')) {
    const space = await pack.readTree(relations.get(findRelationId(chart.attributes) ?? '')?.target)
    yield* readChart(space, skipped)
  }
  for (const diagram of findChildren(content, 'relIds')) {
    yield* readDiagram(
      await pack.readTree(relations.get(findRelationId(diagram.attributes, 'dm') ?? '')?.target),
    )
  }
}

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

function readCellText(
  cell: XmlElement,
  { left, above }: { left?: string; above?: string },
): string {
  if (isTrue(cell.attributes.hMerge)) return repeatCell(left ?? '')
  if (isTrue(cell.attributes.vMerge)) return repeatCell(above ?? '')
  return readDrawingLine(findChild(cell, 'txBody'))
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}
