/** Words of a query that mean something by themselves: shorter ones light half a page. */
const WORD = /[\p{Script=Han}]+|[\p{L}\p{N}]{3,}/gu
const HAN = /\p{Script=Han}/u

/** So much of a passage is shown at first. */
const IN_SIGHT = 200
const BEFORE = 60
/** Words of a passage that are looked at; it has fewer. */
const MAX_FOUND = 1_000

/** A passage in parts, the second, fourth and so on to be lit; it begins where most of the query's words stand together. */
export function litParts(
  text: string,
  query: string,
  terms: readonly string[] = [],
): readonly string[] {
  const asked = wordsOf(query)
  const pattern = patternOf([...asked, ...terms.filter(isTelling)])
  return pattern ? fromBest(text, pattern, new Set(asked)).split(pattern) : [text]
}

function fromBest(text: string, pattern: RegExp, asked: ReadonlySet<string>): string {
  const found = [...text.matchAll(pattern)]
    .slice(0, MAX_FOUND)
    .map(({ index, 0: word }) => ({ at: index, word: word.toLowerCase() }))
  let best = { at: 0, value: 0 }
  for (const { at } of found) {
    const near = new Set(
      found.filter(one => one.at >= at && one.at < at + IN_SIGHT).map(({ word }) => word),
    )
    const value = [...near].reduce((sum, word) => sum + (asked.has(word) ? 2 : 1), 0) // what was asked tells more than what it may mean
    if (value > best.value) best = { at, value }
  }
  return best.at <= BEFORE ? text : `… ${text.slice(startBefore(text, best.at))}`
}

/** The beginning of a word; Chinese has no blanks, and begins anywhere. */
function startBefore(text: string, at: number): number {
  const blank = text.indexOf(' ', at - BEFORE)
  return blank >= 0 && blank < at ? blank + 1 : at - BEFORE
}

function isTelling(term: string): boolean {
  return term.length > 2 || (term.length === 2 && HAN.test(term))
}

function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(WORD) ?? []
  return words.flatMap(word => (HAN.test(word) && word.length > 2 ? pairsOf(word) : [word]))
}

/** Chinese is written without blanks, and searched by pairs of characters. */
function pairsOf(word: string): readonly string[] {
  const letters = [...word]
  return letters.slice(1).map((letter, at) => letters[at] + letter)
}

function patternOf(words: readonly string[]): RegExp | undefined {
  const known = [...new Set(words)].filter(Boolean).toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return undefined
  const escaped = known.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const parts = escaped.map((word, at) =>
    HAN.test(known[at] ?? '') ? word : `\\b${word}[\\p{L}]*`,
  )
  return new RegExp(`(${parts.join('|')})`, 'giu')
}
