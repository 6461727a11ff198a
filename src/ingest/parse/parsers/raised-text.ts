const LEVEL = '0123456789+-=()'
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾'
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'

/** Position of text relative to its line: an exponent or the sign of a note above, an index below. */
export type Elevation = 'raised' | 'lowered'

/**
 * Raised or lowered digits and signs in the characters that Unicode has for them, so that 2 to the power of 48 does not become
 * the number 248. Text with anything else in it (`th`, `[12]`) is as it was; searches and comparisons, in NFKC, see no difference.
 */
export function toElevatedText(text: string, elevation: Elevation | undefined): string {
  if (!elevation) return text
  const shown = elevation === 'raised' ? RAISED : LOWERED
  const characters = [...text.replaceAll('−', '-')].map(character => {
    const at = LEVEL.indexOf(character)
    return at < 0 ? /\s/.test(character) && character : shown[at]
  })
  return characters.every(character => character) ? characters.join('') : text
}
