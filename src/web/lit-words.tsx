/** Words of a query that mean something by themselves: shorter ones light half a page. */
const WORD = /[\p{Script=Han}]+|[\p{L}\p{N}]{3,}/gu

type LitProps = {
  readonly text: string
  readonly query: string
  /** Terms that the search says it matched; a stem lights the words that begin with it. */
  readonly terms?: readonly string[]
}

/** A passage with the words of a query lit. */
export function LitWords({ text, query, terms = [] }: LitProps) {
  const pattern = patternOf([...wordsOf(query), ...terms.filter(isTelling)])
  if (!pattern) return <>{text}</>
  const parts = fromFirst(text, pattern).split(pattern)
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
}

/** So much of a passage is shown at first: its first word of the query is to be in it. */
const IN_SIGHT = 200
const BEFORE = 60

function fromFirst(text: string, pattern: RegExp): string {
  const at = text.search(pattern)
  return at <= IN_SIGHT ? text : `… ${text.slice(startBefore(text, at))}`
}

/** The beginning of a word; Chinese has no blanks, and begins anywhere. */
function startBefore(text: string, at: number): number {
  const blank = text.indexOf(' ', at - BEFORE)
  return blank >= 0 && blank < at ? blank + 1 : at - BEFORE
}

function isTelling(term: string): boolean {
  return term.length > 2 || (term.length === 2 && /\p{Script=Han}/u.test(term))
}

function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(WORD) ?? []
  return words.flatMap(word => (/\p{Script=Han}/u.test(word) && word.length > 2 ? pairsOf(word) : [word]))
}

/** Chinese is written without blanks, and searched by pairs of characters. */
function pairsOf(word: string): readonly string[] {
  return [...word].slice(1).map((letter, at) => [...word][at] + letter)
}

function patternOf(words: readonly string[]): RegExp | undefined {
  const known = [...new Set(words)].filter(Boolean).toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return undefined
  const escaped = known.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const parts = escaped.map((word, at) => (/\p{Script=Han}/u.test(known[at] ?? '') ? word : `\\b${word}[\\p{L}]*`))
  return new RegExp(`(${parts.join('|')})`, 'giu')
}
