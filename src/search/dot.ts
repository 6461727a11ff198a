/** The cosine, of unit vectors of one embedder. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]! // same dimensions
  return sum
}
