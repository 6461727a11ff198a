import { type Language, vectorLanguageOf } from '../../ingest/language.ts'
import { answerKindOf } from '../language/answer-kind.ts'
import { type Attribute, attributeOf } from '../language/attribute.ts'
import { cueFit, withoutListNouns } from '../language/cues.ts'
import { isKeywords } from '../language/decisions.ts'
import type { Meaning, Nearness } from '../language/meaning.ts'
import { tellsByForm } from '../language/measured.ts'
import { namesPerson } from '../language/person-name.ts'
import { isOfOtherUnit } from '../language/quantities.ts'
import { reportedTopic } from '../language/report-frame.ts'
import type { Point, Terms } from '../language/terms.ts'
import { textAround, type Unit } from '../language/units.ts'
import type { Candidate } from './candidates.ts'

/** A unit, and how well it fits the question. */
export type Evidence = {
  readonly unit: Unit
  readonly isAcross: boolean
  /** Its passage has the years, names and numbers that the question is held to. */
  readonly isBound: boolean
  /** It stands under the heading of another thing than the one that the question names. */
  readonly isOfOther: boolean
  /** Its paragraph has a name or an identifier of the question as that writes it, though it is in the other language. */
  readonly isAnchored: boolean
  /** How alike it is to the question: standard deviations above the mean of the units of its language. Needs vectors. */
  readonly lead: number | undefined
  /** How much more alike it is to the question than unrelated text of its language: the difference of the cosines. */
  readonly lift: number | undefined
  /** How far it has the form of the answer, 0 to 1; undefined when the question waits for no form. */
  readonly cue: number | undefined
  /** From 1, of the best hit's passage, towards 0. */
  readonly rank: number
  /** From 0 to about 1. */
  readonly score: number
  /** How many points of the question stand in the unit itself. */
  readonly told: number
  /** The share of the question's words that have a counterpart in it by their meaning; undefined where they were not compared. */
  readonly alignment?: number
  /** It, or what it stands under, has a word of what the question asks for; so has every unit where no word of it tells that. */
  readonly holdsAsked: boolean
  /** Its paragraph has a name, a number, a time or a place where the question asks for one, and it has the question's units. */
  readonly hasKind: boolean
  /** Share of the question's weight that neither the unit nor its surroundings hold. */
  readonly missing: number
}

/** A point of the question with its weight: the fewer units hold it, the more it tells. */
type WeightedPoint = Point & { readonly weight: number }

/** Vectors cost; the units that words and ranks speak least for get none. */
const MAX_VECTORS = 60

/** A lead that is as good as any. */
const FULL_LEAD = 3

/** Tried against others on the sets of test/eval that are not held out. */
const SAME_LANGUAGE = { coverage: 0.4, lead: 0.4, rank: 0.1, cue: 0.1 }
const ACROSS = { coverage: 0.1, lead: 0.5, rank: 0.1, cue: 0.3 }

/** A label is more often a heading over an answer than the answer. */
const LABEL_PENALTY = 0.12
const HEADING_PENALTY = 0.15

/** Of sentences that have a word, the one that says what it means answers what it is; the others are as near. */
const DEFINITION = 0.3

export type RankOptions = { readonly terms: Terms; readonly meaning?: Meaning; readonly signal?: AbortSignal }

/** For each part of the question, the candidates, best first. */
export async function rankEvidence(
  parts: readonly string[],
  candidates: readonly Candidate[],
  { terms, meaning, signal }: RankOptions,
): Promise<readonly (readonly Evidence[])[]> {
  const telling = candidates.filter(candidate => !candidate.isAcross || isStatement(candidate.unit))
  const shortlist = shortlisted(weigh(terms.pointsOf(parts.join(' ')), telling), telling)
  const sentences = shortlist.map(({ unit, embedded }) => ({ documentId: unit.passage.documentId, text: embedded }))
  const nearness = meaning ? await meaning.nearness(parts, sentences, signal) : []
  return parts.map((text, at) => {
    const asked = attributeOf(text)
    const topic = reportedTopic(text) ?? (isKeywords(text) ? text : undefined)
    const points = weigh(terms.pointsOf(topic ?? withoutListNouns(text)), candidates)
    const around = topic === undefined ? AROUND : 1
    const holdsKind = answerKindOf(text)
    const part = { text, points, around, holdsKind, asked: asked && { ...asked, points: terms.pointsOf(asked.text) } }
    const likeness = likenessOf(shortlist, nearness[at])
    const evidence = shortlist.map((candidate, place) => judge(part, candidate, likeness?.[place]))
    return evidence.toSorted((a, b) => b.score - a.score)
  })
}

/** Words without a sentence, as in an index or a list of contents, are near to any question in another language. */
function isStatement({ text, isLabel, columns }: Unit): boolean {
  return (
    columns !== undefined || (!isLabel && SENTENCE_END.test(text) && (text.match(WORD)?.length ?? 0) >= STATEMENT_WORDS)
  )
}

/** A signature or an address has none. */
const SENTENCE_END = /[。！？；：.!?;:]["'”’」』）)\]]*$/

const WORD = /\p{Script=Han}{2}|\p{Script=Latin}{2,}/gu
const STATEMENT_WORDS = 4

function shortlisted(points: readonly WeightedPoint[], candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length <= MAX_VECTORS) return candidates
  const worth = new Map(candidates.map(candidate => [candidate, coverageOf(points, candidate).share + candidate.rank]))
  return candidates.toSorted((a, b) => worth.get(b)! - worth.get(a)!).slice(0, MAX_VECTORS) // all are in the map
}

/** A question or a part of one: its points, and those of what it asks for where its form tells that. */
type Part = {
  readonly text: string
  readonly points: readonly WeightedPoint[]
  /** How much what only its surroundings hold counts for a unit. */
  readonly around: number
  readonly holdsKind: (text: string) => boolean
  readonly asked: (Attribute & { readonly points: readonly Point[] }) | undefined
}

function judge(
  { text, points, around, asked, holdsKind }: Part,
  {
    unit,
    isAcross,
    isBound,
    isOfOther,
    isAnchored,
    isHeading,
    isDefinition,
    rank,
    terms,
    surroundings,
    scope,
  }: Candidate,
  { lead, lift }: Likeness = NO_LIKENESS,
): Evidence {
  const weights = isAcross ? ACROSS : SAME_LANGUAGE
  const near = lead === undefined ? 0 : Math.min(1, Math.max(0, lead / FULL_LEAD))
  const cue = cueFit(text, unit.text)
  const { share, missing } = coverageOf(points, { terms, surroundings, scope }, around)
  const sum = weights.coverage * share + weights.lead * near + weights.rank * rank + weights.cue * (cue ?? 0)
  const told = points.filter(point => holds(terms, point)).length
  const known = lead === undefined ? 1 - weights.lead : 1
  const penalty = (unit.isLabel ? LABEL_PENALTY : 0) + (isHeading ? HEADING_PENALTY : 0)
  const holdsAsked = !asked || isTold(asked, text, { unit, terms, surroundings, scope })
  const hasKind = holdsKind(textAround(unit)) && !isOfOtherUnit(text, unit.text)
  const score = sum / known - penalty + (isDefinition ? DEFINITION : 0)
  return {
    unit,
    isAcross,
    isBound,
    isOfOther,
    isAnchored,
    lead,
    lift,
    cue,
    rank,
    score,
    told,
    holdsAsked,
    hasKind,
    missing,
  }
}

function isTold(
  { text, isDeed, points }: NonNullable<Part['asked']>,
  question: string,
  { unit, ...words }: Words & Pick<Candidate, 'unit'>,
): boolean {
  if (points.length === 0 || points.some(point => heldBy(point, words) > 0)) return true
  return tellsByForm(text, unit.text) || (isDeed && namesPerson(unit.text, question))
}

function weigh(points: readonly Point[], candidates: readonly Candidate[]): readonly WeightedPoint[] {
  return points.flatMap(point => {
    const holders = candidates.reduce((sum, candidate) => sum + heldBy(point, candidate), 0)
    if (point.isOptional && holders === 0) return []
    return [{ ...point, weight: Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5)) }]
  })
}

/** Shares of the question's weight that the unit holds, and that it lacks. */
function coverageOf(
  points: readonly WeightedPoint[],
  candidate: Words,
  around = AROUND,
): { readonly share: number; readonly missing: number } {
  const total = points.reduce((sum, point) => sum + point.weight, 0)
  if (total === 0) return { share: 0, missing: 0 }
  const share = points.reduce((sum, point) => sum + heldBy(point, candidate, around) * point.weight, 0) / total
  const lacked = points.filter(point => heldBy(point, candidate) === 0)
  return { share, missing: lacked.reduce((sum, point) => sum + point.weight, 0) / total }
}

type Words = Pick<Candidate, 'terms' | 'surroundings' | 'scope'>

/** A word of the heading tells less than one in the sentence, unless a topic is asked for: that is what headings and columns say. */
const AROUND = 0.5

function heldBy(point: Point, { terms, surroundings, scope }: Words, around = AROUND): number {
  if (holds(terms, point) || holds(scope, point)) return 1
  return holds(surroundings, point) ? around : 0
}

function holds(terms: ReadonlySet<string>, point: Point): boolean {
  return point.anyOf.some(term => terms.has(term))
}

type Likeness = Pick<Evidence, 'lead' | 'lift'>

const NO_LIKENESS: Likeness = { lead: undefined, lift: undefined }

/** Cosines of one model crowd together, and those within a language more so: only the distance from the others tells. */
function likenessOf(candidates: readonly Candidate[], near: Nearness | undefined): readonly Likeness[] | undefined {
  if (!near) return undefined
  const { cosines, unrelated } = near
  const languages = candidates.map(({ embedded }) => vectorLanguageOf(embedded))
  const scale = (language: Language) => spread(cosines.filter((_, at) => languages[at] === language))
  const scales = { en: scale('en'), zh: scale('zh') }
  return candidates.map((_, at) => {
    const language = languages[at]! // as many as candidates
    const { mean, deviation } = scales[language]
    const cosine = cosines[at]! // as many
    const expected = unrelated[language]
    return { lead: (cosine - mean) / deviation, lift: expected === undefined ? undefined : cosine - expected }
  })
}

/** Mean and standard deviation; a few values give no scale, so that the deviation never falls under a floor. */
function spread(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length)
  return { mean, deviation: Math.max(Math.sqrt(variance), 0.01) }
}
