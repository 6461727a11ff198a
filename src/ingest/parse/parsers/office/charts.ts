import type { Block } from '../../../block.ts'
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

export function* readDiagram(model: XmlElement | undefined): Iterable<Block> {
  for (const point of findChildren(findChild(model, 'ptLst'), 'pt')) {
    const text = readDrawingLine(findChild(point, 't'))
    if (text && !/^(pres|parTrans|sibTrans)$/.test(point.attributes.type ?? ''))
      yield { kind: 'list', text }
  }
}

export function* readChartTitles(space: XmlElement | undefined): Iterable<Block> {
  const titles = [...findDescendants(findChild(space, 'chart'), 'title')].map(readDrawingText)
  const names = [...findDescendants(findChild(space, 'chart'), 'ser')].map(series =>
    readElementText(findChild(series, 'tx', 'v')).trim(),
  )
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

export function* readChart(space: XmlElement): Iterable<Block> {
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

function readSeries(series: readonly XmlElement[]): readonly (readonly string[])[] {
  const names = series.map(
    element =>
      readPoints(findChild(element, 'tx')).get(0) ??
      readElementText(findChild(element, 'tx', 'v')).trim(),
  )
  const categories = readPoints(findChildren(series[0], 'cat', 'xVal')[0])
  const values = series.map(element => readPoints(findChildren(element, 'val', 'yVal')[0]))
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
