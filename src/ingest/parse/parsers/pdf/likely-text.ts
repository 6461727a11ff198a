/** Shorter words are often units and abbreviations. */
const WORD = /\p{L}{4,}/gu
const TELLING_LETTERS = 200
/** Other scripts have other shares of vowels, or none that are written. */
const MIN_LATIN = 0.9
/**
 * Share of vowels: below the 6 of 26 of random letters, so that codes are not wrong text. Latin
 * languages have about two in five.
 */
const MIN_VOWELS = 0.2

/** Detects a font with a wrong character map, whose letters are as printable as any. */
export function isLikelyText(text: string): boolean {
  const words = text.normalize('NFD').replace(/\p{M}/gu, '').match(WORD)?.join('') ?? ''
  if (words.length < TELLING_LETTERS) return true
  if (countMatches(words, /\p{Script=Latin}/gu) < words.length * MIN_LATIN) return true
  return countMatches(words, /[aeiouyıæøœ]/giu) >= words.length * MIN_VOWELS
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
