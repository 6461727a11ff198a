import { getItem } from '../../../../system/items.ts'
import { apply, type Matrix } from './matrix.ts'

/** Points from the page's top left; `x0 <= x1`, `y0 <= y1`. */
export type Rule = {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

type Point = readonly [number, number]

/** Points, so that a shaded cell is no line. */
const LINE_THICKNESS = 3
const MIN_RULE_LENGTH = 4

/** pdf.js's path operators, and how many coordinates each takes. */
const MOVE_TO = 0
const LINE_TO = 1
const COORDINATES: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 }

export function toRules(path: ArrayLike<number>, matrix: Matrix, isStroked: boolean): Rule[] {
  return toShapes(path, matrix).flatMap(shape => {
    const thin = toThinRectangle(shape)
    return thin.length > 0 || !isStroked ? thin : listSides(shape)
  })
}

function toShapes(path: ArrayLike<number>, matrix: Matrix): Point[][] {
  const shapes: Point[][] = []
  for (let index = 0; index < path.length; ) {
    const operator = path[index++] ?? Number.NaN
    const shape = shapes.at(-1)
    const readPoint = () => apply(matrix, path[index] ?? Number.NaN, path[index + 1] ?? Number.NaN)
    if (operator === MOVE_TO) shapes.push([readPoint()])
    else if (operator === LINE_TO) shape?.push(readPoint())
    else if (COORDINATES[operator] === 0)
      shape?.push(...shape.slice(0, 1)) // empty after a curve
    else shapes.push([])
    index += COORDINATES[operator] ?? 0
  }
  return shapes
}

function listSides(shape: readonly Point[]): Rule[] {
  return shape
    .slice(1)
    .flatMap((point, index) => flattenRule(enclosePoints([getItem(shape, index), point])))
}

function toThinRectangle(shape: readonly Point[]): Rule[] {
  return shape.length < 2 ? [] : flattenRule(enclosePoints(shape))
}

function enclosePoints(points: readonly Point[]): Rule {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) }
}

function flattenRule({ x0, y0, x1, y1 }: Rule): Rule[] {
  const width = x1 - x0
  const height = y1 - y0
  const x = (x0 + x1) / 2
  const y = (y0 + y1) / 2
  if (height <= LINE_THICKNESS && width >= MIN_RULE_LENGTH && width > height)
    return [{ x0, y0: y, x1, y1: y }]
  if (width <= LINE_THICKNESS && height >= MIN_RULE_LENGTH) return [{ x0: x, y0, x1: x, y1 }]
  return []
}
