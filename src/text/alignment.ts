import type { Span } from './sentences.ts'
import { isSlip } from './slips.ts'

/** A word, a number, a sign of quantity or one character of a text without spaces. */
type Token = { readonly text: string; readonly written: string; readonly span: Span }

/** Where a quotation stands in a text, and in how many places its words differ from it. */
export type Alignment = { readonly span: Span; readonly edits: number }

/** Letters of scripts that part no words by spaces, or not all of them, are words by themselves. */
const LETTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]'
const TOKEN = new RegExp(
  `${LETTER}|\\p{N}+(?:[.,:]\\p{N}+)*|(?:(?!${LETTER})[\\p{L}\\p{M}_])+|[%‰$€£¥°±<>=]|[-−](?=\\p{N})`,
  'gu',
)

/** A quotation needs so many words, or Han characters, before a slip in it may be told from another statement. */
const MIN_TOKENS = 4
/** One slip for so many words, and never more than a few. */
const TOKENS_PER_EDIT = 8
const MAX_EDITS = 3
const MAX_QUOTE_TOKENS = 200

/** Words that may be missing or too many without changing what is said. */
const FILLERS = new Set(['a', 'an', 'the', 'that', '的', '了'])

/** Han characters that are written for each other by mistake and mean the same there. */
const INTERCHANGEABLE = ['的地得', '帐账', '做作', '像象', '哪那', '份分', '订定', '坐座'].map(
  group => new Set(group),
)

/** Never taken for a slip of one another, however alike: three and there, month and mouth, shall and shell. */
const PROTECTED =
  /^(?:three|seven|eight|fif\w*|six\w*|nin\w*|twe\w*|thir\w*|four\w*|hundreds?|thousands?|millions?|billions?|trillions?|first|second|third|months?|hours?|weeks?|years?|minutes?|seconds?|metres?|meters?|never|shall|should|could|would|might|cannot|except|until|above|below|under|over|before|after|within|without|least|less|more|most|fewer)$/

/** The words of a text, read once for all quotations that are looked for in it. */
export type Wording = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly known: ReadonlySet<string>
  /** Neighbours as one word: how a word broken by a hyphen is told. */
  readonly joined: ReadonlySet<string>
  /** All words as they are written, each between two line breaks. */
  readonly written: string
}

export function wordingOf(text: string): Wording {
  const tokens = tokensOf(text)
  const joined = tokens.slice(1).map((token, at) => tokens[at]!.text + token.text) // the one before it
  const written = ['', ...tokens.map(token => token.written), ''].join('\n')
  return {
    text,
    tokens,
    known: new Set(tokens.map(token => token.text)),
    joined: new Set(joined),
    written,
  }
}

/** Where the words of a quotation first stand one after the other. */
export function locate({ tokens, written }: Wording, quote: Wording): Span | undefined {
  const at = quote.tokens.length === 0 ? -1 : written.indexOf(quote.written)
  if (at < 0) return undefined
  const first = written.slice(0, at).split('\n').length - 1
  const last = first + quote.tokens.length - 1
  return { start: tokens[first]!.span.start, end: tokens[last]!.span.end } // each stands between two breaks
}

/**
 * Where the words of a quotation stand in a text when at most a few of them are written otherwise: a wrong letter inside
 * a longer word, an article too many, a word broken by a hyphen. A number, a name, a negation or any other word is never
 * taken for another. Undefined when there is no such place, or more than one.
 */
export function align(
  { tokens: found, known, joined }: Wording,
  { tokens: wanted }: Wording,
): Alignment | undefined {
  if (wanted.length === 0 || wanted.length > MAX_QUOTE_TOKENS) return undefined
  const allowed =
    wanted.length < MIN_TOKENS
      ? 0
      : Math.min(MAX_EDITS, Math.max(1, Math.floor(wanted.length / TOKENS_PER_EDIT)))
  if (strangers(wanted, known, joined) > allowed) return undefined
  const ends = alignmentsEnding({ wanted, found, known }, allowed)
  const edits = Math.min(...ends.map(end => end.edits))
  const best = ends.filter(end => end.edits === edits)
  const [first] = best
  if (!first) return undefined
  const isElsewhere = best.some(other => other.from > first.to)
  if (edits > 0 && isElsewhere) return undefined
  const span = { start: found[first.from]!.span.start, end: found[first.to]!.span.end } // both are places in found
  return { span, edits }
}

/** Words that the text has nowhere, whole or broken: each costs an edit wherever the quotation is put. */
function strangers(
  wanted: readonly Token[],
  known: ReadonlySet<string>,
  joined: ReadonlySet<string>,
): number {
  const isStrange = ({ text }: Token, at: number) => {
    const withLast = (wanted[at - 1]?.text ?? '') + text
    const withNext = text + (wanted[at + 1]?.text ?? '')
    return !known.has(text) && !joined.has(text) && !known.has(withLast) && !known.has(withNext)
  }
  return wanted.filter(isStrange).length
}

function tokensOf(text: string): readonly Token[] {
  const clean = text.replace(/\u00AD/g, ' ')
  return [...clean.matchAll(TOKEN)].map(({ 0: written, index }) => ({
    text: written.normalize('NFKC').toLowerCase().replace('−', '-').replaceAll(',', ''),
    written: written.normalize('NFKC').replace('−', '-'),
    span: { start: index, end: index + written.length },
  }))
}

/** The cheapest way to come to a cell of the table, and the token of the text that it began at. */
type Cell = { readonly edits: number; readonly from: number }
type Ending = { readonly from: number; readonly to: number; readonly edits: number }
/** The cells that can be come to at all, by column: mostly none or one. */
type Row = ReadonlyMap<number, Cell>

const NOWHERE: Cell = { edits: Number.POSITIVE_INFINITY, from: 0 }

/** Sellers' approximate matching, over words: each row a word of the quotation, each column one of the text. */
function alignmentsEnding(words: Words, allowed: number): readonly Ending[] {
  const { wanted, found } = words
  let before: Row = new Map()
  let above: Row = new Map(
    Array.from({ length: found.length + 1 }, (_, from) => [from, { edits: 0, from }]),
  )
  for (const at of wanted.keys()) {
    const row = new Map<number, Cell>()
    for (const to of columns(above, before, found)) {
      const cell = cellAt(at, to, { above, before, row }, words)
      if (cell.edits <= allowed) row.set(to, cell)
    }
    before = above
    above = row
    if (above.size + before.size === 0) return []
  }
  return [...above].flatMap(([to, cell]) => (to > cell.from ? [{ ...cell, to: to - 1 }] : []))
}

/** Where a way may lead to from the rows before, and on over words that may be too many, from left to right. */
function columns(above: Row, before: Row, found: readonly Token[]): readonly number[] {
  const reached = new Set<number>()
  for (const from of above.keys()) for (const to of [from, from + 1, from + 2]) reached.add(to)
  for (const from of before.keys()) reached.add(from + 1)
  for (const to of reached) if (FILLERS.has(found[to]?.text ?? '')) reached.add(to + 1)
  return [...reached].filter(to => to >= 1 && to <= found.length).toSorted((a, b) => a - b)
}

/** The row of the word before, the one before that, and the row of the word itself. */
type Rows = { readonly above: Row; readonly before: Row; readonly row: Row }
type Words = {
  readonly wanted: readonly Token[]
  readonly found: readonly Token[]
  readonly known: ReadonlySet<string>
}

function cellAt(
  at: number,
  to: number,
  { above, before, row }: Rows,
  { wanted, found, known }: Words,
): Cell {
  const word = wanted[at]!
  const there = found[to - 1]! // columns count from 1
  const straight = above.get(to - 1)
  const ways = [straight ? plus(straight, substitution(word, there, at === 0, known)) : NOWHERE]
  if (to > 1 && found[to - 2]!.text + there.text === word.text)
    ways.push(plus(above.get(to - 2), 0))
  if (at > 0 && wanted[at - 1]!.text + word.text === there.text)
    ways.push(plus(before.get(to - 1), 0))
  if (FILLERS.has(there.text)) ways.push(plus(row.get(to - 1), 1))
  if (FILLERS.has(word.text)) ways.push(plus(above.get(to), 1))
  return ways.reduce((best, way) => (way.edits < best.edits ? way : best), NOWHERE)
}

function plus(cell: Cell | undefined, edits: number): Cell {
  return cell ? { edits: cell.edits + edits, from: cell.from } : NOWHERE
}

/** Nothing when the words are the same, one edit for a slip, and no way for another word. */
function substitution(
  word: Token,
  there: Token,
  isFirst: boolean,
  known: ReadonlySet<string>,
): number {
  if (word.text === there.text) return sameCase(word, there, isFirst) ? 0 : Number.POSITIVE_INFINITY
  if (INTERCHANGEABLE.some(group => group.has(word.text) && group.has(there.text))) return 1
  if (known.has(word.text) || PROTECTED.test(word.text) || PROTECTED.test(there.text))
    return Number.POSITIVE_INFINITY
  return isMistyped(word, there) ? 1 : Number.POSITIVE_INFINITY
}

/** `US` is not `us`; at the start of a quotation and in headings, words change their case freely. */
function sameCase(word: Token, there: Token, isFirst: boolean): boolean {
  const isAcronym = (token: Token) =>
    token.written.length > 1 && token.written === token.written.toUpperCase()
  return (
    isFirst || isAcronym(word) === isAcronym(there) || !/\p{Lu}/u.test(word.written + there.written)
  )
}

/** A slip in an ordinary word: five letters or more, no capital, no digit. */
function isMistyped(word: Token, there: Token): boolean {
  const isOrdinary = (token: Token) => /^\p{Ll}{5,}$/u.test(token.written)
  return isOrdinary(word) && isOrdinary(there) && isSlip(word.text, there.text)
}
