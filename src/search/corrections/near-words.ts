/** Shorter words resemble too many others. */
const MIN_LETTERS = 4

/** Common English endings that a stem lacks (Porter 2001). */
const ENDINGS: ReadonlySet<string> = new Set(
  'e s es ed d ing er ers or ors ion ions ation ations ator ators ance ence ant ent able ible al ally ic ical ics ive ment ments ness ly y ies ity ous ure tion'.split(
    ' ',
  ),
)

/** Shorter endings must match exactly. */
const MIN_ENDING = 3

/** Accepts one slip (Damerau 1964) in the stem or its ending. The first letter must agree. */
export function filterNearStems(word: string, stems: readonly string[]): readonly string[] {
  if (word.length < MIN_LETTERS) return []
  const cuts = listEndings(word)
  return stems.filter(stem => {
    if (stem.length < MIN_LETTERS || word[0] !== stem[0]) return false
    if (word.length < stem.length - 1) return false
    if (word.startsWith(stem)) return isNearEnding(word.slice(stem.length))
    return cuts.some(
      length => Math.abs(length - stem.length) <= 1 && isOneEdit(word.slice(0, length), stem),
    )
  })
}

/** Lists the lengths that the word has without one of its endings. */
function listEndings(word: string): readonly number[] {
  const shorter = [...ENDINGS].filter(ending => word.endsWith(ending))
  return [word.length, ...shorter.map(ending => word.length - ending.length)]
}

function isNearEnding(rest: string): boolean {
  return [...ENDINGS].some(ending => ending.length >= MIN_ENDING && isOneEdit(rest, ending))
}

/** Accepts one letter added, missing or wrong, or two neighbours transposed. */
export function isOneEdit(written: string, word: string): boolean {
  if (Math.abs(written.length - word.length) > 1 || written === word) return false
  let start = 0
  while (start < written.length && written[start] === word[start]) start++
  const a = written.slice(start)
  const b = word.slice(start)
  if (a.length > b.length) return a.slice(1) === b
  if (a.length < b.length) return a === b.slice(1)
  return a.slice(1) === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
}
