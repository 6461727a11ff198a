import { timesIn } from '../../text/dates.ts'
import type { Language } from '../../text/language.ts'
import { quantitiesIn } from '../../text/quantities.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { remembered } from '../../text/remembered.ts'
import { isHeld } from '../../text/terms.ts'
import { limitsIn, periodsIn, periodsOf } from '../question/bounds.ts'
import { CHINESE } from '../question/chinese.ts'
import { ENGLISH } from '../question/english.ts'
import type { Grammar, QuestionKind } from '../question/grammar.ts'
import { haveTimeInCommon, isWithin, type NumberBound } from '../question/numeric-bounds.ts'
import type { AskedValue, Question, QuestionTerm } from '../question/question.ts'
import { withoutItemNumbers } from '../statements.ts'
import { type Candidate, isChosen, isSaidBy } from './candidates.ts'

/** What is known of a candidate for a question; each about 0 to 1. ARCHITECTURE.md has what they mean, and their weights. */
export const FEATURES = [
  'own',
  'share',
  'period',
  'nearness',
  'answers',
  'rank',
  'form',
  'table',
  'chosen',
  'chinese',
] as const

export type FeatureName = (typeof FEATURES)[number]
export type Features = Readonly<Record<FeatureName, number>>

/** A term with what it weighs among these candidates: the fewer hold it, and the rarer its word is in its language, the more it tells. */
type Weighed = QuestionTerm & { readonly weight: number }

/** What the answer model says of statements with none and with all of a question's words, on the development sets, by least squares: bench/fit-answers.ts. */
const ODDS_OF_NONE = -2.85
const ODDS_OF_ALL = -0.19

/** A candidate with what is known of it. */
export type Known = { readonly candidate: Candidate; readonly features: Features }

/** A candidate with how likely it is that it answers the question, 0 to 1. */
export type Evidence = Known & { readonly score: number }

/** What each candidate has of what is asked; what the words say stands for what models would tell. */
export function withFeatures(
  question: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly Known[] {
  const all = weighed(question, candidates, rarity)
  const amounts = question.conditions.filter(({ comparator }) => comparator === 'equal')
  return candidates.map(candidate => {
    const period = periodConflict(question, candidate)
    const within = amounts.length === 0 ? [] : amountsWithin(amounts, candidate)
    const isOf = ({ written }: Weighed) => within.some(({ text }) => text.includes(written))
    const terms = all.filter(term => !isAnswered(term, candidate, period) && !isOf(term))
    return { candidate, features: featuresOf({ question, terms, candidate, period }) }
  })
}

/** By the query that gave the row, for the cheapest is nowhere called so; or by the time that it tells of: 2026 is after 2024. */
function isAnswered(
  { word, isBound }: QuestionTerm,
  { selection }: Candidate,
  period: number,
): boolean {
  return selection?.query.formal.some(term => term.word === word) || (isBound && period === 0)
}

/** Amounts that what it says has room for: who is 72 is over 70, and need not be said. */
function amountsWithin(
  amounts: readonly NumberBound[],
  { statement, language }: Candidate,
): readonly NumberBound[] {
  const limits = limitsIn(statement.text, grammarOf(language))
  return amounts.filter(amount => limits.some(limit => isWithin(amount, limit)))
}

function grammarOf(language: Language): Grammar {
  return language === 'zh' ? CHINESE : ENGLISH
}

type One = {
  readonly question: Question
  readonly terms: readonly Weighed[]
  readonly candidate: Candidate
  readonly period: number
}

function featuresOf({ question, terms, candidate, period }: One): Features {
  const total = Math.max(1e-9, sumOf(terms))
  const { statement, own, scope } = candidate
  /** What tells of another time says nothing of a bound by naming it: 2024 is not after 2024. */
  const isBeyond = ({ isBound }: Weighed) => isBound && period === 1
  const isOwn = (term: Weighed) => isHeld(term, own) && !isBeyond(term)
  const isThere = (term: Weighed) => !isBeyond(term) && isSaidBy(term, candidate)
  /** What the document's title and name say, its statements need not say again. */
  const open = terms.filter(term => !isHeld(term, scope))
  const share = sumOf(terms.filter(isThere)) / total
  return {
    own: open.length === 0 ? 0.5 : sumOf(open.filter(isOwn)) / Math.max(1e-9, sumOf(open)),
    share,
    period,
    nearness: share,
    answers: ODDS_OF_NONE + share * (ODDS_OF_ALL - ODDS_OF_NONE),
    rank: candidate.rank,
    form: formFit(question, candidate),
    table: Number(statement.kind === 'table'),
    chosen: Number(isChosen(candidate.selection)),
    chinese: Number(question.language === 'zh'),
  }
}

function weighed(
  question: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly Weighed[] {
  const told = question.terms.filter(term => term.role !== 'excluded')
  return told.map(term => {
    const holders = candidates.filter(candidate => isSaidBy(term, candidate)).length
    const idf = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    const parts = told.filter(({ word }) => word === term.word).length // a Chinese word is told by its characters
    return { ...term, weight: (idf * (rarity?.of(term.word) ?? 1)) / parts }
  })
}

function sumOf(terms: readonly Weighed[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

/** 1 where what it says is of another time than the one that is asked for, half where it says no time. */
export function periodConflict(
  question: Question,
  { statement, around, language }: Candidate,
): number {
  const asked = periodsOf(question)
  if (asked.length === 0) return 0
  const { passage } = statement
  const texts = [
    statement.text,
    around,
    [passage.title, passage.name].join('\n'),
    passage.text.slice(0, 400),
  ]
  for (const text of texts) {
    const told = periodsIn(text, grammarOf(language))
    if (told.length === 0) continue
    return told.some(one => asked.some(other => haveTimeInCommon(one, other))) ? 0 : 1
  }
  return 0.5
}

/**
 * How a sentence looks that tells a reason or a meaning, by closed classes: subordinators and connectives of cause and purpose, verbs
 * that define (Quirk et al. 1985, 15.45-48, 10.8; 吕叔湘 1999).
 */
const TELLS: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  reason:
    /\b(?:because|since|due to|owing to|so that|in order to|as a result|therefore|otherwise|to (?:avoid|prevent|ensure)|reasons?)\b|因为|由于|因此|所以|为了|以免|避免|防止|以便|原因|理由/iu,
  definition:
    /\b(?:is|are) (?:an?|the)\b|\bmeans?\b|refers? to|defined as|known as|是指|指的是|所称|称为|是一[种个]|[:：—–|]/iu,
}

/** How far it has the form of the answer that is waited for: 1, 0 or between; 1 where none is, or where the answer is worked out of it. */
function formFit({ kind, asked }: Question, { statement, around, selection }: Candidate): number {
  const { text } = statement
  if (selection?.value && selection.query.missing.length === 0) return 1
  if (asked.type === 'number') return numberFit(asked, withoutItemNumbers(statement), around)
  if (asked.type === 'time') return Number(timesIn(text).length > 0)
  return Number(TELLS[kind]?.test(text) ?? true)
}

/** Of statements that come back with the next question. */
const quantitiesOf = remembered(quantitiesIn)

/** A number of what may be measured so; a bare number in a table column that names the unit; half for any other number. */
function numberFit(
  { dimensions }: Extract<AskedValue, { type: 'number' }>,
  text: string,
  around: string,
): number {
  const quantities = quantitiesOf(text)
  if (quantities.length === 0) return 0
  if (dimensions.length === 0) return 1
  const isOfThese = ({ unit }: (typeof quantities)[number]) =>
    unit !== undefined && dimensions.includes(unit.dimension)
  if (quantities.some(isOfThese) || quantitiesOf(`1 ${around}`).some(isOfThese)) return 1
  return quantities.some(({ unit }) => unit === undefined) ? 0.5 : 0.2
}
