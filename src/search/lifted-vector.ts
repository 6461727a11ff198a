import { LANGUAGES, type Language } from '../text/language.ts'
import type { VectorQuery } from './index-reader.ts'

/**
 * Vectors are stored with a mark for their language in further dimensions, one a language. A query has the similarity
 * that is to be taken off there, negated: so one dot product is the lift, and one search finds the best by lift of all
 * languages, whatever their means are by then.
 */
export function liftedDimensions(dimensions: number): number {
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

/** The language that a stored vector is marked with. */
export function markedLanguage(stored: Float32Array): Language {
  return LANGUAGES[stored.subarray(stored.length - LANGUAGES.length).indexOf(1)]! // written by writeLifted
}

/** The embedder's part of a stored vector. */
export function unlifted(stored: Float32Array): Float32Array {
  return stored.subarray(0, stored.length - LANGUAGES.length)
}

/** For vectors with that mark. */
export function liftedQuery({ vector, baselines }: VectorQuery, mark = 1): Float32Array {
  const lifted = new Float32Array(liftedDimensions(vector.length))
  lifted.set(vector)
  for (const [at, language] of LANGUAGES.entries()) lifted[vector.length + at] = -(baselines.get(language) ?? 0) / mark
  return lifted
}
