import { findDates } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import { findQuantities } from '../../text/quantities.ts'
import { doOverlap, type Span } from '../../text/sentences.ts'
import { toSimplified } from '../../text/simplified.ts'
import { type Term, Terms } from '../../text/terms.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import type { Form, Grammar } from './grammar.ts'
import { MEASURES } from './measures.ts'
import { findPhrases, toFragment } from './phrases.ts'
import {
  type AskedValue,
  getOwnTerms,
  type Order,
  type Question,
  type QuestionTerm,
} from './question.ts'

/** What follows is looked for by its words, and not read as grammar. */
const MAX_CHARACTERS = 1_000
const MAX_PARTS = 4

const QUOTED =
  /“[^”]{1,200}”|"[^"]{1,200}"|「[^」]{1,200}」|『[^』]{1,200}』|《[^》]{1,200}》|`[^`]{1,200}`/gu
const IDENTIFIER =
  /(?<![\p{Script=Latin}\p{N}_])(?=[\w./-]{0,40}\p{N})(?=[\w./-]{0,40}[A-Za-z_])[A-Za-z\p{N}][\w./-]{1,40}/gu
/** Stands where words that ask were taken out, so that it can be told what stood beside them. */
const ASKED_HERE = '?'
const TRAILING = /[\s.?!。？！，,:：]+$/u

/** A clause as it is read: what is left of its words, and what those that were taken out said. */
type Clause = {
  readonly rest: string
  readonly readings: readonly (Form & {
    readonly groups: Readonly<Record<string, string | undefined>>
  })[]
}

const terms = new Terms()

/**
 * What a user's words ask. Never throws; where nothing is asked the kind is `nothing`. `language` is that of the words around
 * names and quotations.
 */
export function parseQuestion(text: string, language: Language): Question {
  const grammar = language === 'zh' ? CHINESE : ENGLISH
  const whole = toSimplified(text.slice(0, MAX_CHARACTERS).normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
  const bare = whole.replace(TRAILING, '')
  const own = readClause(bare, grammar, text)
  const clauses = splitClauses(bare, grammar)
  if (clauses.length < 2) return own
  const [first, ...others] = clauses.map(clause => readClause(clause, grammar))
  return first ? { ...own, parts: [first, ...others.map(other => complete(other, first))] } : own
}

function parseRoles(
  rest: string,
  { roles }: Grammar,
): Readonly<Record<string, string | undefined>> {
  return roles.map(pattern => pattern.exec(rest)?.groups).find(Boolean) ?? {}
}

/** A later clause that says little ("and how much is it?") is asked of what the first one names. */
function complete(own: Question, first: Question): Question {
  const known = new Set(own.terms.map(term => term.text))
  const words = new Set(getOwnTerms(own).map(({ word }) => word))
  const missing =
    words.size > 2
      ? []
      : first.terms.filter(term => term.role === 'subject' && !known.has(term.text))
  if (missing.length === 0) return own
  const kind = own.kind === 'nothing' ? 'fact' : own.kind
  return { ...own, kind, text: `${first.text}\n${own.text}`, terms: [...own.terms, ...missing] }
}

function splitClauses(text: string, grammar: Grammar): readonly string[] {
  const clauses = text
    .split(grammar.between)
    .map(clause => (clause ?? '').trim().replace(TRAILING, ''))
  return joined(clauses.filter(Boolean), grammar).slice(0, MAX_PARTS)
}

/**
 * A clause that asks nothing ("according to the handbook"), or nothing of anything ("when" in "when and where is it"), belongs
 * to the next one, or at the end to the one before.
 */
function joined(clauses: readonly string[], grammar: Grammar): readonly string[] {
  const asks = (clause: string) =>
    terms.listContent(clause).length > 0 &&
    read(clause, grammar).readings.some(reading => !reading.isPolite)
  const open: string[] = []
  const whole: string[] = []
  for (const clause of clauses) {
    open.push(clause)
    if (asks(clause)) whole.push(open.splice(0).join(', '))
  }
  if (open.length === 0) return whole
  return [...whole.slice(0, -1), [whole.at(-1), ...open].filter(Boolean).join(', ')]
}

function readClause(clause: string, grammar: Grammar, text = clause): Question {
  const { rest, readings } = read(clause, grammar)
  const order = findOrder(clause, grammar)
  const kind = readings.find(reading => reading.kind)?.kind ?? 'fact'
  const words = parseTerms(rest, clause, readings, grammar)
  const isNothing = words.length === 0 && readings.every(reading => !reading.kind && !reading.asked)
  return {
    text,
    language: grammar.language,
    kind: isNothing ? 'nothing' : kind,
    asked: parseRequestedValue(clause, grammar, readings),
    terms: words,
    dates: findQuestionDates(clause),
    ...(order && { order }),
    about: (readings.find(({ groups }) => groups.about)?.groups.about ?? '').trim(),
    phrases: findPhrases(clause, rest, {
      names: parseNames(clause, grammar),
      terms: words,
      grammar,
    }),
    fragment: parseFragment(clause, grammar),
    parts: [],
  }
}

/** Words that make a date the bound of a period: what lies in the period does not state that date. */
const BOUND_BEFORE =
  /(?:\b(?:since|after|before|until|till|by|from|between|than|through)\s+(?:the\s+)?(?:(?:year|month|start|beginning|end)\s+(?:of\s+)?)?|[自从]|[早晚迟]于|截[至止]到?)$/iu
const BOUND_BEHIND =
  /^(?:\s*(?:or|and) (?:after|later|before|earlier)\b|[初底末]?(?:[以之]?[前后]|以来|起|开始|为止|到|至|之间))/iu

/** Finds the dates that an answer has to be of. A number with a unit is none, and of a period none is given. */
function findQuestionDates(clause: string): Question['dates'] {
  const amounts = findQuantities(clause).filter(({ unit }) => unit && unit.dimension !== 'time')
  const dates = findDates(clause).filter(
    ({ span }) => !amounts.some(amount => doOverlap(amount.span, span)),
  )
  const isBound = ({ span: { start, end } }: { readonly span: Span }) =>
    BOUND_BEFORE.test(clause.slice(0, start)) || BOUND_BEHIND.test(clause.slice(end))
  return dates.some(isBound) ? [] : dates
}

/** Each form takes its words out before the next one is tried; an overview is the whole clause, or it is none. */
function read(clause: string, { forms }: Grammar): Clause {
  let rest = clause
  const readings: Clause['readings'][number][] = []
  for (const form of forms) {
    form.pattern.lastIndex = 0 // of a global one, left by whoever used it before
    const first = form.pattern.exec(rest)
    if (!first) continue
    readings.push({ ...form, groups: first.groups ?? {} })
    if (form.kind === 'overview') return { rest: first.groups?.about ?? '', readings }
    const kept = first.groups ? '$<keep>' : '' // nothing where the group has matched nothing
    rest = rest.replace(form.pattern, ` ${form.isPolite ? '' : ASKED_HERE} ${kept} `).trim()
  }
  return { rest, readings }
}

function parseRequestedValue(
  clause: string,
  { language }: Grammar,
  readings: Clause['readings'],
): AskedValue {
  const form = readings.find(reading => reading.asked)
  const named = MEASURES[language]
    .filter(({ pattern }) => pattern.test(clause))
    .map(({ dimension }) => dimension)
  const isCounted = form?.isCount === true // of how many that weigh so much, no weight is asked
  const measured = isCounted ? [] : [...new Set(named)]
  if (form?.asked === 'other') return { type: 'any' }
  const isPlain = readings.every(({ kind }) => kind === undefined || kind === 'list')
  if (!form && (measured.length === 0 || !isPlain)) return { type: 'any' }
  const counted = readings.find(({ groups }) => groups.asked)?.groups.asked ?? ''
  const unit = findQuantities(`5 ${counted}`)[0]?.unit // "how many days" is of time
  const told = readings.find(
    reading => reading.asked === 'number' && reading.dimensions?.length,
  )?.dimensions // in total, and how much money
  const dimensions = told ?? (unit ? [unit.dimension] : measured)
  return { type: 'number', dimensions, counted: terms.listContent(counted) }
}

function parseTerms(
  rest: string,
  clause: string,
  readings: Clause['readings'],
  grammar: Grammar,
): readonly QuestionTerm[] {
  const said = (group: string) => readings.map(reading => reading.groups[group] ?? '')
  const asked = toKeys([parseRoles(rest, grammar).asked ?? '', ...said('asked')])
  const named = toKeys(parseNames(clause, grammar))
  const written = parseWrittenForms(clause)
  const asIs = (term: Term) => ({ ...term, written: written.get(term.word) ?? term.word })
  const content = terms.listContent(rest).map(
    (term): QuestionTerm => ({
      ...asIs(term),
      role: asked.has(toKey(term)) && !named.has(toKey(term)) ? 'asked' : 'subject',
      isName: named.has(toKey(term)),
    }),
  )
  const excluded = said('excluded').flatMap(words => terms.listContent(words))
  const others = excluded.map(term => ({ ...asIs(term), role: 'excluded' as const, isName: false }))
  return [...content, ...others]
}

/** What a clause names that asks nothing by itself. */
function parseFragment(clause: string, grammar: Grammar): Question['fragment'] {
  const named = grammar.fragments.map(pattern => pattern.exec(clause)?.groups?.of).find(Boolean)
  if (named === undefined || (read(named, grammar).readings.length > 0 && !isDate(named))) return []
  return toFragment(named, { names: parseNames(clause, grammar), terms: [], grammar })
}

/** In May, and not: may I. */
function isDate(named: string): boolean {
  return findDates(`in ${named}`).some(({ span }) => span.start === 3)
}

function toKeys(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(text => terms.listContent(text).map(toKey)))
}

function toKey({ text, word }: Term): string {
  return `${word} ${text}`
}

/** Where amounts and dates are. */
function findConsumedSpans(clause: string): readonly Span[] {
  const amounts = findQuantities(clause).filter(({ unit }) => unit !== undefined)
  return [...amounts, ...findDates(clause)].map(({ span }) => span)
}

/** Of what is written like a name, amounts and dates are none: `2-litre`, `March`. */
function parseNames(clause: string, { names }: Grammar): readonly string[] {
  const taken = findConsumedSpans(clause)
  const written = [...clause.matchAll(IDENTIFIER), ...clause.matchAll(names)].filter(
    ({ 0: { length }, index }) =>
      !taken.some(({ start, end }) => start <= index && index + length <= end),
  )
  return [...clause.matchAll(QUOTED), ...written].map(([name]) => name)
}

/** "The second cheapest", "the three largest", 前三, 最高的三个 ask for other rows than the first. */
const COUNTED_BEFORE =
  /\b(?:second|third|fourth|fifth|two|three|four|five|six|seven|eight|nine|ten)[- ]$|(?:第[二三四五]|前[两二三四五六七八九十\d])$/iu
const COUNTED_BEHIND = /^的[两二三四五六七八九十\d][个名位项种条款家]/u

function findOrder(clause: string, { orders }: Grammar): Order | undefined {
  for (const { pattern, direction, dimension } of orders) {
    const found = pattern.exec(clause)
    if (!found) continue
    const [text] = found
    const isCounted =
      COUNTED_BEFORE.test(clause.slice(0, found.index)) ||
      COUNTED_BEHIND.test(clause.slice(found.index + text.length))
    return isCounted ? undefined : { direction, text, ...(dimension && { dimension }) }
  }
  return undefined
}

const WORD = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}'’.-]*/gu

/** The words of a text in Latin letters as they are written, by their terms. */
function parseWrittenForms(text: string): ReadonlyMap<string, string> {
  const words = [...text.matchAll(WORD)].flatMap(([form]) =>
    [...terms.of(form)].map(term => [term, form] as const),
  )
  return new Map(words.toReversed()) // the first counts
}
