/** The direction of a vector: the same, scaled to length 1; zero stays zero. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  const vector = Float64Array.from(values)
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, value => value / (norm || 1))
}
