/** Highlighted words. Latin words below three letters would highlight half the page. */
const WORD = /[\p{Script=Han}]+|[\p{L}\p{N}]{3,}/gu
const HAN = /\p{Script=Han}/u

/**
 * Window in which query words are counted, so that the excerpt starts where most of them are
 * visible.
 */
const EXCERPT_CHARS = 200
/** Characters before the best match, so that its sentence is readable. */
const CHARS_BEFORE = 60
/** Matches compared; protects the page from a quadratic search in a long text. */
const MAX_MATCHES = 1_000

/**
 * Splits a passage into parts, of which every second one is a match. Starts it where most query
 * words stand together.
 */
export function splitByMatches(
  text: string,
  query: string,
  terms: readonly string[] = [],
): readonly string[] {
  const queryWords = extractWords(query)
  const pattern = compilePattern([...queryWords, ...terms.filter(isMeaningful)])
  return pattern ? cutToBestMatch(text, pattern, new Set(queryWords)).split(pattern) : [text]
}

function cutToBestMatch(text: string, pattern: RegExp, queryWords: ReadonlySet<string>): string {
  const found = [...text.matchAll(pattern)]
    .slice(0, MAX_MATCHES)
    .map(({ index, 0: word }) => ({ at: index, word: word.toLowerCase() }))
  let best = { at: 0, value: 0 }
  for (const { at } of found) {
    const near = new Set(
      found
        .filter(match => match.at >= at && match.at < at + EXCERPT_CHARS)
        .map(({ word }) => word),
    )
    const value = [...near].reduce((sum, word) => sum + (queryWords.has(word) ? 2 : 1), 0) // a word of the query counts more than an added term
    if (value > best.value) best = { at, value }
  }
  return best.at <= CHARS_BEFORE ? text : `… ${text.slice(findWordStart(text, best.at))}`
}

/** Cuts text without spaces anywhere. */
function findWordStart(text: string, index: number): number {
  const blank = text.indexOf(' ', index - CHARS_BEFORE)
  return blank >= 0 && blank < index ? blank + 1 : index - CHARS_BEFORE
}

function isMeaningful(term: string): boolean {
  return term.length > 2 || (term.length === 2 && HAN.test(term))
}

function extractWords(query: string): readonly string[] {
  const words = query.toLowerCase().match(WORD) ?? []
  return words.flatMap(word => (HAN.test(word) && word.length > 2 ? splitIntoPairs(word) : [word]))
}

/** Matches Chinese words, which no spaces separate, by pairs of characters. */
function splitIntoPairs(word: string): readonly string[] {
  const letters = [...word]
  return letters.slice(1).map((letter, index) => letters[index] + letter)
}

function compilePattern(words: readonly string[]): RegExp | undefined {
  const distinct = [...new Set(words)].filter(Boolean).toSorted((a, b) => b.length - a.length)
  if (distinct.length === 0) return undefined
  const escaped = distinct.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const parts = escaped.map((word, index) =>
    HAN.test(distinct[index] ?? '') ? word : `\\b${word}[\\p{L}]*`,
  )
  return new RegExp(`(${parts.join('|')})`, 'giu')
}
