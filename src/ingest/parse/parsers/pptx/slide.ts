import { type Block, repeatCell } from '../../../block.ts'
import { readChart, readDiagram } from '../office/charts.ts'
import { readDrawingLine, readParagraphs } from '../office/drawing-text.ts'
import type { OoxmlPackage, Relation } from '../office/ooxml.ts'
import { findRelationId } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import { buildTableBlock } from '../table-blocks.ts'

/** Placeholders that say the same on every slide: date, footer, number, header. */
const FURNITURE = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])

/** A part of a presentation with what it refers to. */
export type SlidePart = {
  readonly pack: OoxmlPackage
  readonly tree: XmlElement
  readonly relations: ReadonlyMap<string, Relation>
}

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
