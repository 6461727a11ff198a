const LEVEL = '0123456789+-=()'
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾'
const LOWERED = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'

/** An exponent or note sign above the line, an index below. */
export type Elevation = 'raised' | 'lowered'

/**
 * Converts digits to Unicode's characters, so that 2 to the power of 48 is not 248. Leaves text
 * with anything else (`th`, `[12]`).
 */
export function toElevatedText(text: string, elevation: Elevation | undefined): string {
  if (!elevation) return text
  const signs = elevation === 'raised' ? RAISED : LOWERED
  const characters = [...text.replaceAll('−', '-')].map(character => {
    const index = LEVEL.indexOf(character)
    return index < 0 ? /\s/.test(character) && character : signs[index]
  })
  return characters.every(character => character) ? characters.join('') : text
}
