import type { Passage } from '../../search/passages/passage.ts'
import { detectLanguage, type Language } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import type { Evidence } from '../evidence/features.ts'
import { IN_OTHER_LANGUAGE } from '../phrases.ts'
import { introducesList, type Statement, toStatements } from '../statements.ts'
import { toPlainText } from './plain-text.ts'

/** A stretch of a passage to be quoted. */
export type Quote = { readonly passage: Passage; readonly span: Span }

/** A quote as a person reads it, and, where it is in the other language, that it is. */
export function quoteText(quote: Quote, language: Language): string {
  const text = toPlainText(quote)
  return detectLanguage(text) === language ? text : `${IN_OTHER_LANGUAGE[language]}${text}`
}

/** How much is quoted. */
type SelectionOptions = {
  readonly quotes: number
  readonly characters: number
  /** A further statement must be so nearly as likely to answer as the best one: their odds, as a ratio. */
  readonly nearly: number
}

/** What an answer quotes. */
const BRIEF: SelectionOptions = { quotes: 3, characters: 600, nearly: 0.35 }
/** What is shown if nothing answers. */
export const NEAREST: SelectionOptions = { quotes: 4, characters: 12_000, nearly: 0 }

/** A paragraph no longer than this is quoted whole, in letters. */
const MAX_PARAGRAPH = 280
/** Neighbours are taken along only if they are short. */
const MAX_NEIGHBOUR = 220
/** A Chinese character says about as much as so many letters: 文档中没有说明 is `The documents do not say`. */
const LETTERS_OF_HAN = 3

/** What is quoted, in the order of its likelihood, and how much as good is not. */
export type Selection = { readonly quotes: readonly Quote[]; readonly more: number }

/** What may be quoted: the best statement, then those nearly as good. */
export function selectNearlyBest(
  ranking: readonly Evidence[],
  { nearly }: SelectionOptions = BRIEF,
): readonly Evidence[] {
  const [best] = ranking
  return best
    ? removeCopies(ranking.filter(one => computeOdds(one) >= computeOdds(best) * nearly))
    : []
}

/** As many as there is room for, with the neighbours that they need to be read. What meets or overlaps is one quote. */
export function selectQuotes(
  near: readonly Evidence[],
  options: SelectionOptions = BRIEF,
): Selection {
  const quotes: Quote[] = []
  let more = Math.max(0, near.length - options.quotes)
  for (const { candidate } of near.slice(0, options.quotes)) {
    const joined = joinCandidates(quotes, isReadable(candidate.statement))
    if (quotes.length > 0 && getLength(joined) > options.characters) continue
    if (getLength(joined) > getLength(quotes)) more += candidate.statement.left ?? 0
    quotes.splice(0, quotes.length, ...joined)
  }
  const read = near.slice(0, options.quotes).map(({ candidate }) => candidate.statement)
  return { quotes: withNotes(quotes, read), more }
}

/** The notes of the rows that are quoted behind them. */
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

/** The same words in two copies of a document are quoted once. */
function removeCopies(evidence: readonly Evidence[]): readonly Evidence[] {
  const key = ({ candidate: { statement } }: Evidence) =>
    [...statement.columns, statement.text].join('|').replace(/\s+/g, '')
  const first = new Map(evidence.toReversed().map(one => [key(one), one]))
  return evidence.filter(one => first.get(key(one)) === one)
}

/** The statement with what it needs to be read: its paragraph if that is short, and what announces it or it announces. */
function isReadable(statement: Statement): Quote {
  const { passage } = statement
  if (statement.kind !== 'sentence') return { passage, span: statement.span }
  const all = toStatements(passage).filter(other => other.kind === 'sentence')
  const at = all.findIndex(other => other.span.start === statement.span.start)
  const paragraph = all.filter(other => other.block === statement.block)
  const first = paragraph[0] ?? statement
  const last = paragraph.at(-1) ?? statement
  if (keepLetters(passage.text.slice(first.span.start, last.span.end)) <= MAX_PARAGRAPH)
    return withAnnounced(all, all.indexOf(first), all.indexOf(last))
  return withAnnounced(all, at, at)
}

/** With a statement what announces it, where that stands right above; behind a lead-in or a label what it announces. */
function withAnnounced(all: readonly Statement[], from: number, to: number): Quote {
  const first = all[from]!
  const last = all[to]! // places of statements
  const lead = all[from - 1]
  const start =
    lead && (introducesList(lead) || (first.isItem && lead.isLabel)) && isShort(lead) ? lead : first
  const next = all[to + 1]
  const end = next && (introducesList(last) || last.isLabel) && isShort(next) ? next : last
  return { passage: first.passage, span: { start: start.span.start, end: end.span.end } }
}

function isShort({ text }: Statement): boolean {
  return keepLetters(text) <= MAX_NEIGHBOUR
}

function keepLetters(text: string): number {
  return text.length + (LETTERS_OF_HAN - 1) * (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

function joinCandidates(quotes: readonly Quote[], quote: Quote): readonly Quote[] {
  const at = quotes.findIndex(other => meets(other, quote))
  if (at < 0) return [...quotes, quote]
  const other = quotes[at]! // just found
  const span = {
    start: Math.min(other.span.start, quote.span.start),
    end: Math.max(other.span.end, quote.span.end),
  }
  return quotes.with(at, { passage: quote.passage, span })
}

function meets(a: Quote, b: Quote): boolean {
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
