import type { Passage } from '../../search/passages/passage.ts'
import { detectLanguage, type Language } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import type { Evidence } from '../evidence/features.ts'
import { IN_OTHER_LANGUAGE } from '../phrases.ts'
import { isLeadIn, type Statement, toStatements } from '../statements.ts'
import { toPlainText } from './plain-text.ts'

export type Quote = { readonly passage: Passage; readonly span: Span }

/** Marks the other language. */
export function quoteText(quote: Quote, language: Language): string {
  const text = toPlainText(quote)
  return detectLanguage(text) === language ? text : `${IN_OTHER_LANGUAGE[language]}${text}`
}

type SelectionOptions = {
  readonly quotes: number
  readonly characters: number
  /** Minimum ratio of odds to the best statement. */
  readonly nearly: number
}

const BRIEF: SelectionOptions = { quotes: 3, characters: 600, nearly: 0.35 }
/** Shown if nothing answers. */
export const NEAREST: SelectionOptions = { quotes: 4, characters: 12_000, nearly: 0 }

/** Letters of a paragraph quoted completely, so that answers stay short. */
const MAX_PARAGRAPH = 280
/** Letters of a neighbour, so that answers stay short. */
const MAX_NEIGHBOUR = 220
/** Letters that a Han character counts for, so that both languages are quoted alike. */
const LETTERS_OF_HAN = 3

export type QuoteSelection = { readonly quotes: readonly Quote[]; readonly more: number }

export function selectNearlyBest(
  ranking: readonly Evidence[],
  { nearly }: SelectionOptions = BRIEF,
): readonly Evidence[] {
  const [best] = ranking
  return best
    ? removeCopies(
        ranking.filter(candidate => computeOdds(candidate) >= computeOdds(best) * nearly),
      )
    : []
}

/** Joins overlapping quotations. */
export function selectQuotes(
  near: readonly Evidence[],
  options: SelectionOptions = BRIEF,
): QuoteSelection {
  const quotes: Quote[] = []
  let more = Math.max(0, near.length - options.quotes)
  for (const { candidate } of near.slice(0, options.quotes)) {
    const joined = joinCandidates(quotes, toReadableQuote(candidate.statement))
    if (quotes.length > 0 && getLength(joined) > options.characters) continue
    if (getLength(joined) > getLength(quotes)) more += candidate.statement.omittedCount ?? 0
    quotes.splice(0, quotes.length, ...joined)
  }
  const read = near.slice(0, options.quotes).map(({ candidate }) => candidate.statement)
  return { quotes: withNotes(quotes, read), more }
}

function withNotes(quotes: readonly Quote[], statements: readonly Statement[]): readonly Quote[] {
  const isQuoted = ({ passage, span }: Statement) =>
    quotes.some(
      quote =>
        quote.passage === passage && quote.span.start <= span.start && span.end <= quote.span.end,
    )
  const notes = statements
    .filter(isQuoted)
    .flatMap(({ passage, notes = [] }) => notes.map(span => ({ passage, span })))
  return notes.reduce<readonly Quote[]>(joinCandidates, quotes)
}

function computeOdds({ score }: Evidence): number {
  return score / Math.max(1e-6, 1 - score)
}

function removeCopies(evidence: readonly Evidence[]): readonly Evidence[] {
  const getKey = ({ candidate: { statement } }: Evidence) =>
    [...statement.columns, statement.text].join('|').replace(/\s+/g, '')
  const first = new Map(evidence.toReversed().map(candidate => [getKey(candidate), candidate]))
  return evidence.filter(candidate => first.get(getKey(candidate)) === candidate)
}

function toReadableQuote(statement: Statement): Quote {
  const { passage } = statement
  if (statement.kind !== 'sentence') return { passage, span: statement.span }
  const all = toStatements(passage).filter(other => other.kind === 'sentence')
  const index = all.findIndex(other => other.span.start === statement.span.start)
  const paragraph = all.filter(other => other.block === statement.block)
  const first = paragraph[0] ?? statement
  const last = paragraph.at(-1) ?? statement
  if (countLetters(passage.text.slice(first.span.start, last.span.end)) <= MAX_PARAGRAPH)
    return withAnnounced(all, all.indexOf(first), all.indexOf(last))
  return withAnnounced(all, index, index)
}

/** Adds the lead-in directly above, or what a lead-in announces. */
function withAnnounced(all: readonly Statement[], from: number, to: number): Quote {
  const first = all[from]!
  const last = all[to]!
  const lead = all[from - 1]
  const start =
    lead && (isLeadIn(lead) || (first.isItem && lead.isLabel)) && isShort(lead) ? lead : first
  const next = all[to + 1]
  const end = next && canAnnounce(last, next) && isShort(next) ? next : last
  return { passage: first.passage, span: { start: start.span.start, end: end.span.end } }
}

function canAnnounce(line: Statement, next: Statement): boolean {
  if (next.isHeading) return false
  return isLeadIn(line) || line.isHeading || (line.isLabel && !next.isLabel)
}

function isShort({ text }: Statement): boolean {
  return countLetters(text) <= MAX_NEIGHBOUR
}

function countLetters(text: string): number {
  return text.length + (LETTERS_OF_HAN - 1) * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

function joinCandidates(quotes: readonly Quote[], quote: Quote): readonly Quote[] {
  const index = quotes.findIndex(other => canJoin(other, quote))
  if (index < 0) return [...quotes, quote]
  const other = quotes[index]!
  const span = {
    start: Math.min(other.span.start, quote.span.start),
    end: Math.max(other.span.end, quote.span.end),
  }
  return quotes.with(index, { passage: quote.passage, span })
}

function canJoin(a: Quote, b: Quote): boolean {
  if (a.passage !== b.passage) return false
  const [first, second] = a.span.start <= b.span.start ? [a, b] : [b, a]
  return (
    second.span.start <= first.span.end ||
    first.passage.text.slice(first.span.end, second.span.start).trim() === ''
  )
}

function getLength(quotes: readonly Quote[]): number {
  return quotes.reduce((sum, { span }) => sum + span.end - span.start, 0)
}
