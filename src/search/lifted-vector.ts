import { LANGUAGES, type Language } from '../text/language.ts'
import type { RowVector, VectorQuery } from './index-reader.ts'

/**
 * Adds a dimension per language: stored vectors mark theirs, a query carries negated baselines,
 * so one dot product is the lift.
 */
export function addLanguageDimensions(dimensions: number): number {
  return dimensions + LANGUAGES.length
}

/** Squared length: the unit vector and its mark. */
export const LIFTED_SQUARE = 2

export function writeLifted(
  target: Float32Array,
  index: number,
  vector: Float32Array,
  language: Language,
  mark = 1,
): void {
  target.set(vector, index)
  target[index + vector.length + LANGUAGES.indexOf(language)] = mark
}

export function readLifted(stored: Float32Array): RowVector {
  const size = stored.length - LANGUAGES.length
  const language = LANGUAGES[stored.subarray(size).findIndex(mark => mark > 0)]!
  return { language, vector: stored.subarray(0, size) }
}

export function toLiftedQuery({ vector, baselines }: VectorQuery, mark = 1): Float32Array {
  const lifted = new Float32Array(addLanguageDimensions(vector.length))
  lifted.set(vector)
  for (const [index, language] of LANGUAGES.entries())
    lifted[vector.length + index] = -(baselines.get(language) ?? 0) / mark
  return lifted
}
