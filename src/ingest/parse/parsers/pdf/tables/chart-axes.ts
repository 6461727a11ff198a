import { getFirst, getItem } from '../../../../../system/items.ts'
import type { Segment } from '../lines.ts'

type RowRange = { readonly start: number; readonly end: number }
type Label = { readonly row: number; readonly value: number; readonly segment: Segment }

const FIGURE = /^[-+\u2212–]?[\p{Sc}]?\d[\d,.' ]*[%‰]?$/u
const MIN_LABELS = 3
/** Share of the texts beside an axis. */
const MIN_SHARE = 0.7
/** Points. */
const SAME_PLACE = 2
/** Share of a step. */
const SAME_STEP = 0.02

/** Finds axes: figures that fall by equal steps at equal distances, with the labels below. */
export function findCharts(rows: readonly Segment[][]): RowRange[] {
  const labels = rows.flatMap((row, index) => row.flatMap(segment => toLabel(segment, index)))
  const axes = [
    ...groupByEdge(labels, ({ segment }) => segment.x1),
    ...groupByEdge(labels, ({ segment }) => segment.x0),
  ].flatMap(findAxes)
  const onAxis = new Set(axes.flatMap(axis => axis.map(({ segment }) => segment)))
  return axes
    .map(axis => ({ start: getFirst(axis).row, end: getItem(axis, axis.length - 1).row + 1 }))
    .filter(({ start, end }) => {
      const beside = rows.slice(start, end).flat()
      return beside.filter(segment => onAxis.has(segment)).length >= beside.length * MIN_SHARE
    })
    .map(({ start, end }) => ({ start, end: isBottomAxis(rows, end) ? end + 1 : end }))
    .sort((a, b) => a.start - b.start)
}

function toLabel(segment: Segment, row: number): Label[] {
  if (!FIGURE.test(segment.text)) return []
  const value = Number(segment.text.replace(/[^\d.\u2212–-]/g, '').replace(/[\u2212–]/, '-'))
  return Number.isNaN(value) ? [] : [{ row, value, segment }]
}

function groupByEdge(labels: readonly Label[], edge: (label: Label) => number): Label[][] {
  const groups: Label[][] = []
  for (const label of labels.toSorted((a, b) => edge(a) - edge(b))) {
    const group = groups.at(-1)
    const isNear = group && edge(label) - edge(getFirst(group)) < SAME_PLACE
    if (isNear) group.push(label)
    else groups.push([label])
  }
  return groups.map(group => group.sort((a, b) => a.row - b.row))
}

function findAxes(labels: readonly Label[]): Label[][] {
  const runs: Label[][] = []
  for (const label of labels) {
    const run = runs.at(-1)
    if (run && continuesAxis(run, label)) run.push(label)
    else runs.push([...(run?.slice(-1) ?? []), label])
  }
  return runs.filter(run => run.length >= MIN_LABELS)
}

function continuesAxis(run: readonly Label[], label: Label): boolean {
  const [previous, before] = [run.at(-1), run.at(-2)]
  if (!previous || previous.value <= label.value) return false
  if (!before) return true
  const step = previous.value - label.value
  const distance = label.segment.baseline - previous.segment.baseline
  const lastStep = before.value - previous.value
  const lastDistance = previous.segment.baseline - before.segment.baseline
  return (
    Math.abs(step - lastStep) < lastStep * SAME_STEP &&
    Math.abs(distance - lastDistance) < SAME_PLACE
  )
}

function isBottomAxis(rows: readonly Segment[][], index: number): boolean {
  const [before, last, row] = [rows[index - 2], rows[index - 1], rows[index]]
  if (!before || !last || !row || row.length < 2) return false
  const height = getFirst(last).baseline - getFirst(before).baseline
  return getFirst(row).baseline - getFirst(last).baseline < height * 1.5
}
