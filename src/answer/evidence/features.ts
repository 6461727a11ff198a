import { type DateParts, findDates, getDayRange } from '../../text/dates.ts'
import { memoize } from '../../text/memoize.ts'
import { findQuantities } from '../../text/quantities.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { isContained } from '../../text/terms.ts'
import type { Question, QuestionTerm, RequestedValue } from '../question/question.ts'
import { removeItemNumbers } from '../statements.ts'
import { type Candidate, isStated } from './candidates.ts'

/** Features, about 0 to 1, as in docs/decisions/answers-without-a-model.md. */
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

/** Rarer terms among candidates and in their language count more. */
type Weighed = QuestionTerm & { readonly weight: number }

/** Odds of statements without and with all words, by least squares (bench/fit-answers.ts). */
const ODDS_OF_NONE = -2.85
const ODDS_OF_ALL = -0.19

export type FeaturedCandidate = { readonly candidate: Candidate; readonly features: Features }

/** Likelihood to answer, 0 to 1. */
export type Evidence = FeaturedCandidate & { readonly score: number }

/** Estimates `nearness` and `answers` by words, until the models have run. */
export function withFeatures(
  question: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly FeaturedCandidate[] {
  const terms = weighTerms(question, candidates, rarity)
  return candidates.map(candidate => ({
    candidate,
    features: computeFeatures({ question, terms, candidate }),
  }))
}

type One = {
  readonly question: Question
  readonly terms: readonly Weighed[]
  readonly candidate: Candidate
}

function computeFeatures({ question, terms, candidate }: One): Features {
  const total = Math.max(1e-9, sumWeights(terms))
  const { statement, own, scope } = candidate
  const isOwn = (term: Weighed) => isContained(term, own)
  const isThere = (term: Weighed) => isStated(term, candidate)
  /** Title and name need not be repeated. */
  const open = terms.filter(term => !isContained(term, scope))
  const share = sumWeights(terms.filter(isThere)) / total
  return {
    own:
      open.length === 0 ? 0.5 : sumWeights(open.filter(isOwn)) / Math.max(1e-9, sumWeights(open)),
    share,
    period: scorePeriodConflict(question, candidate),
    nearness: share,
    answers: ODDS_OF_NONE + share * (ODDS_OF_ALL - ODDS_OF_NONE),
    rank: candidate.rank,
    form: computeFormFit(question, candidate),
    table: Number(statement.kind === 'table'),
    chosen: Number(candidate.selectedBy === 'order'),
    chinese: Number(question.language === 'zh'),
  }
}

function weighTerms(
  question: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly Weighed[] {
  const terms = question.terms.filter(term => term.role !== 'excluded')
  const parts = countWords(terms)
  return terms.map(term => {
    const holders = candidates.filter(candidate => isStated(term, candidate)).length
    const idf = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    const weight = (idf * (rarity?.getRarity(term.word) ?? 1)) / (parts.get(term.word) ?? 1)
    return { ...term, weight }
  })
}

/** Counts terms by word: Chinese ones have one per character. */
function countWords(terms: readonly QuestionTerm[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { word } of terms) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function sumWeights(terms: readonly Weighed[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

/** Returns 1 for another time than the question's, one half for none. */
export function scorePeriodConflict(
  { dates }: Question,
  { statement: { text, passage }, around }: Candidate,
): number {
  if (dates.length === 0) return 0
  const named = [passage.title, passage.name].join('\n')
  for (const place of [text, around, named, passage.text.slice(0, MAX_OPENING)]) {
    const stated = datesOf(place)
    if (stated.length === 0) continue
    return stated.some(statedDate => dates.some(other => hasOverlap(statedDate, other))) ? 0 : 1
  }
  return 0.5
}

/** Characters of a beginning that may state the time, so that later dates do not count. */
const MAX_OPENING = 400

function hasOverlap(first: DateParts, other: DateParts): boolean {
  const isOfYears = first.year !== undefined && other.year !== undefined
  const findDays = (date: DateParts) => getDayRange(isOfYears ? date : { ...date, year: undefined })
  const own = findDays(first)
  const others = findDays(other)
  return own.first <= others.last && others.first <= own.last
}

function computeFormFit({ requestedValue }: Question, { statement, around }: Candidate): number {
  return requestedValue.type === 'number'
    ? numberFit(requestedValue, removeItemNumbers(statement), around)
    : 1
}

/** cached, because statements return */
const quantitiesOf = memoize(findQuantities)
const datesOf = memoize(findDates)

/** Returns 1 for a matching unit, half for other numbers. */
function numberFit(
  { dimensions }: Extract<RequestedValue, { type: 'number' }>,
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
