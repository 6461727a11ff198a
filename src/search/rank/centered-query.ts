import { dot } from '../../ingest/embed/vector.ts'
import { detectLanguage, LANGUAGES } from '../../text/language.ts'
import type { MeanPriors } from '../language-means.ts'

/**
 * Shares to remove of the mean and of the line between means. Best of four pairs on long/ and
 * calibration/ of test/eval, 2026.
 */
const CENTRING = { mean: 0.5, direction: 0.5 }

/** Share of the mean of queries: more costs nDCG@10 (docs/decisions/hybrid-ranking.md). */
const QUERY_SHARE = 0.2

/**
 * Distance from the mean, in cosine, up to which a text gains: three standard deviations of
 * cite-check and cross-language/tuning (.007 to .011).
 */
const USUAL_DISTANCE = 0.03

/**
 * Removes part of a question's projection on the line between languages' means (Yang et al.
 * 2021, LIR).
 */
export function centerQuery(
  vector: Float32Array,
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array {
  const { own, other } = selectMeans(text, means)
  if (!own || !other) return vector
  const direction = own.map((value, index) => value - other[index]!)
  const length = dot(direction, direction)
  const along = length === 0 ? 0 : (CENTRING.direction * dot(vector, direction)) / length
  return vector.map((value, index) => value - along * direction[index]!)
}

/** Short texts lie near the mean of queries, and so near to every query. */
export function removeQueryMean(
  vector: Float32Array,
  text: string,
  queryMeans: MeanPriors = {},
): Float32Array {
  const mean = queryMeans[detectLanguage(text)]
  return mean ? vector.map((value, index) => value - QUERY_SHARE * (mean[index] ?? 0)) : vector
}

/** Returns undefined in a collection of one language. */
export function selectMean(
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array | undefined {
  const { own, other } = selectMeans(text, means)
  return other && own
}

/**
 * Returns what subtracting the mean from the question adds to a lift (Libovický et al. 2020); 0
 * for texts unlike all others. `nearness` is the cosine to the mean, less the usual one.
 */
export function computeMeanGain(nearness: number): number {
  const distance = -nearness
  const counted = distance <= USUAL_DISTANCE ? distance : Math.max(0, 2 * USUAL_DISTANCE - distance)
  return CENTRING.mean * counted
}

function selectMeans(text: string, means: ReadonlyMap<string, Float32Array>) {
  const language = detectLanguage(text)
  const other = LANGUAGES.filter(otherLanguage => otherLanguage !== language).flatMap(
    otherLanguage => means.get(otherLanguage) ?? [],
  )[0]
  return { own: means.get(language), other }
}
