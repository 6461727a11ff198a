import { dot } from '../../ingest/embed/vector.ts'
import { detectLanguage, LANGUAGES } from '../../text/language.ts'

/**
 * Shares of the language's mean and of the line between the means to remove. Best of four pairs
 * on long/ and calibration/ of test/eval, 2026.
 */
const CENTRING = { mean: 0.5, direction: 0.5 }

/**
 * Distance from the mean, as a difference of cosines, up to which a text gains by it: three
 * standard deviations of the texts of cite-check and cross-language/tuning (.007 to .011).
 */
const USUAL_DISTANCE = 0.03

/**
 * Removes a part of a question's projection on the line between the means of the languages (Yang
 * et al. 2021, LIR). In a collection of one language the vector stays.
 */
export function centerQuery(
  vector: Float32Array,
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array {
  const { own, other } = selectMeans(text, means)
  if (!own || !other) return vector
  const direction = own.map((value, at) => value - other[at]!)
  const length = dot(direction, direction)
  const along = length === 0 ? 0 : (CENTRING.direction * dot(vector, direction)) / length
  return vector.map((value, at) => value - along * direction[at]!)
}

/** Returns the mean to subtract from a question; undefined in a collection of one language. */
export function selectMean(
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array | undefined {
  const { own, other } = selectMeans(text, means)
  return other && own
}

/**
 * Returns what a text gains in lift if the mean is subtracted from the question (Libovický et al.
 * 2020), which helps against chunks between the languages, such as code with Chinese comments. A
 * text unlike all others, as one of a few words or in a third script, would gain more than an
 * answer does, so its gain falls to 0. `nearness` is its cosine to the mean, less the usual one.
 */
export function computeMeanGain(nearness: number): number {
  const distance = -nearness
  const counted = distance <= USUAL_DISTANCE ? distance : Math.max(0, 2 * USUAL_DISTANCE - distance)
  return CENTRING.mean * counted
}

function selectMeans(text: string, means: ReadonlyMap<string, Float32Array>) {
  const language = detectLanguage(text)
  const other = LANGUAGES.filter(one => one !== language).flatMap(one => means.get(one) ?? [])[0]
  return { own: means.get(language), other }
}
