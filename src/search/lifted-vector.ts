import { LANGUAGES, type Language } from '../text/language.ts'
import type { RowVector, VectorQuery } from './index-reader.ts'

/**
 * Vectors are stored with a mark for their language in further dimensions, one a language. A query has the similarity
 * that is to be taken off there, negated: so one dot product is the lift, and one search finds the best by lift of all
 * languages, whatever their means are by then.
 */
export function addLanguageDimensions(dimensions: number): number {
  return dimensions + LANGUAGES.length
}

/** The squared length of a stored vector: a unit vector and its mark. */
export const LIFTED_SQUARE = 2

/** Write a vector with its mark into `target`, from `at` on. */
export function writeLifted(
  target: Float32Array,
  at: number,
  vector: Float32Array,
  language: Language,
  mark = 1,
): void {
  target.set(vector, at)
  target[at + vector.length + LANGUAGES.indexOf(language)] = mark
}

/** The embedder's part of a stored vector, and the language that it is marked with. */
export function readLifted(stored: Float32Array): RowVector {
  const size = stored.length - LANGUAGES.length
  const language = LANGUAGES[stored.subarray(size).findIndex(mark => mark > 0)]! // written by writeLifted
  return { language, vector: stored.subarray(0, size) }
}

/** For vectors with that mark. */
export function toLiftedQuery({ vector, baselines }: VectorQuery, mark = 1): Float32Array {
  const lifted = new Float32Array(addLanguageDimensions(vector.length))
  lifted.set(vector)
  for (const [at, language] of LANGUAGES.entries())
    lifted[vector.length + at] = -(baselines.get(language) ?? 0) / mark
  return lifted
}
