import { dot } from '../../ingest/embed/vector.ts'
import { LANGUAGES, languageOf } from '../../text/language.ts'

/**
 * How much of the question's own language, and of the line between the two languages, is taken out of its vector. Set on
 * long/ and calibration/ of test/eval, where these were best of four pairs.
 */
const CENTRING = { mean: 0.5, direction: 0.5 }

/**
 * A question's vector without what it has of its language. Taking the mean of a chunk's language off the score does not
 * help with chunks that lie between the languages, as code with Chinese comments or an English manual's Chinese edition:
 * they count as one language, lie towards the other, and are near to whatever is asked in that. So the question is
 * moved from its own mean (Libovický et al. 2020), and loses a part of its projection on the line between the means (Yang
 * et al. 2021, LIR). Where the collection has one language there is nothing to take out: the vector stays.
 */
export function centreQuery(
  vector: Float32Array,
  text: string,
  means: ReadonlyMap<string, Float32Array>,
): Float32Array {
  const language = languageOf(text)
  const own = means.get(language)
  const other = LANGUAGES.filter(one => one !== language).flatMap(one => means.get(one) ?? [])[0]
  if (!own || !other) return vector
  const direction = own.map((value, at) => value - other[at]!) // as long
  const length = dot(direction, direction)
  const along = length === 0 ? 0 : (CENTRING.direction * dot(vector, direction)) / length
  return vector.map((value, at) => value - along * direction[at]! - CENTRING.mean * own[at]!) // as long
}
