import type { Block } from '../../../block.ts'
import { type CellRegion, fillRegion, writeCells } from '../cell-grid.ts'
import { orderByPlace, type ShapeBox } from '../pptx/reading-order.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { countNumberedTexts } from './list-numbers.ts'
import { type PptRecord, type PptRecords, RECORD } from './records.ts'
import { collectTexts, type PptText } from './text.ts'

/** Shows a picture ([MS-ODRAW] 2.4.24). */
const PICTURE_FRAME = 75
/** Properties ([MS-ODRAW] 2.3), numbered by their lower 14 bits. */
const WORD_ART_TEXT = 0x00c0
const DESCRIPTION = 0x0381
const TABLE_PROPERTIES = 0x039f
const IS_COMPLEX = 0x8000
const PROPERTY_BYTES = 6
/** Groups in groups. Protects the stack; PowerPoint's own documents have some three. */
const MAX_DEPTH = 64
/** Places in a table, so that stray cells make no large table. */
const MAX_PLACES_PER_CELL = 20

/** A group has shapes. */
export type Shape = {
  readonly box: ShapeBox | undefined
  readonly text: PptText | undefined
  /** Its text in the outline of the slide. */
  readonly outline: number | undefined
  /** [MS-PPT] 2.13.22; 0 for a shape that the author drew. */
  readonly placeholder: number
  readonly isPicture: boolean
  /** Object of another program that it shows. */
  readonly object: number | undefined
  readonly wordArt: string
  /** Text that stands for it. */
  readonly description: string
  /** Counts texts that PowerPoint numbers. */
  readonly numberedTexts: number
  readonly isTable: boolean
  readonly shapes: readonly Shape[]
}

/** `page` is a slide, its notes or a pattern. */
export function readShapes(records: PptRecords, page: PptRecord): readonly Shape[] {
  const container = records.find(page, RECORD.drawing, RECORD.drawingContainer)
  const groups = records.listChildren(container, RECORD.group)
  return groups.flatMap(group => readGroup(records, group, 0).shapes)
}

function readGroup(records: PptRecords, group: PptRecord, depth: number): Shape {
  const [own, ...children] = records.listChildren(group, RECORD.shape, RECORD.group)
  const shapes = children.map(child =>
    child.type === RECORD.group && depth < MAX_DEPTH
      ? readGroup(records, child, depth + 1)
      : readShape(records, child),
  )
  const shape = own ? readShape(records, own) : NO_SHAPE
  return { ...shape, shapes }
}

const NO_SHAPE: Shape = {
  box: undefined,
  text: undefined,
  outline: undefined,
  placeholder: 0,
  isPicture: false,
  object: undefined,
  wordArt: '',
  description: '',
  numberedTexts: 0,
  isTable: false,
  shapes: [],
}

function readShape(records: PptRecords, shape: PptRecord): Shape {
  const children = records.listChildren(shape)
  const find = (type: number) => children.find(child => child.type === type)
  const content = find(RECORD.clientContent)
  const properties = [find(RECORD.shapeProperties), find(RECORD.moreProperties)].flatMap(list =>
    list ? [...listProperties(records, list)] : [],
  )
  const readProperty = (name: number) => {
    const { content } = properties.find(({ number }) => number === name) ?? {}
    return content?.toString('utf16le').replace(/\0.*$/s, '').trim() ?? ''
  }
  const texts = records.listChildren(find(RECORD.shapeText))
  const placeholder = records.find(content, RECORD.placeholder)
  const object = records.find(content, RECORD.objectReference)
  const outline = texts.find(({ type }) => type === RECORD.outlineReference)
  return {
    box: readBox(records, find(RECORD.clientAnchor) ?? find(RECORD.childAnchor)),
    text: collectTexts(records, texts)[0],
    outline: outline && records.read(outline, 4).readUInt32LE(0),
    placeholder: placeholder ? (records.read(placeholder, 5)[4] ?? 0) : 0,
    isPicture: find(RECORD.shapeFacts)?.instance === PICTURE_FRAME,
    object: object && records.read(object, 4).readUInt32LE(0),
    wordArt: readProperty(WORD_ART_TEXT),
    description: readProperty(DESCRIPTION),
    numberedTexts: countNumberedTexts(records, content),
    isTable: properties.some(
      ({ number, value }) => number === TABLE_PROPERTIES && (value & 1) === 1,
    ),
    shapes: [],
  }
}

type Property = { readonly number: number; readonly value: number; readonly content?: Buffer }

/** Long properties follow all others. */
function* listProperties(records: PptRecords, list: PptRecord): Iterable<Property> {
  const bytes = records.getContent(list)
  const count = Math.min(list.instance, Math.floor(bytes.length / PROPERTY_BYTES))
  let place = count * PROPERTY_BYTES
  for (let index = 0; index < count; index++) {
    const stated = bytes.readUInt16LE(index * PROPERTY_BYTES)
    const value = bytes.readUInt32LE(index * PROPERTY_BYTES + 2)
    const number = stated & 0x3fff
    if (stated & IS_COMPLEX) {
      yield { number, value, content: bytes.subarray(place, place + value) }
      place += value
    } else yield { number, value }
  }
}

/**
 * An anchor on the slide has the top first, in 16 or 32 bits; one in a group has the left
 * first.
 */
function readBox(records: PptRecords, anchor: PptRecord | undefined): ShapeBox | undefined {
  if (!anchor) return undefined
  const bytes = records.getContent(anchor)
  const numbers = Array.from({ length: 4 }, (_, index) => {
    if (bytes.length >= 16) return bytes.readInt32LE(index * 4)
    return bytes.length >= 8 ? bytes.readInt16LE(index * 2) : 0
  })
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers
  const [left, top, right, bottom] =
    anchor.type === RECORD.childAnchor
      ? [first, second, third, fourth]
      : [second, first, third, fourth]
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export function listOrdered(shapes: readonly Shape[]): readonly Shape[] {
  const placed = shapes
    .map(shape => ({
      box: shape.box,
      shapes: shape.isTable || shape.shapes.length === 0 ? [shape] : listOrdered(shape.shapes),
    }))
    .filter(group => group.shapes.length > 0)
  return orderByPlace(placed).flatMap(group => group.shapes)
}

/** Includes those in groups. */
export function* listFlat(shapes: readonly Shape[]): Iterable<Shape> {
  for (const shape of shapes) {
    yield shape
    yield* listFlat(shape.shapes)
  }
}

export function* readTable({ shapes }: Shape): Iterable<Block> {
  const cells = shapes.flatMap(({ box, text }) =>
    box && text ? [{ box, text: text.toLine() }] : [],
  )
  if (cells.every(({ text }) => text === '')) return
  const columns = listPlaces(cells.map(({ box }) => box.x))
  const rows = listPlaces(cells.map(({ box }) => box.y))
  const regions = cells.map(({ box, text }) => {
    const [row, column] = [findPlace(rows, box.y), findPlace(columns, box.x)]
    const height = Math.max(1, findPlace(rows, box.y + box.height) - row)
    const width = Math.max(1, findPlace(columns, box.x + box.width) - column)
    return { row, column, height, columns: width, text }
  })
  const covered = regions.reduce((sum, region) => sum + region.height * region.columns, 0)
  const places = Math.max(covered, rows.length * columns.length)
  if (places <= MAX_PLACES_PER_CELL * cells.length) {
    const grid: CellRegion[][] = rows.map(() => [])
    for (const region of regions) fillRegion(grid, region)
    yield buildTableBlock(writeCells(grid, regions))
  } else for (const { text } of cells) if (text) yield { kind: 'paragraph', text }
}

function listPlaces(starts: readonly number[]): readonly number[] {
  return [...new Set(starts)].toSorted((a, b) => a - b)
}

function findPlace(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
