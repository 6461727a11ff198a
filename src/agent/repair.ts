import type { Span } from '../ingest/sentences.ts'

/** A word, a number, a sign of quantity or one Han character of a text. */
type Token = { readonly text: string; readonly written: string; readonly span: Span }

/** Where a quotation stands in a text, and in how many places its words differ from it. */
export type Alignment = { readonly span: Span; readonly edits: number }

const TOKEN = /\p{Script=Han}|\p{N}+(?:[.,:]\p{N}+)*|(?:(?!\p{Script=Han})[\p{L}\p{M}_])+|[%‰$€£¥°±<>=]|[-−](?=\p{N})/gu

/** A quotation needs so many words, or Han characters, before a slip in it may be told from another statement. */
const MIN_TOKENS = 4
/** One slip for so many words, and never more than a few. */
const TOKENS_PER_EDIT = 8
const MAX_EDITS = 3
const MAX_QUOTE_TOKENS = 200

/** Words that may be missing or too many without changing what is said. */
const FILLERS = new Set(['a', 'an', 'the', 'that', '的', '了'])

/** Han characters that are written for each other by mistake and mean the same there. */
const INTERCHANGEABLE = ['的地得', '帐账', '做作', '像象', '哪那', '份分', '订定', '坐座'].map(group => new Set(group))

/** Never taken for a slip of one another, however alike: three and there, month and mouth, shall and shell. */
const PROTECTED =
  /^(?:three|seven|eight|fif\w*|six\w*|nin\w*|twe\w*|thir\w*|four\w*|hundreds?|thousands?|millions?|billions?|trillions?|first|second|third|months?|hours?|weeks?|years?|minutes?|seconds?|metres?|meters?|never|shall|should|could|would|might|cannot|except|until|above|below|under|over|before|after|within|without|least|less|more|most|fewer)$/

/**
 * Where the words of a quotation stand in a text when at most a few of them are written otherwise: a wrong letter inside
 * a longer word, an article too many, a word broken by a hyphen. A number, a name, a negation or any other word is never
 * taken for another. Undefined when there is no such place, or more than one.
 */
export function align(text: string, quote: string): Alignment | undefined {
  const wanted = tokensOf(quote)
  if (wanted.length === 0 || wanted.length > MAX_QUOTE_TOKENS) return undefined
  const found = tokensOf(text)
  const known = new Set(found.map(token => token.text))
  const allowed =
    wanted.length < MIN_TOKENS ? 0 : Math.min(MAX_EDITS, Math.max(1, Math.floor(wanted.length / TOKENS_PER_EDIT)))
  const ends = alignmentsEnding(wanted, found, known).filter(({ edits }) => edits <= allowed)
  const edits = Math.min(...ends.map(end => end.edits))
  const best = ends.filter(end => end.edits === edits)
  const [first] = best
  if (!first) return undefined
  const isElsewhere = best.some(other => other.from > first.to)
  if (edits > 0 && isElsewhere) return undefined
  const span = { start: found[first.from]!.span.start, end: found[first.to]!.span.end } // both are places in found
  return { span, edits }
}

function tokensOf(text: string): readonly Token[] {
  const clean = text.replace(/\u00AD/g, ' ')
  return [...clean.matchAll(TOKEN)].map(({ 0: written, index }) => ({
    text: written.normalize('NFKC').toLowerCase().replace('−', '-').replaceAll(',', ''),
    written: written.normalize('NFKC'),
    span: { start: index, end: index + written.length },
  }))
}

/** The cheapest way to come to a cell of the table, and the token of the text that it began at. */
type Cell = { readonly edits: number; readonly from: number }
type Ending = { readonly from: number; readonly to: number; readonly edits: number }

const NOWHERE: Cell = { edits: Number.POSITIVE_INFINITY, from: 0 }

/** Sellers' approximate matching, over words: each row a word of the quotation, each column one of the text. */
function alignmentsEnding(
  wanted: readonly Token[],
  found: readonly Token[],
  known: ReadonlySet<string>,
): readonly Ending[] {
  let rows: readonly (readonly Cell[])[] = [Array.from({ length: found.length + 1 }, (_, from) => ({ edits: 0, from }))]
  for (const [at, word] of wanted.entries()) {
    const row: Cell[] = [NOWHERE]
    for (let to = 1; to <= found.length; to++) row.push(cellOf({ wanted, found, known, rows, row, at, to, word }))
    rows = [...rows.slice(-1), row]
  }
  const last = rows.at(-1)! // there is a row for each word
  return last.flatMap((cell, to) => (Number.isFinite(cell.edits) && to > cell.from ? [{ ...cell, to: to - 1 }] : []))
}

type Step = {
  readonly wanted: readonly Token[]
  readonly found: readonly Token[]
  readonly known: ReadonlySet<string>
  /** The rows of the words before, the last one last. */
  readonly rows: readonly (readonly Cell[])[]
  readonly row: readonly Cell[]
  readonly at: number
  readonly to: number
  readonly word: Token
}

function cellOf({ wanted, found, known, rows, row, at, to, word }: Step): Cell {
  const there = found[to - 1]! // columns count from 1
  const above = rows.at(-1)!
  const before = rows.at(-2)
  const ways = [plus(above[to - 1], substitution(word, there, at === 0, known))]
  if (to > 1 && found[to - 2]!.text + there.text === word.text) ways.push(plus(above[to - 2], 0))
  if (at > 0 && before && wanted[at - 1]!.text + word.text === there.text) ways.push(plus(before[to - 1], 0))
  if (FILLERS.has(there.text) && row.length > 1) ways.push(plus(row[to - 1], 1))
  if (FILLERS.has(word.text)) ways.push(plus(above[to], 1))
  return ways.reduce((best, way) => (way.edits < best.edits ? way : best), NOWHERE)
}

function plus(cell: Cell | undefined, edits: number): Cell {
  return cell ? { edits: cell.edits + edits, from: cell.from } : NOWHERE
}

/** Nothing when the words are the same, one edit for a slip, and no way for another word. */
function substitution(word: Token, there: Token, isFirst: boolean, known: ReadonlySet<string>): number {
  if (word.text === there.text) return sameCase(word, there, isFirst) ? 0 : Number.POSITIVE_INFINITY
  if (INTERCHANGEABLE.some(group => group.has(word.text) && group.has(there.text))) return 1
  if (known.has(word.text) || PROTECTED.test(word.text) || PROTECTED.test(there.text)) return Number.POSITIVE_INFINITY
  return isSlip(word, there) ? 1 : Number.POSITIVE_INFINITY
}

/** `US` is not `us`; at the start of a quotation and in headings, words change their case freely. */
function sameCase(word: Token, there: Token, isFirst: boolean): boolean {
  const isAcronym = (token: Token) => token.written.length > 1 && token.written === token.written.toUpperCase()
  return isFirst || isAcronym(word) === isAcronym(there) || !/\p{Lu}/u.test(word.written + there.written)
}

/** One wrong letter inside an ordinary word: five letters or more, no capital, no digit, the first letter right. */
function isSlip(word: Token, there: Token): boolean {
  const isOrdinary = (token: Token) => /^\p{Ll}{5,}$/u.test(token.written)
  if (!isOrdinary(word) || !isOrdinary(there) || word.text[0] !== there.text[0]) return false
  if (/e[re]$/.test(word.text) && /e[re]$/.test(there.text)) return false // employer, employee
  return isOneApart(word.text, there.text)
}

/** One letter changed, left out, put in, or two neighbours swapped. */
function isOneApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
