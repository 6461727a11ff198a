import type { Block } from '../block.ts'
import { numberFormat } from './number-format.ts'
import { tableOf } from './table-blocks.ts'
import { attribute } from './xml.ts'
import { at, descendants, elements, textOf, type XmlElement } from './xml-tree.ts'

/** More points than a reader can tell apart. */
const MAX_POINTS = 5_000

/** What a chart of an Office file says: its title, and its numbers as a table with the series as columns. */
export function* chartBlocks(space: XmlElement): Iterable<Block> {
  const chart = at(space, 'chart')
  const title = drawingText(at(chart, 'title'))
  if (title) yield { kind: 'caption', text: title }
  const axes = [...descendants(at(chart, 'plotArea'), 'title')].map(drawingText).filter(Boolean)
  const series = [...descendants(at(chart, 'plotArea'), 'ser')]
  const table = series.length > 0 ? dataOf(series) : undefined
  if (table && table.length > 1) yield tableOf(table)
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
  const count = Math.max(categories.size, ...values.map(column => Math.max(-1, ...column.keys()) + 1))
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
      const isNumber = cache.name.startsWith('num') && written !== '' && Number.isFinite(Number(written))
      const text = isNumber ? format(Number(written)) : written
      if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS && !found.has(index)) found.set(index, text)
    }
  }
  return found
}
