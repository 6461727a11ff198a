import type { Block } from '../block.ts'
import { chartBlocks } from './chart.ts'
import { drawingLine, drawingParagraphs } from './drawing-text.ts'
import type { OoxmlPackage, Relation } from './ooxml.ts'
import { slideTable } from './pptx-table.ts'
import { tableOf } from './table-blocks.ts'
import { relationId } from './xml.ts'
import { at, descendants, elements, type XmlElement } from './xml-tree.ts'

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
  const parts = blips.map(({ attributes }) => relations.get(relationId(attributes, 'embed') ?? '')?.target)
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

async function* frameBlocks({ pack, relations }: SlidePart, frame: XmlElement): AsyncGenerator<Block> {
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
    yield* diagramBlocks(await pack.tree(relations.get(relationId(diagram.attributes, 'dm') ?? '')?.target))
  }
}

/** SmartArt: the text of each of its points. */
function* diagramBlocks(model: XmlElement | undefined): Iterable<Block> {
  for (const point of elements(at(model, 'ptLst'), 'pt')) {
    const text = drawingLine(at(point, 't'))
    if (text && !/^(pres|parTrans|sibTrans)$/.test(point.attributes.type ?? '')) yield { kind: 'list', text }
  }
}
