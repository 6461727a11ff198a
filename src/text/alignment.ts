import type { Span } from './sentences.ts'

type Token = { readonly text: string; readonly written: string; readonly span: Span }

export type Alignment = { readonly span: Span; readonly edits: number }

/** Letters of scripts without spaces are words by themselves. */
const LETTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]'
const TOKEN = new RegExp(
  `${LETTER}|\\p{N}+(?:[.,:]\\p{N}+)*|(?:(?!${LETTER})[\\p{L}\\p{M}_])+|[%‰$€£¥°±<>=]|[-−](?=\\p{N})`,
  'gu',
)

/**
 * Words or Han characters of a quotation with a slip, so that a short one is not another
 * statement.
 */
const MIN_TOKENS = 4
/** Words per allowed slip, so that the share of differences stays small. */
const TOKENS_PER_EDIT = 8
const MAX_EDITS = 3
const MAX_QUOTE_TOKENS = 200

/** Words that do not change the meaning. */
const FILLERS = new Set(['a', 'an', 'the', 'that', '的', '了'])

/** Han characters that are confused in writing. */
const INTERCHANGEABLE = ['的地得', '帐账', '做作', '像象', '哪那', '份分', '订定', '坐座'].map(
  group => new Set(group),
)

/** Never slips of each other: three and there, month and mouth. */
const PROTECTED =
  /^(?:three|seven|eight|fif\w*|six\w*|nin\w*|twe\w*|thir\w*|four\w*|hundreds?|thousands?|millions?|billions?|trillions?|first|second|third|months?|hours?|weeks?|years?|minutes?|seconds?|metres?|meters?|never|shall|should|could|would|might|cannot|except|until|above|below|under|over|before|after|within|without|least|less|more|most|fewer)$/

/** Prepared once for all quotations. */
export type Wording = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly vocabulary: ReadonlySet<string>
  /** Joined neighbours, to recognise words broken by a hyphen. */
  readonly joined: ReadonlySet<string>
  readonly written: string
}

export function readWording(text: string): Wording {
  const tokens = tokenize(text)
  const joined = tokens.flatMap((token, index) => {
    const next = tokens[index + 1]
    return next ? [token.text + next.text] : []
  })
  const written = ['', ...tokens.map(token => token.written), ''].join('\n')
  return {
    text,
    tokens,
    vocabulary: new Set(tokens.map(token => token.text)),
    joined: new Set(joined),
    written,
  }
}

export function locate({ tokens, written }: Wording, quote: Wording): Span | undefined {
  const index = quote.tokens.length === 0 ? -1 : written.indexOf(quote.written)
  if (index < 0) return undefined
  const first = written.slice(0, index).split('\n').length - 1
  return joinSpans(tokens[first], tokens[first + quote.tokens.length - 1])
}

/**
 * Finds a quotation with a few slips: a wrong letter, an extra article, a broken word. Never
 * equates numbers, names or negations. Undefined without a single place.
 */
export function align(
  { tokens: found, vocabulary, joined }: Wording,
  { tokens: expected }: Wording,
): Alignment | undefined {
  if (expected.length === 0 || expected.length > MAX_QUOTE_TOKENS) return undefined
  const allowed =
    expected.length < MIN_TOKENS
      ? 0
      : Math.min(MAX_EDITS, Math.max(1, Math.floor(expected.length / TOKENS_PER_EDIT)))
  if (countMissing(expected, vocabulary, joined) > allowed) return undefined
  const ends = findAlignments({ expected, found, vocabulary }, allowed)
  const edits = Math.min(...ends.map(end => end.edits))
  const best = ends.filter(end => end.edits === edits)
  const [first] = best
  if (!first) return undefined
  const isElsewhere = best.some(other => other.from > first.to)
  if (edits > 0 && isElsewhere) return undefined
  const span = joinSpans(found[first.from], found[first.to])
  return span && { span, edits }
}

function joinSpans(first: Token | undefined, last: Token | undefined): Span | undefined {
  return first && last && { start: first.span.start, end: last.span.end }
}

/** Counts words that the text lacks; each costs an edit anywhere. */
function countMissing(
  expected: readonly Token[],
  vocabulary: ReadonlySet<string>,
  joined: ReadonlySet<string>,
): number {
  const isStrange = ({ text }: Token, index: number) => {
    const withLast = (expected[index - 1]?.text ?? '') + text
    const withNext = text + (expected[index + 1]?.text ?? '')
    return (
      !vocabulary.has(text) &&
      !joined.has(text) &&
      !vocabulary.has(withLast) &&
      !vocabulary.has(withNext)
    )
  }
  return expected.filter(isStrange).length
}

function tokenize(text: string): readonly Token[] {
  const clean = text.replace(/\u00AD/g, ' ')
  return [...clean.matchAll(TOKEN)].map(({ 0: written, index }) => ({
    text: written.normalize('NFKC').toLowerCase().replace('−', '-').replaceAll(',', ''),
    written: written.normalize('NFKC').replace('−', '-'),
    span: { start: index, end: index + written.length },
  }))
}

type Cell = { readonly edits: number; readonly from: number }
type Ending = { readonly from: number; readonly to: number; readonly edits: number }
type Row = ReadonlyMap<number, Cell>

const NOWHERE: Cell = { edits: Number.POSITIVE_INFINITY, from: 0 }

/** Approximate matching (Sellers 1980): rows are words of the quotation, columns of the text. */
function findAlignments(words: Words, allowed: number): readonly Ending[] {
  const { expected, found } = words
  let before: Row = new Map()
  let above: Row = new Map(
    Array.from({ length: found.length + 1 }, (_, from) => [from, { edits: 0, from }]),
  )
  for (const index of expected.keys()) {
    const row = new Map<number, Cell>()
    for (const to of listColumns(above, before, found)) {
      const cell = getCell(index, to, { above, before, row }, words)
      if (cell.edits <= allowed) row.set(to, cell)
    }
    before = above
    above = row
    if (above.size + before.size === 0) return []
  }
  return [...above].flatMap(([to, cell]) => (to > cell.from ? [{ ...cell, to: to - 1 }] : []))
}

/** Yields reachable columns from left to right, with skipped words. */
function listColumns(above: Row, before: Row, found: readonly Token[]): readonly number[] {
  const reached = new Set<number>()
  for (const from of above.keys()) for (const to of [from, from + 1, from + 2]) reached.add(to)
  for (const from of before.keys()) reached.add(from + 1)
  for (const to of reached) if (FILLERS.has(found[to]?.text ?? '')) reached.add(to + 1)
  return [...reached].filter(to => to >= 1 && to <= found.length).toSorted((a, b) => a - b)
}

type Rows = { readonly above: Row; readonly before: Row; readonly row: Row }
type Words = {
  readonly expected: readonly Token[]
  readonly found: readonly Token[]
  readonly vocabulary: ReadonlySet<string>
}

function getCell(
  index: number,
  to: number,
  { above, before, row }: Rows,
  { expected, found, vocabulary }: Words,
): Cell {
  const word = expected[index]
  const there = found[to - 1]
  if (!word || !there) return NOWHERE
  const straight = above.get(to - 1)
  const ways = [
    straight
      ? addEdits(straight, computeSubstitution(word, there, index === 0, vocabulary))
      : NOWHERE,
  ]
  const previous = { expected: expected[index - 1]?.text, found: found[to - 2]?.text }
  if (previous.found !== undefined && previous.found + there.text === word.text)
    ways.push(addEdits(above.get(to - 2), 0))
  if (previous.expected !== undefined && previous.expected + word.text === there.text)
    ways.push(addEdits(before.get(to - 1), 0))
  if (FILLERS.has(there.text)) ways.push(addEdits(row.get(to - 1), 1))
  if (FILLERS.has(word.text)) ways.push(addEdits(above.get(to), 1))
  return ways.reduce((best, way) => (way.edits < best.edits ? way : best), NOWHERE)
}

function addEdits(cell: Cell | undefined, edits: number): Cell {
  return cell ? { edits: cell.edits + edits, from: cell.from } : NOWHERE
}

function computeSubstitution(
  word: Token,
  there: Token,
  isFirst: boolean,
  vocabulary: ReadonlySet<string>,
): number {
  if (word.text === there.text)
    return hasSameCase(word, there, isFirst) ? 0 : Number.POSITIVE_INFINITY
  if (INTERCHANGEABLE.some(group => group.has(word.text) && group.has(there.text))) return 1
  if (vocabulary.has(word.text) || PROTECTED.test(word.text) || PROTECTED.test(there.text))
    return Number.POSITIVE_INFINITY
  return isMistyped(word, there) ? 1 : Number.POSITIVE_INFINITY
}

function hasSameCase(word: Token, there: Token, isFirst: boolean): boolean {
  const isAcronym = (token: Token) =>
    token.written.length > 1 && token.written === token.written.toUpperCase()
  return (
    isFirst || isAcronym(word) === isAcronym(there) || !/\p{Lu}/u.test(word.written + there.written)
  )
}

/** Requires five letters, no capital, no digit. */
function isMistyped(word: Token, there: Token): boolean {
  const isOrdinary = (token: Token) => /^\p{Ll}{5,}$/u.test(token.written)
  return isOrdinary(word) && isOrdinary(there) && isSlip(word.text, there.text)
}

/** Last vowel and what follows, because a sulfite is no sulfate. */
const LAST_VOWEL = /^[aeiouy][^aeiouy]*e?$/

/**
 * Accepts one slip. First letter, last letter and last vowel must agree: employer and employee
 * differ.
 */
function isSlip(written: string, word: string): boolean {
  if (written[0] !== word[0] || written === word) return false
  const start = [...written].findIndex((letter, index) => letter !== word[index])
  const [a, b] =
    start < 0 ? ['', word.slice(written.length)] : [written.slice(start), word.slice(start)]
  if (written.length !== word.length) return a.slice(1) === b || a === b.slice(1)
  if (a.slice(1) === b.slice(1)) return a.length > 1 && !(LAST_VOWEL.test(a) && LAST_VOWEL.test(b))
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
}
