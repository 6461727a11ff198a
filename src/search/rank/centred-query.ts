import { dot } from '../../ingest/embed/vector.ts'
import { detectLanguage, LANGUAGES } from '../../text/language.ts'

/**
 * Shares of the language's mean and of the line between the means to remove. Best of four pairs
 * on long/ and calibration/ of test/eval, 2026.
 */
const CENTRING = { mean: 0.5, direction: 0.5 }

/**
 * Removes the language from a question's vector: subtracts its mean (Libovický et al. 2020) and
 * a part of its projection on the line between the means (Yang et al. 2021, LIR). This helps
 * with chunks between the languages, such as code with Chinese comments. In a collection of one
 * language the vector stays.
 */
export function centerQuery(
  vector: Float32Array,
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array {
  const language = detectLanguage(text)
  const own = means.get(language)
  const other = LANGUAGES.filter(one => one !== language).flatMap(one => means.get(one) ?? [])[0]
  if (!own || !other) return vector
  const direction = own.map((value, at) => value - other[at]!)
  const length = dot(direction, direction)
  const along = length === 0 ? 0 : (CENTRING.direction * dot(vector, direction)) / length
  return vector.map((value, at) => value - along * direction[at]! - CENTRING.mean * own[at]!)
}
