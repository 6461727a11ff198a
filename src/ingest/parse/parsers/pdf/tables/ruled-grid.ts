import { getFirst, getItem, getLast } from '../../../../../system/items.ts'
import type { Segment } from '../lines.ts'
import type { Rule } from '../rules.ts'

/** Points, so that lines that nearly touch make one grid. */
const TOLERANCE = 3
/** Bounded, so that a drawing, which is finer, is no table. */
const MAX_LINES = 300

/** Ends are exclusive. */
export type Area = {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export type Region = Area & { readonly isRectangle: boolean }

type Place = { readonly row: number; readonly column: number }

type Sides = { readonly left: Uint8Array; readonly top: Uint8Array }

export class Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly #sides: Sides

  constructor(
    { xs, ys }: { xs: readonly number[]; ys: readonly number[] },
    rules: readonly Rule[],
  ) {
    this.xs = xs
    this.ys = ys
    this.#sides = markSides(this, rules)
  }

  get width(): number {
    return this.xs.length - 1
  }

  get height(): number {
    return this.ys.length - 1
  }

  hasPoint(x: number, y: number): boolean {
    return (
      x > getFirst(this.xs) && x < getLast(this.xs) && y > getFirst(this.ys) && y < getLast(this.ys)
    )
  }

  findPlace(x: number, y: number): Place {
    return { row: findInterval(this.ys, y), column: findInterval(this.xs, x) }
  }

  findUprightLines(row: number): readonly number[] {
    return this.xs
      .slice(1, -1)
      .filter((_, index) => this.#sides.left[this.toIndex({ row, column: index + 1 })])
  }

  toIndex({ row, column }: Place): number {
    return row * this.width + column
  }

  findRegions(): readonly Region[] {
    const regions: Region[] = Array.from({ length: this.width * this.height })
    for (const start of regions.keys()) {
      if (regions[start]) continue
      const members = this.#spread(start)
      const region = this.#toRegion(members)
      for (const member of members) regions[member] = region
    }
    return regions
  }

  #spread(start: number): ReadonlySet<number> {
    const members = new Set([start])
    for (const member of members) for (const next of this.#openNeighbours(member)) members.add(next)
    return members
  }

  #openNeighbours(index: number): number[] {
    const { left, top } = this.#sides
    const column = index % this.width
    const after = index + 1
    const below = index + this.width
    const open: number[] = []
    if (column > 0 && !left[index]) open.push(index - 1)
    if (column < this.width - 1 && !left[after]) open.push(after)
    if (index >= this.width && !top[index]) open.push(index - this.width)
    if (below < left.length && !top[below]) open.push(below)
    return open
  }

  #toRegion(members: ReadonlySet<number>): Region {
    let area: Area = { top: this.height, bottom: 0, left: this.width, right: 0 }
    for (const member of members) {
      const row = Math.floor(member / this.width)
      const column = member % this.width
      area = {
        top: Math.min(area.top, row),
        bottom: Math.max(area.bottom, row + 1),
        left: Math.min(area.left, column),
        right: Math.max(area.right, column + 1),
      }
    }
    return {
      ...area,
      isRectangle: members.size === (area.bottom - area.top) * (area.right - area.left),
    }
  }
}

/** Returns the smallest first. */
export function findGrids(rules: readonly Rule[]): Grid[] {
  return groupTouching(mergeCollinear(rules))
    .map(group => {
      const flat = group.filter(isFlat)
      const upright = group.filter(rule => !isFlat(rule))
      const xs = mergeNear([
        ...upright.map(rule => rule.x0),
        ...flat.flatMap(rule => [rule.x0, rule.x1]),
      ])
      const ys = mergeNear([
        ...flat.map(rule => rule.y0),
        ...upright.flatMap(rule => [rule.y0, rule.y1]),
      ])
      return { xs, ys, rules: group }
    })
    .filter(
      ({ xs, ys }) =>
        xs.length > 2 && ys.length > 2 && xs.length < MAX_LINES && ys.length < MAX_LINES,
    )
    .map(({ rules: group, ...lines }) => new Grid(lines, group))
    .sort((a, b) => measure(a) - measure(b))
}

function measure({ xs, ys }: Grid): number {
  return (getLast(xs) - getFirst(xs)) * (getLast(ys) - getFirst(ys))
}

function isFlat(rule: Rule): boolean {
  return rule.y0 === rule.y1
}

export function mergeCollinear(rules: readonly Rule[]): Rule[] {
  const turn = ({ x0, y0, x1, y1 }: Rule): Rule => ({ x0: y0, y0: x0, x1: y1, y1: x1 })
  const flat = mergeFlat(rules.filter(isFlat))
  const upright = mergeFlat(rules.filter(rule => !isFlat(rule)).map(turn)).map(turn)
  return [...flat, ...upright]
}

function mergeFlat(rules: readonly Rule[]): Rule[] {
  const result: Rule[] = []
  for (const rule of [...rules].sort(
    (a, b) => Math.round(a.y0) - Math.round(b.y0) || a.x0 - b.x0,
  )) {
    const last = result.at(-1)
    const isContinuation =
      last && Math.abs(last.y0 - rule.y0) < TOLERANCE / 2 && rule.x0 <= last.x1 + TOLERANCE
    if (isContinuation) result[result.length - 1] = { ...last, x1: Math.max(last.x1, rule.x1) }
    else result.push(rule)
  }
  return result
}

function groupTouching(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = []
  let ungrouped = rules
  while (ungrouped.length > 0) {
    const group = [getFirst(ungrouped)]
    let rest = ungrouped.slice(1)
    for (let index = 0; index < group.length; index++) {
      const apart: Rule[] = []
      for (const rule of rest) (isTouching(getItem(group, index), rule) ? group : apart).push(rule)
      rest = apart
    }
    groups.push(group)
    ungrouped = rest
  }
  return groups
}

function isTouching(a: Rule, b: Rule): boolean {
  const isX = a.x0 <= b.x1 + TOLERANCE && b.x0 <= a.x1 + TOLERANCE
  return isX && a.y0 <= b.y1 + TOLERANCE && b.y0 <= a.y1 + TOLERANCE
}

function mergeNear(values: readonly number[]): number[] {
  const result: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    if (value - (result.at(-1) ?? -Infinity) > TOLERANCE) result.push(value)
  }
  return result
}

export function findCentre({
  x0,
  x1,
  top,
  bottom,
}: Pick<Segment, 'x0' | 'x1' | 'top' | 'bottom'>): readonly [number, number] {
  return [(x0 + x1) / 2, (top + bottom) / 2]
}

export function findInterval(edges: readonly number[], value: number): number {
  const last = edges.findLastIndex(edge => edge <= value)
  return Math.max(0, Math.min(last, edges.length - 2))
}

function markSides(grid: Grid, rules: readonly Rule[]): Sides {
  const { xs, ys, width, height } = grid
  const sides = { left: new Uint8Array(width * height), top: new Uint8Array(width * height) }
  const isWithin = (value: number, from: number, to: number) =>
    value >= from - TOLERANCE && value <= to + TOLERANCE
  for (const { x0, y0, x1, y1 } of rules) {
    const isLevel = y0 === y1
    const rows = [...Array(height).keys()].filter(row =>
      isWithin(isLevel ? getItem(ys, row) : (getItem(ys, row) + getItem(ys, row + 1)) / 2, y0, y1),
    )
    const columns = [...Array(width).keys()].filter(column =>
      isWithin(
        isLevel ? (getItem(xs, column) + getItem(xs, column + 1)) / 2 : getItem(xs, column),
        x0,
        x1,
      ),
    )
    const side = isLevel ? sides.top : sides.left
    for (const row of rows) for (const column of columns) side[grid.toIndex({ row, column })] = 1
  }
  return sides
}
