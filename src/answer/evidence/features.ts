import { type DateValue, datesIn } from '../../text/dates.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { isHeld } from '../../text/terms.ts'
import type { Question, QuestionTerm } from '../question/question.ts'
import { formFit, waitsForForm } from './answer-forms.ts'
import type { Candidate } from './candidates.ts'

/** How alike a candidate is to a question by their vectors, as far as that is known. */
export type Likeness = {
  /** Cosine above the usual one of a passage that was found, in tenths. */
  readonly nearness?: number
  /** Standard deviations above the mean of the candidates of its language. */
  readonly lead?: number
  /** The rarity of a word of the question that it lacks and does not say in another word either, as far as vectors tell. */
  readonly unsaid?: number
}

/** What is known of a candidate for a question; each about 0 to 1. ARCHITECTURE.md has what they mean, and their weights. */
export const FEATURES = [
  'own',
  'share',
  'number',
  'period',
  'nearness',
  'lead',
  'unsaid',
  'rank',
  'form',
  'waits',
  'words',
  'list',
  'table',
  'chinese',
] as const

export type FeatureName = (typeof FEATURES)[number]
export type Features = Readonly<Record<FeatureName, number>>

/** A term with what it weighs among these candidates: the fewer hold it, and the rarer it is in its language, the more it tells. */
type Weighed = QuestionTerm & { readonly weight: number; readonly rarity: number }

const FULL_LEAD = 3
/** A question of so many words is a long one. */
const LONG = 10

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
  const { statement, own, context, scope } = candidate
  const isOwn = (term: Weighed) => isHeld(term, own)
  const isThere = (term: Weighed) => isOwn(term) || isHeld(term, context) || isHeld(term, scope)
  const numbers = terms.filter(({ text }) => /\d/.test(text))
  const ownShare = sumOf(terms.filter(isOwn)) / total
  const share = sumOf(terms.filter(isThere)) / total
  return {
    own: ownShare,
    share,
    number: numbers.filter(term => !isThere(term)).length / Math.max(1, numbers.length),
    period: periodConflict(question.dates, candidate),
    // Where vectors tell nothing, what the words say stands for them.
    nearness: likeness?.nearness ?? share,
    lead: likeness?.lead === undefined ? ownShare : clamp(likeness.lead / FULL_LEAD),
    unsaid: likeness?.unsaid ?? Math.max(0, ...terms.filter(term => !isThere(term)).map(({ rarity }) => rarity / 2)),
    rank: candidate.rank,
    form: formFit(question, candidate),
    waits: Number(waitsForForm(question)),
    words: Math.min(1, terms.length / LONG),
    list: Number(statement.kind === 'list'),
    table: Number(statement.kind === 'table'),
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
    const holders = candidates.filter(
      ({ own, context, scope }) => isHeld(term, own) || isHeld(term, context) || isHeld(term, scope),
    ).length
    const idf = Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))
    const rare = rarity?.of(term.word) ?? 1
    return { ...term, rarity: rare, weight: idf * rare }
  })
}

function sumOf(terms: readonly Weighed[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0)
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

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
