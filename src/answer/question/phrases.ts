import { findDates, findWeekdays } from '../../text/dates.ts'
import { findQuantities } from '../../text/quantities.ts'
import { segmentText } from '../../text/segments.ts'
import { areOverlapping, type Span } from '../../text/sentences.ts'
import { Terms } from '../../text/terms.ts'
import type { Grammar } from './grammar.ts'
import { MEASURES } from './measures.ts'
import type { Phrase, QuestionTerm } from './question.ts'

const terms = new Terms()

type PhraseContext = {
  readonly names: readonly string[]
  readonly terms: readonly QuestionTerm[]
  readonly grammar: Grammar
}
type Placed = Pick<Phrase, 'kind' | 'unit' | 'year'> & { readonly span: Span }

/** Finds values, then runs of content words. Runs end before names, so that these stay whole. */
export function findPhrases(
  clause: string,
  rest: string,
  context: PhraseContext,
): readonly Phrase[] {
  const names = findNames(rest, context.names)
  const runs = findRuns(rest)
    .map((span): Placed => ({ kind: 'thing', span: cutBeforeNames(span, names) }))
    .filter(({ span }) => span.start < span.end)
  return [
    ...findValues(clause, context.names).map(value => toPhrase(clause, value, context)),
    ...runs.map(run => toPhrase(rest, run, context)),
  ].filter(({ words }) => words.length > 0)
}

/** Returns values and the complete fragment; a month needs a preposition. */
export function toFragment(named: string, context: PhraseContext): readonly Phrase[] {
  const text = `in ${named}`
  const values = findValues(text, context.names).map(({ span: { start, end }, ...value }) => ({
    ...value,
    span: { start: start - 3, end: end - 3 },
  }))
  const [first] = findRuns(named)
  if (!first) return []
  const all: readonly Placed[] = [
    ...values,
    { kind: 'thing', span: { start: first.start, end: named.length } },
  ]
  return all.map(value => toPhrase(named, value, context))
}

function toPhrase(
  text: string,
  { span: { start, end }, ...placed }: Placed,
  { terms: content, grammar }: PhraseContext,
): Phrase {
  const { lead, auxiliary } =
    grammar.lead.exec(text.slice(Math.max(0, start - 24), start))?.groups ?? {}
  const written = text.slice(start, end).trim()
  const shortened = auxiliary && placed.kind === 'thing' ? written.replace(LAST_WORD, '') : written
  const isMeasure =
    placed.kind === 'thing' &&
    MEASURES[grammar.language].some(({ pattern }) => pattern.test(shortened))
  const own = new Set(terms.listContent(shortened).map(term => term.text))
  return {
    ...placed,
    ...(isMeasure && { kind: 'measure' }),
    text: shortened,
    words: splitWords(shortened),
    ...(lead !== undefined && { lead: lead.toLowerCase() }),
    isRequested: content.some(term => term.role === 'asked' && own.has(term.text)),
  }
}

const LAST_WORD = /(?<=\S)\s+\S+$/u

function findValues(text: string, names: readonly string[]): readonly Placed[] {
  const dates = findDates(text)
  const named = findNames(text, names)
  const consumed = [...dates.map(({ span }) => span), ...named]
  const quantities = findQuantities(text).filter(
    ({ span }) => !consumed.some(other => areOverlapping(other, span)),
  )
  return [
    ...dates.map(
      ({ span, year }): Placed => ({ kind: 'date', span, ...(year !== undefined && { year }) }),
    ),
    ...findWeekdays(text).map(({ span }): Placed => ({ kind: 'weekday', span })),
    ...quantities.map(
      ({ span, unit }): Placed => ({ kind: 'number', span, ...(unit && { unit }) }),
    ),
    ...named.map((span): Placed => ({ kind: 'name', span })),
  ]
}

function findNames(text: string, names: readonly string[]): readonly Span[] {
  const spans = names
    .filter(
      name => text.includes(name) && !names.some(other => other !== name && other.includes(name)),
    )
    .map(name => ({ start: text.indexOf(name), end: text.indexOf(name) + name.length }))
  return [...spans.flatMap(first => joinNames(text, first, spans)), ...spans]
}

/** Finds names such as `Hall of Ships`. */
function joinNames(text: string, { start, end }: Span, names: readonly Span[]): readonly Span[] {
  const next = names.find(name => name.start > end)
  const isJoined = next && /^ of (?:the )?$/u.test(text.slice(end, next.start))
  return isJoined ? [{ start, end: next.end }] : []
}

function cutBeforeNames(run: Span, names: readonly Span[]): Span {
  const starts = names.filter(name => areOverlapping(name, run)).map(({ start }) => start)
  return { start: run.start, end: Math.max(run.start, Math.min(run.end, ...starts)) }
}

/** Things of one coordination; protects against many searches. */
const MAX_CONJUNCTS = 4

/** Splits a clause such as "what are A and B?". */
export function splitConjuncts(
  clause: string,
  { conjunction, lead }: Grammar,
): readonly { readonly thing: string; readonly text: string }[] {
  const runs = findRuns(clause)
  const isJoined = (index: number) =>
    index > 0 && conjunction.test(clause.slice(runs[index - 1]?.end, runs[index]?.start))
  const first = runs.findIndex((_, index) => isJoined(index + 1))
  if (first < 0) return []
  const next = runs.findIndex((_, index) => index > first && !isJoined(index))
  const things = runs.slice(first, next < 0 ? undefined : next)
  const [head, last] = [things[0], things.at(-1)]
  if (!head || !last || things.length > MAX_CONJUNCTS) return []
  const before = clause.slice(0, head.start)
  const behind = clause.slice(last.end)
  const isNested =
    lead.exec(before)?.groups?.lead !== undefined && /^\s+(?:of|for|in)\b/iu.test(behind)
  if (isNested) return [] // "the price of tea and the weight of coffee"
  return things.map(({ start, end }) => {
    const thing = clause.slice(start, end)
    return { thing, text: before + thing + behind }
  })
}

function findRuns(text: string): readonly Span[] {
  const runs: Span[] = []
  let isOpen = false
  for (const { index, segment, isWordLike } of segmentText(text)) {
    if (segment.trim() === '') continue
    const isContent = isWordLike === true && terms.listContent(segment).length > 0
    const end = index + segment.length
    if (isContent && isOpen) runs.push({ start: runs.pop()!.start, end })
    else if (isContent) runs.push({ start: index, end })
    isOpen = isContent
  }
  return runs
}

function splitWords(text: string): readonly string[] {
  return segmentText(text).flatMap(({ segment, isWordLike }) =>
    isWordLike && terms.listContent(segment).length > 0 ? [segment] : [],
  )
}
