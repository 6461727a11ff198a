import { findDates } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import { findQuantities } from '../../text/quantities.ts'
import { areOverlapping, type Span } from '../../text/sentences.ts'
import { toSimplified } from '../../text/simplified.ts'
import { type Term, Terms } from '../../text/terms.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import type { Form, Grammar } from './grammar.ts'
import { MEASURES } from './measures.ts'
import { findPhrases, splitConjuncts, toFragment } from './phrases.ts'
import {
  getOwnTerms,
  type Order,
  type Question,
  type QuestionTerm,
  type RequestedValue,
} from './question.ts'

/** Characters parsed as grammar, so that long texts stay cheap; the rest is searched. */
const MAX_CHARACTERS = 1_000
const MAX_PARTS = 4

const QUOTED =
  /“[^”]{1,200}”|"[^"]{1,200}"|「[^」]{1,200}」|『[^』]{1,200}』|《[^》]{1,200}》|`[^`]{1,200}`/gu
const IDENTIFIER =
  /(?<![\p{Script=Latin}\p{N}_])(?=[\w./-]{0,40}\p{N})(?=[\w./-]{0,40}[A-Za-z_])[A-Za-z\p{N}][\w./-]{1,40}/gu
/** Replaces removed words, to keep their position. */
const ASKED_HERE = '?'
const TRAILING = /[\s.?!。？！，,:：]+$/u

/** Clause after removing question words, and what they said. */
type Clause = {
  readonly rest: string
  readonly readings: readonly (Form & {
    readonly groups: Readonly<Record<string, string | undefined>>
  })[]
}

const terms = new Terms()

/** Never throws. Returns `nothing` if nothing is asked. `language` is of the words around names. */
export function parseQuestion(text: string, language: Language): Question {
  const grammar = language === 'zh' ? CHINESE : ENGLISH
  const simplified = toSimplified(text.slice(0, MAX_CHARACTERS).normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
  const bare = simplified.replace(TRAILING, '')
  const own = readClause(bare, grammar, text)
  const clauses = splitClauses(bare, grammar)
  if (clauses.length < 2) return { ...own, conjuncts: parseConjuncts(bare, grammar) }
  const [first, ...others] = clauses.map(clause => readClause(clause, grammar))
  return first ? { ...own, parts: [first, ...others.map(other => complete(other, first))] } : own
}

function parseConjuncts(clause: string, grammar: Grammar): Question['conjuncts'] {
  return splitConjuncts(clause, grammar).map(({ thing, text }) => ({
    thing,
    question: readClause(text, grammar),
  }))
}

function parseRoles(
  rest: string,
  { roles }: Grammar,
): Readonly<Record<string, string | undefined>> {
  return roles.map(pattern => pattern.exec(rest)?.groups).find(Boolean) ?? {}
}

/** Completes a short later clause by the first one. */
function complete(own: Question, first: Question): Question {
  const ownTerms = new Set(own.terms.map(term => term.text))
  const words = new Set(getOwnTerms(own).map(({ word }) => word))
  const missing =
    words.size > 2
      ? []
      : first.terms.filter(term => term.role === 'subject' && !ownTerms.has(term.text))
  if (missing.length === 0) return own
  const kind = own.kind === 'nothing' ? 'fact' : own.kind
  return { ...own, kind, text: `${first.text}\n${own.text}`, terms: [...own.terms, ...missing] }
}

/** Includes requests for information. */
export function hasQuestionForm(text: string, language: Language): boolean {
  return read(text, language === 'zh' ? CHINESE : ENGLISH).readings.some(
    ({ isPolite }) => !isPolite,
  )
}

function splitClauses(text: string, grammar: Grammar): readonly string[] {
  const clauses = text
    .split(grammar.between)
    .map(clause => (clause ?? '').trim().replace(TRAILING, ''))
  return joinClauses(clauses.filter(Boolean), grammar).slice(0, MAX_PARTS)
}

function joinClauses(clauses: readonly string[], grammar: Grammar): readonly string[] {
  const isAsking = (clause: string) =>
    terms.listContent(clause).length > 0 &&
    read(clause, grammar).readings.some(reading => !reading.isPolite)
  const open: string[] = []
  const questions: string[] = []
  for (const clause of clauses) {
    open.push(clause)
    if (isAsking(clause)) questions.push(open.splice(0).join(', '))
  }
  if (open.length === 0) return questions
  return [...questions.slice(0, -1), [questions.at(-1), ...open].filter(Boolean).join(', ')]
}

function readClause(clause: string, grammar: Grammar, text = clause): Question {
  const { rest, readings } = read(clause, grammar)
  const order = findOrder(clause, grammar)
  const kind = readings.find(reading => reading.kind)?.kind ?? 'fact'
  const words = parseTerms(rest, clause, readings, grammar)
  const isNothing =
    words.length === 0 && readings.every(reading => !reading.kind && !reading.valueType)
  return {
    text,
    language: grammar.language,
    kind: isNothing ? 'nothing' : kind,
    requestedValue: parseRequestedValue(clause, grammar, readings),
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
    conjuncts: [],
  }
}

/** Words that make a date a limit, which a statement need not repeat. */
const BOUND_BEFORE =
  /(?:\b(?:since|after|before|until|till|by|from|between|than|through)\s+(?:the\s+)?(?:(?:year|month|start|beginning|end)\s+(?:of\s+)?)?|[自从]|[早晚迟]于|截[至止]到?)$/iu
const BOUND_BEHIND =
  /^(?:\s*(?:or|and) (?:after|later|before|earlier)\b|[初底末]?(?:[以之]?[前后]|以来|起|开始|为止|到|至|之间))/iu

/** Leaves out numbers with units, and periods. */
function findQuestionDates(clause: string): Question['dates'] {
  const amounts = findQuantities(clause).filter(({ unit }) => unit && unit.dimension !== 'time')
  const dates = findDates(clause).filter(
    ({ span }) => !amounts.some(amount => areOverlapping(amount.span, span)),
  )
  const isBound = ({ span: { start, end } }: { readonly span: Span }) =>
    BOUND_BEFORE.test(clause.slice(0, start)) || BOUND_BEHIND.test(clause.slice(end))
  return dates.some(isBound) ? [] : dates
}

/** Applies forms in order; an overview needs the complete clause. */
function read(clause: string, { forms }: Grammar): Clause {
  let rest = clause
  const readings: Clause['readings'][number][] = []
  for (const form of forms) {
    form.pattern.lastIndex = 0 // reset: global patterns are shared
    const first = form.pattern.exec(rest)
    if (!first) continue
    readings.push({ ...form, groups: first.groups ?? {} })
    if (form.kind === 'overview') return { rest: first.groups?.about ?? '', readings }
    const retainedGroup = first.groups ? '$<keep>' : '' // without a match the group is empty
    rest = rest
      .replace(form.pattern, ` ${form.isPolite ? '' : ASKED_HERE} ${retainedGroup} `)
      .trim()
  }
  return { rest, readings }
}

function parseRequestedValue(
  clause: string,
  { language }: Grammar,
  readings: Clause['readings'],
): RequestedValue {
  const form = readings.find(reading => reading.valueType)
  const named = MEASURES[language]
    .filter(({ pattern }) => pattern.test(clause))
    .map(({ dimension }) => dimension)
  const isCounted = form?.isCount === true // counts of things with a weight ask no weight
  const measured = isCounted ? [] : [...new Set(named)]
  if (form?.valueType === 'other') return { type: 'any' }
  const isPlain = readings.every(({ kind }) => kind === undefined || kind === 'list')
  if (!form && (measured.length === 0 || !isPlain)) return { type: 'any' }
  const counted = readings.find(({ groups }) => groups.asked)?.groups.asked ?? ''
  const unit = findQuantities(`5 ${counted}`)[0]?.unit // "how many days" asks for time
  const reading = readings.find(
    reading => reading.valueType === 'number' && reading.dimensions?.length,
  )?.dimensions // in total, and how much money
  const dimensions = reading ?? (unit ? [unit.dimension] : measured)
  return { type: 'number', dimensions, counted: terms.listContent(counted) }
}

function parseTerms(
  rest: string,
  clause: string,
  readings: Clause['readings'],
  grammar: Grammar,
): readonly QuestionTerm[] {
  const getRest = (group: string) => readings.map(reading => reading.groups[group] ?? '')
  const askedKeys = toKeys([parseRoles(rest, grammar).asked ?? '', ...getRest('asked')])
  const named = toKeys(parseNames(clause, grammar))
  const written = parseWrittenForms(clause)
  const asIs = (term: Term) => ({ ...term, written: written.get(term.word) ?? term.word })
  const content = terms.listContent(rest).map(
    (term): QuestionTerm => ({
      ...asIs(term),
      role: askedKeys.has(toKey(term)) && !named.has(toKey(term)) ? 'asked' : 'subject',
      isName: named.has(toKey(term)),
    }),
  )
  const excluded = getRest('excluded').flatMap(words => terms.listContent(words))
  const others = excluded.map(term => ({ ...asIs(term), role: 'excluded' as const, isName: false }))
  return [...content, ...others]
}

function parseFragment(clause: string, grammar: Grammar): Question['fragment'] {
  const named = grammar.fragments.map(pattern => pattern.exec(clause)?.groups?.of).find(Boolean)
  if (named === undefined || (read(named, grammar).readings.length > 0 && !isDate(named))) return []
  return toFragment(named, { names: parseNames(clause, grammar), terms: [], grammar })
}

function isDate(named: string): boolean {
  return findDates(`in ${named}`).some(({ span }) => span.start === 3)
}

function toKeys(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(text => terms.listContent(text).map(toKey)))
}

function toKey({ text, word }: Term): string {
  return `${word} ${text}`
}

function findConsumedSpans(clause: string): readonly Span[] {
  const amounts = findQuantities(clause).filter(({ unit }) => unit !== undefined)
  return [...amounts, ...findDates(clause)].map(({ span }) => span)
}

/** Excludes amounts and dates: `2-litre`, `March`. */
function parseNames(clause: string, { names }: Grammar): readonly string[] {
  const consumed = findConsumedSpans(clause)
  const written = [...clause.matchAll(IDENTIFIER), ...clause.matchAll(names)].filter(
    ({ 0: { length }, index }) =>
      !consumed.some(({ start, end }) => start <= index && index + length <= end),
  )
  return [...clause.matchAll(QUOTED), ...written].map(([name]) => name)
}

/** Ordinals and counts of other rows: "the second cheapest", 前三. */
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

function parseWrittenForms(text: string): ReadonlyMap<string, string> {
  const words = [...text.matchAll(WORD)].flatMap(([form]) =>
    [...terms.extract(form)].map(term => [term, form] as const),
  )
  return new Map(words.toReversed()) // the first counts
}
