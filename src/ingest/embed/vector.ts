/** Leaves zero unchanged. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  const vector = Float64Array.from(values)
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, value => value / (norm || 1))
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
