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
  const cuts = listStems(word)
  return stems.filter(stem => {
    if (stem.length < MIN_LETTERS || word[0] !== stem[0]) return false
    if (word.length < stem.length - 1) return false
    if (word.startsWith(stem)) return isNearEnding(word.slice(stem.length))
    return cuts.some(cut => isOneEdit(cut, stem)) || isTransposedAtEnding(word, stem)
  })
}

function isTransposedAtEnding(word: string, stem: string): boolean {
  if (!word.startsWith(stem.slice(0, -1))) return false
  return [...ENDINGS].some(ending => isOneEdit(word, stem + ending))
}

/** Lists the word, and what it is without one of its endings. */
function listStems(word: string): readonly string[] {
  const endings = [...ENDINGS].filter(ending => word.endsWith(ending))
  return [word, ...endings.map(ending => word.slice(0, -ending.length))]
}

function isNearEnding(rest: string): boolean {
  return [...ENDINGS].some(ending => ending.length >= MIN_ENDING && isOneEdit(rest, ending))
}

/** Accepts one letter added, missing or wrong, or two neighbours transposed. */
export function isOneEdit(written: string, word: string): boolean {
  const longest = Math.max(written.length, word.length)
  const shortest = Math.min(written.length, word.length)
  if (longest - shortest > 1 || written === word) return false
  let start = 0
  while (start < shortest && written.charCodeAt(start) === word.charCodeAt(start)) start++
  let same = 0
  while (
    same < shortest - start &&
    written.charCodeAt(written.length - 1 - same) === word.charCodeAt(word.length - 1 - same)
  )
    same++
  const changed = longest - start - same
  if (changed < 2) return true
  const isSwapped = written[start] === word[start + 1] && written[start + 1] === word[start]
  return changed === 2 && longest === shortest && isSwapped
}
