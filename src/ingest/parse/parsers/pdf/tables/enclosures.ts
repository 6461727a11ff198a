import { getFirst, getLast } from '../../../../../system/items.ts'
import { findBoundingBox, type Segment } from '../lines.ts'
import type { Rule } from '../rules.ts'
import { findCentre, mergeCollinear } from './ruled-grid.ts'

const MAX_PADDING = 1
/** Points, so that imprecise drawings count. */
const TOLERANCE = 3
/** Points, so that nearly equal sizes of one font count as equal. */
const SAME_SIZE = 0.5

export class Enclosures {
  readonly #rules: readonly Rule[]

  constructor(rules: readonly Rule[]) {
    this.#rules = mergeCollinear(rules)
  }

  /** The same lines must enclose the last row. */
  hasInside(text: Segment, rows: readonly (readonly Segment[])[]): boolean {
    const last = getLast(rows)
    if (
      !last.some(
        ({ size, isBold }) => Math.abs(size - text.size) < SAME_SIZE && isBold === text.isBold,
      )
    )
      return false
    const [left, , right] = findBoundingBox(rows.flat())
    const from = findCentre(getFirst(last))[1]
    const to = findCentre(text)[1]
    const across = this.#rules.filter(
      rule => rule.x0 <= left + TOLERANCE && rule.x1 >= right - TOLERANCE,
    )
    if (across.some(({ y0 }) => y0 > from && y0 < to)) return false
    const isBetweenColumns = ({ x0, x1, y0, y1 }: Rule) =>
      x0 === x1 && x0 > left && x0 < right && y0 <= from && y1 >= to
    const isBelow = ({ y0 }: Rule) => y0 > to && y0 - text.bottom < text.size * MAX_PADDING
    return across.some(isBelow) || this.#rules.some(isBetweenColumns)
  }
}
