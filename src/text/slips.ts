/** Last vowel and what follows, because a sulfite is no sulfate. */
const LAST_VOWEL = /^[aeiouy][^aeiouy]*e?$/

/**
 * True if the words differ by one slip: a letter added, missing, wrong or transposed. First
 * letter, last letter and last vowel must agree: employer and employee differ.
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
