/** A vowel, and behind it no other one but an `e` at the end: a sulfite is no sulfate. */
const LAST_VOWEL = /^[aeiouy][^aeiouy]*e?$/

/**
 * The two words are one slip apart: a letter more, less, other or out of order. The first letter is right, and neither the last letter nor
 * the last vowel is another: an employer is no employee, hexane no hexene.
 */
export function isSlip(written: string, word: string): boolean {
  if (written[0] !== word[0] || written === word) return false
  const start = [...written].findIndex((letter, at) => letter !== word[at])
  const [a, b] =
    start < 0 ? ['', word.slice(written.length)] : [written.slice(start), word.slice(start)]
  if (written.length !== word.length) return a.slice(1) === b || a === b.slice(1)
  if (a.slice(1) === b.slice(1)) return a.length > 1 && !(LAST_VOWEL.test(a) && LAST_VOWEL.test(b))
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
}
