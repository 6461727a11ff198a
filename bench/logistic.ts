/** Logistic regression as the programs that fit weights use it. */
export type Model = { readonly weights: readonly number[]; readonly bias: number }

const RIDGE = 0.5

export type Sample = { readonly x: readonly number[]; readonly y: number; readonly w: number }

/** Newton's method with a ridge, so that the numbers are the same on every run. */
export function logistic(samples: readonly Sample[], from: Model): Model {
  const size = from.weights.length + 1
  const isBias = (at: number) => at === size - 1
  let beta = [...from.weights, from.bias]
  for (let step = 0; step < 25; step++) {
    const gradient = beta.map((value, at) => (isBias(at) ? 0 : -RIDGE * value))
    const hessian = beta.map((_, at) =>
      beta.map((_, other) => (at === other ? (isBias(at) ? 1e-6 : RIDGE) : 0)),
    )
    for (const { x, y, w } of samples) {
      const row = [...x, 1]
      const p = 1 / (1 + Math.exp(-row.reduce((total, value, at) => total + value * beta[at]!, 0)))
      for (let i = 0; i < size; i++) {
        gradient[i]! += w * (y - p) * row[i]!
        for (let j = 0; j < size; j++) hessian[i]![j]! += w * p * (1 - p) * row[i]! * row[j]!
      }
    }
    const delta = solve(hessian, gradient)
    beta = beta.map((value, at) => value + delta[at]!)
    if (Math.max(...delta.map(Math.abs)) < 1e-6) break
  }
  return { weights: beta.slice(0, -1), bias: beta.at(-1)! }
}

function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, vector[at]!])
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce(
        (best, row, at) =>
          Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + at : best,
        column,
      )
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let other = 0; other < rows.length; other++) {
      if (other === column) continue
      const factor = rows[other]![column]! / rows[column]![column]!
      for (let at = column; at <= rows.length; at++)
        rows[other]![at]! -= factor * rows[column]![at]!
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!)
}

/** Which of so many parts each group is in: the same on every run, and not by the order of names. */
export function foldsOf(groups: readonly string[], folds: number): ReadonlyMap<string, number> {
  const order = [...new Set(groups)].toSorted((a, b) => mixed(a) - mixed(b))
  return new Map(order.map((group, at) => [group, at % folds]))
}

function mixed(name: string): number {
  return [...name].reduce(
    (sum, character) => (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0,
    7,
  )
}
