/** `[a, b, c, d, e, f]`, as in PDF. */
export type Matrix = readonly [number, number, number, number, number, number]

/** Missing numbers are those of the identity. */
export function toMatrix([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Iterable<number>): Matrix {
  return [a, b, c, d, e, f]
}

export function multiply(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ]
}

export function apply(matrix: Matrix, x: number, y: number): readonly [number, number] {
  return [matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]]
}
