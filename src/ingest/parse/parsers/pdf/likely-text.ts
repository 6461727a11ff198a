/** Words with fewer letters are often units and abbreviations. */
const WORD = /\p{L}{4,}/gu
/** Minimum number of letters in words that tell anything. */
const TELLING_LETTERS = 200
/** Other scripts have other shares of vowels, or none that are written. */
const MIN_LATIN = 0.9
/**
 * Minimum share of vowels. Languages in Latin letters have about two in five letters. Below the 6 of 26 of random letters, so that
 * codes and keys are not taken for wrong; a third of the distances by which letters may be shifted are noticed.
 */
const MIN_VOWELS = 0.2

/**
 * Whether letters can be those of some language. A font with a wrong character map, or none, gives other letters than it shows,
 * which are as printable as any.
 */
export function isLikelyText(text: string): boolean {
  const words = text.normalize('NFD').replace(/\p{M}/gu, '').match(WORD)?.join('') ?? ''
  if (words.length < TELLING_LETTERS) return true
  if (countMatches(words, /\p{Script=Latin}/gu) < words.length * MIN_LATIN) return true
  return countMatches(words, /[aeiouyıæøœ]/giu) >= words.length * MIN_VOWELS
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
