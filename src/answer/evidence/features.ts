import { type DateValue, datesIn } from '../../text/dates.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { isHeld } from '../../text/terms.ts'
import type { Question, QuestionTerm } from '../question/question.ts'
import { formFit } from './answer-forms.ts'
import type { Candidate } from './candidates.ts'
import { isComputed } from './table-candidates.ts'

/** How alike a candidate is to a question by their vectors, as far as that is known. */
export type Likeness = {
  /** Cosine less what is to be expected of unrelated text of its language. */
  readonly lift?: number
  /** Standard deviations above the mean of the candidates of its language. */
  readonly lead?: number
}

/** What is known of a candidate for a question; each about 0 to 1. ARCHITECTURE.md has what they mean, and their weights. */
export const FEATURES = [
  'own',
  'context',
  'worst',
  'unknown',
  'name',
  'asked',
  'period',
  'together',
  'lift',
  'lead',
  'rank',
  'form',
  'formLacking',
  'row',
  'chosen',
  'computed',
  'list',
  'chinese',
  'nearButLacking',
] as const

export type FeatureName = (typeof FEATURES)[number]
export type Features = Readonly<Record<FeatureName, number>>

/** A term with what it weighs among these candidates: the fewer hold it, and the rarer it is in its language, the more it tells. */
type Weighed = QuestionTerm & { readonly weight: number; readonly rarity: number; readonly holders: number }

const FULL_LIFT = 0.1
const FULL_LEAD = 3

/** What each candidate has of what is asked. */
export function featuresOf(
  question: Question,
  candidates: readonly Candidate[],
  likeness: readonly Likeness[],
  rarity: WordRarity | undefined,
): readonly Features[] {
  const terms = weighed(question, candidates, rarity)
  const total = Math.max(1e-9, sumOf(terms))
  return candidates.map((candidate, at) => featuresOfOne({ question, terms, total, candidate, likeness: likeness[at] }))
}

type One = {
  readonly question: Question
  readonly terms: readonly Weighed[]
  readonly total: number
  readonly candidate: Candidate
  readonly likeness: Likeness | undefined
}

function featuresOfOne({ question, terms, total, candidate, likeness }: One): Features {
  const { statement, own, context, scope, selection } = candidate
  const isOwn = (term: Weighed) => isHeld(term, own)
  const isThere = (term: Weighed) => isOwn(term) || isHeld(term, context) || isHeld(term, scope)
  const lacked = terms.filter(term => !isThere(term))
  const names = terms.filter(term => term.isName)
  const asked = terms.filter(term => term.role === 'asked')
  const form = formFit(question, candidate)
  const ownShare = sumOf(terms.filter(isOwn)) / total
  const share = sumOf(terms.filter(isThere)) / total
  // Where vectors tell nothing, what the words say stands for them.
  const lift = likeness?.lift === undefined ? share : clamp(likeness.lift / FULL_LIFT)
  const lead = likeness?.lead === undefined ? ownShare : clamp(likeness.lead / FULL_LEAD)
  return {
    own: ownShare,
    context: share,
    worst: Math.max(0, ...lacked.map(term => term.rarity)),
    unknown: Math.max(0, ...lacked.filter(term => term.holders === 0).map(term => term.rarity)),
    name: shareOf(names, term => !isThere(term)),
    asked: form === 1 && question.asked.type !== 'any' ? 0 : shareOf(asked, term => !isThere(term)),
    period: periodConflict(question.dates, candidate),
    together: together(terms, statement.text, own),
    lift,
    lead,
    rank: candidate.rank,
    form,
    formLacking: Number(form < 0.5),
    row: Number(statement.kind === 'row' && !selection),
    chosen: Number(selection !== undefined && !isComputed(selection.query)),
    computed: Number(selection !== undefined && isComputed(selection.query)),
    list: Number(statement.kind === 'list'),
    chinese: Number(question.language === 'zh'),
    nearButLacking: (1 - share) * lift,
  }
}

function weighed(
  question: Question,
  candidates: readonly Candidate[],
  rarity: WordRarity | undefined,
): readonly Weighed[] {
  const told = question.terms.filter(term => term.role !== 'excluded')
  return told.map(term => {
    const holders = candidates.filter(
      ({ own, context, scope }) => isHeld(term, own) || isHeld(term, context) || isHeld(term, scope),
    ).length
    const idf = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    const rare = rarity?.of(term.word) ?? 1
    return { ...term, holders, rarity: rare, weight: idf * rare }
  })
}

function sumOf(terms: readonly Weighed[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0)
}

function shareOf(terms: readonly Weighed[], test: (term: Weighed) => boolean): number {
  return terms.length === 0 ? 0 : terms.filter(test).length / terms.length
}

/** 1 where what it says is of another time than the one that is asked for, half where it says no time. */
function periodConflict(dates: readonly DateValue[], { statement, around }: Candidate): number {
  if (dates.length === 0) return 0
  const { passage } = statement
  const texts = [statement.text, around, [passage.title, passage.name].join('\n'), passage.text.slice(0, 400)]
  for (const text of texts) {
    const told = datesIn(text)
    if (told.length === 0) continue
    return told.some(one => dates.some(asked => agrees(asked, one))) ? 0 : 1
  }
  return 0.5
}

function agrees(asked: DateValue, told: DateValue): boolean {
  const parts = ['year', 'half', 'quarter', 'month', 'day'] as const
  return parts.every(part => asked[part] === undefined || told[part] === undefined || asked[part] === told[part])
}

/** The share of neighbouring words of the question that stand near each other in the statement. */
function together(terms: readonly Weighed[], text: string, own: ReadonlySet<string>): number {
  const pairs = terms.slice(1).map((term, at) => [terms[at]!, term] as const) // the one before it
  if (pairs.length === 0) return Number(terms.every(term => isHeld(term, own)))
  const held = pairs.filter(([one, other]) => isHeld(one, own) && isHeld(other, own))
  return (held.length / pairs.length) * (text.length < 200 ? 1 : 0.7)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
