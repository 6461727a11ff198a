/** The sum of the rows of a matrix: its direction is that of their mean. */
export function sumOfRows(matrix: Float32Array, rows: number): Float64Array {
  const dimensions = matrix.length / rows
  const sum = new Float64Array(dimensions)
  for (let at = 0; at < matrix.length; at++) sum[at % dimensions]! += matrix[at]!
  return sum
}

/** The direction of a vector: the same, scaled to length 1; zero stays zero. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  const vector = Float64Array.from(values)
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, value => value / (norm || 1))
}
