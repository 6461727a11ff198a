import type { Block } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { readDrawingLine } from './drawing-text.ts'
import { compileNumberFormat } from './number-format.ts'
import { findAttribute } from './xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from './xml-tree.ts'

/** Bounded, so that raw data does not fill the index. */
const MAX_POINTS = 5_000
/** Bounded, because rows repeat them. */
const MAX_OUTER_LEVELS = 8
const MAX_REPEATED_CHARS = 100

type Points = ReadonlyMap<number, string>

type Series = { readonly name: string; readonly categories: Points; readonly values: Points }

export function* readDiagram(model: XmlElement | undefined): Iterable<Block> {
  for (const point of findChildren(findChild(model, 'ptLst'), 'pt')) {
    const text = readDrawingLine(findChild(point, 't'))
    if (text && !/^(pres|parTrans|sibTrans)$/.test(point.attributes.type ?? ''))
      yield { kind: 'list', text }
  }
}

export function* readChartTitles(space: XmlElement | undefined): Iterable<Block> {
  const titles = [...findDescendants(findChild(space, 'chart'), 'title')].map(readDrawingText)
  const names = listSeries(space).map(readName)
  for (const text of [...titles, ...names].filter(Boolean)) yield { kind: 'caption', text }
  yield* readLabels(space)
}

function* readLabels(space: XmlElement | undefined): Iterable<Block> {
  const plot = findChild(space, 'chart', 'plotArea')
  const lines = [...findDescendants(plot, 'trendline')].map(line =>
    readElementText(findChild(line, 'name')).trim(),
  )
  const labels = [...findDescendants(plot, 'dLbl')].map(readDrawingText)
  const text = [...lines, ...labels].filter(Boolean).slice(0, MAX_POINTS).join(' / ')
  if (text) yield { kind: 'caption', text }
}

/** Returns whether shapes, such as text boxes, are drawn over it. */
export function hasDrawnShapes(space: XmlElement | undefined): boolean {
  return findChild(space, 'userShapes') !== undefined
}

export function* readChart(space: XmlElement | undefined, skipped: SkippedText): Iterable<Block> {
  const blocks = space ? [...readChartBlocks(space)] : []
  const isUnread = !space || (blocks.length === 0 && listSeries(space).length > 0)
  skipped.add('charts', isUnread ? 1 : 0)
  skipped.add('text boxes', hasDrawnShapes(space) ? 1 : 0)
  yield* blocks
}

function* readChartBlocks(space: XmlElement): Iterable<Block> {
  const chart = findChild(space, 'chart')
  const title = readDrawingText(findChild(chart, 'title'))
  if (title) yield { kind: 'caption', text: title }
  const axes = [...findDescendants(findChild(chart, 'plotArea'), 'title')]
    .map(readDrawingText)
    .filter(Boolean)
  const table = buildRows(listSeries(space).map(series => readSeries(series, space)))
  if (table.length > 1) yield { ...buildTableBlock(table), numbers: 'native' }
  if (axes.length > 0) yield { kind: 'caption', text: axes.join(' / ') }
  yield* readLabels(space)
}

function readDrawingText(element: XmlElement | undefined): string {
  const own = [...findDescendants(element, 'p')]
    .map(paragraph => [...findDescendants(paragraph, 't')].map(readElementText).join(''))
    .join(' ')
    .trim()
  if (own) return own
  return [...findDescendants(findChild(element, 'tx'), 'v')].map(readElementText).join(' ').trim()
}

function listSeries(space: XmlElement | undefined): readonly XmlElement[] {
  return [...findDescendants(findChild(space, 'chart', 'plotArea'), 'ser', 'series')]
}

function readName(series: XmlElement): string {
  const name = findChild(series, 'tx')
  return (
    readPoints(name).get(0) ?? [...findDescendants(name, 'v')].map(readElementText).join('').trim()
  )
}

function readSeries(series: XmlElement, space: XmlElement): Series {
  const name = readName(series)
  if (series.name === 'ser') {
    const categories = readPoints(findChildren(series, 'cat', 'xVal')[0])
    return { name, categories, values: readPoints(findChildren(series, 'val', 'yVal')[0]) }
  }
  const id = findChild(series, 'dataId')?.attributes.val
  const data = findChildren(findChild(space, 'chartData'), 'data').find(
    ({ attributes }) => attributes.id === id,
  )
  const [values] = findChildren(data, 'numDim')
  return { name, categories: readPoints(findChild(data, 'strDim')), values: readPoints(values) }
}

function buildRows(series: readonly Series[]): readonly (readonly string[])[] {
  const [first] = series
  const columns = first ? [first.categories, ...series.map(({ values }) => values)] : []
  const count = Math.max(0, ...columns.map(countPoints))
  const rows = Array.from({ length: Math.min(count, MAX_POINTS) }, (_, index) =>
    columns.map(column => column.get(index) ?? ''),
  )
  return [['', ...series.map(({ name }) => name)], ...rows]
}

function countPoints(points: Points): number {
  return Math.max(-1, ...points.keys()) + 1
}

function readPoints(reference: XmlElement | undefined): Points {
  const names = ['strCache', 'numCache', 'strLit', 'numLit', 'lvl'] as const
  const [inner = new Map<number, string>(), ...outer] = [
    ...findDescendants(reference, ...names),
  ].map(readLevel)
  return outer.slice(0, MAX_OUTER_LEVELS).reduce(joinLevels, inner)
}

/** An outer point lasts to the next. */
function joinLevels(inner: Points, outer: Points): Points {
  const points = new Map<number, string>()
  let group = ''
  const indexes = new Set([...inner.keys(), ...outer.keys()])
  for (const index of [...indexes].toSorted((a, b) => a - b)) {
    const own = outer.get(index) ?? group
    points.set(index, [own, inner.get(index)].filter(Boolean).join(' / '))
    group = own.length <= MAX_REPEATED_CHARS ? own : ''
  }
  return points
}

function readLevel(cache: XmlElement): Points {
  const found = new Map<number, string>()
  const code = readElementText(findChild(cache, 'formatCode')) || cache.attributes.formatCode
  const hasNumbers = code !== undefined || cache.name.startsWith('num')
  const format = compileNumberFormat(code || 'General')
  for (const point of findChildren(cache, 'pt')) {
    const index = Number(findAttribute(point.attributes, 'idx'))
    const written = readElementText(findChild(point, 'v') ?? point).trim()
    const isNumber = hasNumbers && written !== '' && Number.isFinite(Number(written))
    const text = isNumber ? format(Number(written)) : written
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && !found.has(index))
      found.set(index, text)
  }
  return found
}
