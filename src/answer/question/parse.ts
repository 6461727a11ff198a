import { datesIn } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import { polarityOf } from '../../text/polarity.ts'
import { quantitiesIn } from '../../text/quantities.ts'
import { segmentAt } from '../../text/segments.ts'
import { overlap, type Span } from '../../text/sentences.ts'
import { simplified } from '../../text/simplified.ts'
import { isHeld, type Term, Terms } from '../../text/terms.ts'
import { boundsIn } from './bounds.ts'
import { CHINESE } from './chinese.ts'
import { ENGLISH } from './english.ts'
import type { Form, Grammar } from './grammar.ts'
import { MEASURES } from './measures.ts'
import { coordinatedIn, fragmentOf, namedTogether, phrasesIn } from './phrases.ts'
import {
  type AskedValue,
  type Order,
  ownTerms,
  type Question,
  type QuestionTerm,
} from './question.ts'

/** What follows is looked for by its words, and not read as grammar. */
const MAX_CHARACTERS = 1_000
const MAX_PARTS = 4

const QUOTED =
  /“[^”]{1,200}”|"[^"]{1,200}"|「[^」]{1,200}」|『[^』]{1,200}』|《[^》]{1,200}》|`[^`]{1,200}`/gu
const FILE_NAME =
  /[^\s，。？！、；：,?!"“”《》]{1,120}\.(?:pdf|docx?|xlsx?|pptx?|md|txt|html?|csv|tsv|json|epub|od[tsp]|rtf|eml|xml|ya?ml|srt|png|jpe?g)(?![a-z\d])/giu
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
  const whole = simplified(text.slice(0, MAX_CHARACTERS).normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
  const bare = whole.replace(TRAILING, '')
  const compared = comparedIn(bare, grammar)
  const own = readClause(bare, grammar, text)
  if (compared.length > 0) {
    const parts = compared.map(({ label, words }) => ({ ...readClause(words, grammar), label }))
    return { ...own, kind: 'fact', parts }
  }
  const clauses = clausesOf(bare, grammar)
  if (clauses.length < 2) return { ...own, parts: askedBeside(bare, grammar) }
  const [first, ...others] = clauses.map(clause => readClause(clause, grammar))
  return first
    ? { ...own, parts: [first, ...others.map(other => partOf(other, first, grammar))] }
    : own
}

/** Where several values of one thing are asked for ("the weight and price of the S2"), a question for each. */
function askedBeside(clause: string, grammar: Grammar): readonly Question[] {
  const together = namedTogether(rolesIn(read(clause, grammar).rest, grammar).asked ?? '', grammar)
  const texts =
    together?.each.slice(0, MAX_PARTS).map(one => clause.replace(together.all, one)) ?? []
  return texts.map(text => readClause(text, grammar))
}

function rolesIn(rest: string, { roles }: Grammar): Readonly<Record<string, string | undefined>> {
  return roles.map(pattern => pattern.exec(rest)?.groups).find(Boolean) ?? {}
}

/** A later clause that says little ("and how much is it?") is asked of what the first one names. */
function partOf(own: Question, first: Question, grammar: Grammar): Question {
  const known = new Set(own.terms.map(term => term.text))
  const subject = ownSubject(own, grammar)
  const words = new Set(ownTerms(own).map(({ word }) => word))
  const isWhole = words.size > 2 || subject === 'argument'
  const missing = isWhole
    ? []
    : first.terms.filter(term => term.role === 'subject' && !known.has(term.text))
  if (missing.length === 0) return own
  const kind = own.kind === 'nothing' ? 'fact' : own.kind
  const both = { text: `${first.text}\n${own.text}`, terms: [...own.terms, ...missing] }
  return { ...own, ...restrictedAs(first, own), kind, ...both, ...(subject && { alone: own }) }
}

/** What it names with an article: of a verb it says enough ("what does the bar serve"), behind `is` it may be that of the first clause ("who is the owner"). */
function ownSubject(
  { text, terms: own, order }: Question,
  grammar: Grammar,
): 'argument' | 'predicate' | undefined {
  const { copula, of = '' } = grammar.ownSubject.exec(text)?.groups ?? {}
  const named = keysOf([of])
  if (order || !own.some(term => term.role === 'subject' && named.has(keyOf(term))))
    return undefined
  return copula === undefined ? 'argument' : 'predicate'
}

/** What tells which of its subjects the first clause means ("the heaviest bell"), as far as the other has nothing of the kind. */
function restrictedAs(first: Question, own: Question): Partial<Question> {
  const { order, conditions, dates, dateBounds } = first
  return {
    ...(order && !own.order && { order }),
    ...(own.conditions.length === 0 && { conditions }),
    ...(own.dates.length + own.dateBounds.length === 0 && { dates, dateBounds }),
  }
}

function clausesOf(text: string, grammar: Grammar): readonly string[] {
  const clauses = text
    .split(grammar.between)
    .map(clause => (clause ?? '').trim().replace(TRAILING, ''))
  const whole = joined(clauses.filter(Boolean), grammar).slice(0, MAX_PARTS)
  return whole.map(
    (clause, at) =>
      clause + (grammar.sharedEnd.exec(`${clause}\n${whole[at + 1] ?? ''}`)?.groups?.end ?? ''),
  )
}

/**
 * A clause that asks nothing ("according to the handbook"), or nothing of anything ("when" in "when and where is it"), belongs
 * to the next one, or at the end to the one before.
 */
function joined(clauses: readonly string[], grammar: Grammar): readonly string[] {
  const asks = (clause: string) =>
    terms.contentOf(clause).length > 0 &&
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

/** What is compared, and the words that ask for each. */
function comparedIn(
  text: string,
  { comparisons }: Grammar,
): readonly { label: string; words: string }[] {
  const groups = comparisons.map(pattern => pattern.exec(text)?.groups).find(Boolean)
  const { head = '', one = '', other = '', tail = '' } = groups ?? {}
  if (one === '' || other === '') return []
  return [one, other].map(label => ({
    label: label.trim(),
    words: `${head}${label}${tail}`.trim(),
  }))
}

function readClause(clause: string, grammar: Grammar, text = clause): Question {
  const mentions = [...clause.matchAll(QUOTED), ...clause.matchAll(FILE_NAME)].map(
    ([mention]) => mention,
  )
  const { rest, readings } = read(clause, grammar)
  const order = orderIn(clause, grammar)
  const bounds = boundsIn(clause, grammar)
  const kind = readings.find(reading => reading.kind)?.kind ?? 'fact'
  const bounded = terms.of(bounds.dateBounds.map(bound => bound.text).join('\n'))
  const words = questionTerms(rest, clause, readings, grammar).map(term => ({
    ...term,
    isBound: isHeld(term, bounded),
  }))
  const isNothing = words.length === 0 && readings.every(reading => !reading.kind && !reading.asked)
  const worked = readings.find(reading => reading.aggregate)
  const compared = comparedByWords(clause, grammar)
  return {
    text,
    language: grammar.language,
    kind: isNothing ? 'nothing' : kind,
    asked: askedValue(clause, grammar, readings),
    terms: words,
    ...bounds,
    conditions: bounds.conditions.filter(({ text }) => !order?.text.includes(text)),
    ...(order && { order }),
    ...(compared && { compared }),
    ...(worked?.aggregate && {
      aggregate: { of: worked.aggregate, text: worked.groups.keep ?? '' },
    }),
    ...lackingIn(clause, grammar),
    ...stateIn(clause, grammar),
    isNegative: polarityOf(rest).negations % 2 === 1,
    isExhaustive: readings.some(reading => reading.isExhaustive),
    about: (readings.find(({ groups }) => groups.about)?.groups.about ?? '').trim(),
    coordinated: coordinatedIn(rest, grammar),
    phrases: phrasesIn(clause, rest, { names: namesIn(clause, grammar), terms: words, grammar }),
    fragment: fragmentIn(clause, grammar),
    mentions,
    parts: [],
  }
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

function askedValue(
  clause: string,
  { language }: Grammar,
  readings: Clause['readings'],
): AskedValue {
  const form = readings.find(reading => reading.asked)
  const named = MEASURES[language]
    .filter(({ pattern }) => pattern.test(clause))
    .map(({ dimension }) => dimension)
  const isCounted = form?.aggregate === 'count' // of how many that weigh so much, no weight is asked
  const measured = isCounted ? [] : [...new Set(named)]
  if (form?.asked && form.asked !== 'number') return { type: form.asked }
  const isPlain = readings.every(({ kind }) => kind === undefined || kind === 'list')
  if (!form && (measured.length === 0 || !isPlain)) return { type: 'any' }
  const counted = readings.find(({ groups }) => groups.asked)?.groups.asked ?? ''
  const unit = quantitiesIn(`5 ${counted}`)[0]?.unit // "how many days" is of time
  const told = readings.find(
    reading => reading.asked === 'number' && reading.dimensions?.length,
  )?.dimensions // in total, and how much money
  const dimensions = told ?? (unit ? [unit.dimension] : measured)
  return { type: 'number', dimensions, counted: terms.contentOf(counted), ...(unit && { unit }) }
}

function questionTerms(
  rest: string,
  clause: string,
  readings: Clause['readings'],
  grammar: Grammar,
): readonly Omit<QuestionTerm, 'isBound'>[] {
  const said = (group: string) => readings.map(reading => reading.groups[group] ?? '')
  const asked = keysOf([rolesIn(rest, grammar).asked ?? '', ...said('asked')])
  const named = keysOf(namesIn(clause, grammar))
  const written = writtenIn(clause)
  const asIs = (term: Term) => ({ ...term, written: written.get(term.word) ?? term.word })
  const content = terms.contentOf(rest).map(
    (term): Omit<QuestionTerm, 'isBound'> => ({
      ...asIs(term),
      role: asked.has(keyOf(term)) && !named.has(keyOf(term)) ? 'asked' : 'subject',
      isName: named.has(keyOf(term)),
    }),
  )
  const whole = numberedIn(rest, grammar)
  const numbers = new Set(whole.flatMap(({ text }) => NUMBER.exec(text)?.[0] ?? []))
  const numbered = whole.map(term => ({ ...term, role: 'subject' as const, isName: true }))
  const excluded = said('excluded').flatMap(words => terms.contentOf(words))
  const others = excluded.map(term => ({ ...asIs(term), role: 'excluded' as const, isName: false }))
  return [...content.filter(({ text }) => !numbers.has(text)), ...numbered, ...others]
}

/** What a clause names that asks nothing by itself. */
function fragmentIn(clause: string, grammar: Grammar): Question['fragment'] {
  const named = grammar.fragments.map(pattern => pattern.exec(clause)?.groups?.of).find(Boolean)
  if (named === undefined || (read(named, grammar).readings.length > 0 && !isDate(named))) return []
  return fragmentOf(named, { names: namesIn(clause, grammar), terms: [], grammar })
}

/** In May, and not: may I. */
function isDate(named: string): boolean {
  return datesIn(`in ${named}`).some(({ span }) => span.start === 3)
}

/** In a name such as `aster-400`, `building-c` or 8号. */
const NUMBER = /\d+(?:\.\d+)*|(?<=-)[a-z]$|^[a-z](?=\p{Script=Han})/u

function keysOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(text => terms.contentOf(text).map(keyOf)))
}

function keyOf({ text, word }: Term): string {
  return `${word} ${text}`
}

/** What is told apart by a number, whole, in place of the number; an amount or a date is another thing. */
function numberedIn(
  clause: string,
  grammar: Grammar,
): readonly (Term & { readonly written: string })[] {
  const taken = takenIn(clause)
  const found = [...clause.matchAll(grammar.numbered)].filter(
    ({ 0: { length }, index }) =>
      !taken.some(span => overlap(span, { start: index, end: index + length })),
  )
  return found.flatMap(([written]) =>
    terms
      .numbered(written)
      .map(text => ({ anyOf: [text, text.replace('-', '')], text, word: text, written })),
  )
}

/** Where amounts and dates are. */
function takenIn(clause: string): readonly Span[] {
  const amounts = quantitiesIn(clause).filter(({ unit }) => unit !== undefined)
  return [...amounts, ...datesIn(clause)].map(({ span }) => span)
}

/** Of what is written like a name, amounts and dates are none: `2-litre`, `March`. */
function namesIn(clause: string, { names }: Grammar): readonly string[] {
  const taken = takenIn(clause)
  const written = [...clause.matchAll(IDENTIFIER), ...clause.matchAll(names)].filter(
    ({ 0: { length }, index }) =>
      !taken.some(({ start, end }) => start <= index && index + length <= end),
  )
  return [...clause.matchAll(QUOTED), ...written].map(([name]) => name)
}

function orderIn(clause: string, { orders }: Grammar): Order | undefined {
  const found = orders.find(({ pattern }) => pattern.test(clause))
  if (!found) return undefined
  const { 0: written = '', index = 0 } = found.pattern.exec(clause) ?? {}
  const { rank, take, start, end } = ordinalBeside(clause, index)
  const text = clause.slice(start, Math.max(end, index + written.length))
  return {
    direction: found.direction,
    rank,
    take,
    ...(found.dimension && { dimension: found.dimension }),
    text,
  }
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
const CARDINALS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const HAN_DIGITS = '零一二三四五六七八九十'

/** "the second cheapest", "the three largest", 第二高, 最高的三个. */
function ordinalBeside(clause: string, at: number) {
  const before = clause.slice(Math.max(0, at - 24), at).toLowerCase()
  const behind = clause.slice(at, at + 16)
  const rank = 1 + ORDINALS.findIndex(word => new RegExp(`\\b${word}[- ]$`).test(before))
  const take = 1 + CARDINALS.findIndex(word => new RegExp(`\\b${word} $`).test(before))
  const taken = /(?:的|前)([两二三四五六七八九十\d])[个名位项种条款家]/u.exec(behind)
  const han = taken?.[1] ?? /前([两二三四五六七八九十\d])/u.exec(before)?.[1]
  const hanTake = han ? Number(han) || HAN_DIGITS.indexOf(han === '两' ? '二' : han) : 0
  const hanRank = HAN_DIGITS.indexOf(/^第(.)/u.exec(behind)?.[1] ?? '零')
  const start = rank > 0 || take > 0 ? at - (/\S+[- ]$/.exec(before)?.[0].length ?? 0) : at
  const end = taken ? at + taken.index + taken[0].length : at
  return { rank: Math.max(1, rank, hanRank), take: Math.max(1, take, hanTake), start, end }
}

function lackingIn(clause: string, { none }: Grammar): Pick<Question, 'lacking'> {
  const { 0: text = '', index = 0, groups } = none.exec(clause) ?? {}
  const { bare = '', of = '' } = groups ?? {}
  const isInWord = bare !== '' && !isNegated(clause, index + text.indexOf(bare))
  const lacked = isInWord ? [] : terms.contentOf(of)
  return lacked.length === 0 ? {} : { lacking: { text, terms: lacked } }
}

function stateIn(clause: string, { state }: Grammar): Pick<Question, 'state'> {
  const text = state?.exec(clause)?.groups?.state?.toLowerCase()
  return text === undefined ? {} : { state: { anyOf: [text], text, word: text } }
}

/** 未 of 未完成 denies a word; that of 未来 and 没 of 没收 are parts of one. */
function isNegated(clause: string, at: number): boolean {
  const word = segmentAt(clause, at)
  const denied = word?.segment.slice(at - word.index + 1) ?? ''
  return denied === '' || (segmentAt(denied, 0)?.segment.length ?? 0) > 1
}

/** What is compared with a number is a condition. */
function comparedByWords(clause: string, { compares }: Grammar): Question['compared'] {
  const { pattern, comparator } = compares.find(one => one.pattern.test(clause)) ?? {}
  const { 0: text, index } = pattern?.exec(clause) ?? { 0: '', index: 0 }
  const end = index + text.length
  const isOfNumber = quantitiesIn(clause).some(
    ({ span, unit }) =>
      span.start >= end && span.start <= end + 2 && (unit || span.end - span.start !== 4),
  )
  return comparator && !isOfNumber ? { comparator, text } : undefined
}

const WORD = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}'’.-]*/gu

/** The words of a text in Latin letters as they are written, by their terms. */
function writtenIn(text: string): ReadonlyMap<string, string> {
  const words = [...text.matchAll(WORD)].flatMap(([form]) =>
    [...terms.of(form)].map(term => [term, form] as const),
  )
  return new Map(words.toReversed()) // the first counts
}
