import { type Meaning, toCosineFeature } from '../../search/meaning.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { detectVectorLanguage } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import { isHeld, type Term } from '../../text/terms.ts'
import {
  fitOfNumbers,
  fitOfPolarity,
  isBoundOtherwise,
  isOfOtherRow,
  isOfOtherWords,
} from './agreement.ts'
import { findNumbers, isSameAnchor } from './anchors.ts'
import {
  type Bearing,
  type Claim,
  type ClaimReading,
  splitClauses,
  splitReasons,
} from './claims.ts'
import { isContradicted } from './contradiction.ts'
import { ITEM_MARK, type ReadStatement, readStatements } from './statements.ts'
import { STATED, SUPPORT_BIAS, SUPPORT_WEIGHTS } from './support-weights.ts'
import { VerbatimFinder } from './verbatim.ts'

/** What is known of a statement for a claim; each about 0 to 1. docs/decisions/claims.md has what they mean, and their weights. */
export const SUPPORT_FEATURES = [
  'least',
  'elsewhere',
  'number',
  'rival',
  'counted',
  'bound',
  'row',
  'part',
  'denied',
  'demand',
  'nearness',
  'chinese',
] as const

export type SupportFeature = (typeof SUPPORT_FEATURES)[number]
type SupportFeatures = Readonly<Record<SupportFeature, number>>

type JudgeOptions = ClaimReading & { readonly meaning?: Meaning; readonly signal?: AbortSignal }

/** A statement of a passage, and how likely it states a claim. */
type Likely = {
  readonly statement: ReadStatement
  readonly features: SupportFeatures
  readonly score: number
  /** By words alone: no vectors told how near it is. */
  readonly isByWords: boolean
}

/** Vectors cost: only the statements that words and numbers speak most for get them, and are looked at closely. */
const MAX_VECTORS = 6
/** Hardly a statement is nearer to a claim in other words: one that would not reach the threshold even so needs no vector. */
const NEAREST = 0.9

/** Holds claims against passages in their own language; each passage is read once. */
export class Judge {
  readonly #options: JudgeOptions
  readonly #passages = new Map<Passage, readonly ReadStatement[]>()
  readonly #verbatim = new VerbatimFinder()

  constructor(options: JudgeOptions) {
    this.#options = options
  }

  /** By the one statement of the passages that says most of it, or, of a claim of several clauses, by one for each. */
  async judge(claim: Claim, passages: readonly Passage[]): Promise<readonly Bearing[]> {
    const whole = await this.#judgeWhole(claim, passages)
    const clauses = whole.some(({ support }) => support === 'stated')
      ? []
      : splitParts(claim, this.#options)
    const parts: Bearing[] = []
    for (const clause of clauses) {
      const [part] = await this.#judgeWhole(clause, passages)
      if (part?.support !== 'stated') return whole
      parts.push(part)
    }
    return parts.length > 0 ? parts : whole
  }

  /** The statements that are likeliest to state a claim, best first. */
  async isLikely(claim: Claim, passages: readonly Passage[]): Promise<readonly Likely[]> {
    const every = passages.flatMap(passage => this.#read(passage))
    const likeness = every.map(one => ({ one, likeness: computeSimilarity(claim, one) }))
    const best = likeness.toSorted((a, b) => b.likeness - a.likeness).slice(0, MAX_VECTORS)
    const statements = best.map(({ one }) => one)
    const cosines = await this.#cosines(claim, statements)
    return statements
      .map((one, at) => this.#scored(claim, one, cosines?.[at]))
      .toSorted((a, b) => b.score - a.score)
  }

  async #judgeWhole(claim: Claim, passages: readonly Passage[]): Promise<readonly Bearing[]> {
    const verbatim = this.findVerbatim(claim, passages)
    if (verbatim) return [verbatim]
    const [best] = await this.isLikely(claim, passages)
    if (!best) return []
    const { statement, score, isByWords } = best
    const { spans, passage } = statement
    const isDenied = isContradicted(claim, this.#read(passage), this.#options)
    if (score >= STATED && !isDenied) return [{ support: 'stated', spans, passage }]
    if (isDenied) return [{ support: 'not-stated', spans, passage }]
    const isOpen = isByWords && this.#scored(claim, statement, NEAREST).score >= STATED
    return [{ support: 'unknown', ...(!isOpen && { isUnlikely: true }), spans, passage }]
  }

  /** Finds a passage that has the claim word for word, in any language. It states the claim, whatever the score. */
  findVerbatim({ text }: Claim, passages: readonly Passage[]): Bearing | undefined {
    for (const passage of passages) {
      const place = this.#verbatim.find(text.replace(ITEM_MARK, ''), passage)
      if (!place) continue
      const statement = this.#read(passage).find(({ spans }) =>
        spans.some(span => isWithin(place, span)),
      )
      return { support: 'stated', spans: statement?.spans ?? [place], passage }
    }
    return undefined
  }

  #scored(claim: Claim, statement: ReadStatement, cosine?: number): Likely {
    const features = computeSupportFeatures(claim, statement, { reading: this.#options, cosine })
    return { statement, features, score: computeSupport(features), isByWords: cosine === undefined }
  }

  /** Undefined where there are no vectors, or it is not known what the cosines of their model mean. */
  async #cosines(
    claim: Claim,
    likely: readonly ReadStatement[],
  ): Promise<readonly number[] | undefined> {
    const { meaning, signal } = this.#options
    if (!meaning || likely.length === 0) return undefined
    const sentences = likely.map(one => ({
      documentId: one.passage.documentId,
      text: embedded(one),
    }))
    const near = await meaning.measureNearness(claim.text, sentences, signal)
    return near.unrelated[detectVectorLanguage(claim.text)] === undefined ? undefined : near.cosines
  }

  #read(passage: Passage): readonly ReadStatement[] {
    const read = this.#passages.get(passage) ?? readStatements(passage, this.#options.terms)
    this.#passages.set(passage, read)
    return read
  }
}

/** Clauses of which each can be looked for by itself: two words, or a word and a number. */
export function splitParts(claim: Claim, reading: ClaimReading): readonly Claim[] {
  const clauses = splitClauses(claim, reading)
  const standsAlone = ({ words, anchors }: Claim) =>
    words >= 2 || (words === 1 && findNumbers(anchors).length > 0)
  return clauses.length > 1 && clauses.every(standsAlone) ? clauses : []
}

/** How likely a statement states the claim, 0 to 1, by logistic regression: bench/fit-claims.ts. */
function computeSupport(features: SupportFeatures): number {
  const sum = SUPPORT_FEATURES.reduce(
    (sum, name) => sum + features[name] * SUPPORT_WEIGHTS[name],
    SUPPORT_BIAS,
  )
  return 1 / (1 + Math.exp(-sum))
}

function isWithin(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** With what it stands under, as evidence is embedded. */
function embedded({ about, cells = [], text }: ReadStatement): string {
  const head = about.trim().split('\n').at(-1) ?? ''
  return [head, cells.map(({ column }) => column).join(' '), text]
    .filter(part => part.trim() !== '')
    .join('\n')
}

/** `cosine` is that of claim and statement; undefined where it is not known: then the words stand for it. */
export function computeSupportFeatures(
  claim: Claim,
  statement: ReadStatement,
  { reading, cosine }: { readonly reading: ClaimReading; readonly cosine?: number | undefined },
): SupportFeatures {
  const isThere = (term: Term) => isHeld(term, statement.known)
  const ownShare = shareOf(claim, term => isHeld(term, statement.own))
  const nearness = cosine === undefined ? ownShare : toCosineFeature(cosine)
  const numbers = fitOfNumbers(claim, statement)
  const polarity = fitOfPolarity(claim, statement, reading)
  return {
    least: Math.min(...splitReasons(claim, reading).map(part => shareOf(part, isThere))),
    elsewhere:
      claim.words === 0 ? 0 : shareOf(claim, term => !isThere(term) && isHeld(term, statement.all)),
    number: Number(numbers.lacked > 0),
    rival: Number(numbers.replaced.length > 0),
    counted: Number(findNumbers(claim.anchors).length > 0),
    bound: Number(isBoundOtherwise(claim, statement)),
    row: Number(isOfOtherRow(claim, statement, reading)),
    part: Number(isOfOtherWords(claim, statement, reading)),
    denied: polarity.isDenied ? ownShare : 0,
    demand: Number(polarity.isOtherDemand),
    nearness: ownShare === 1 ? Math.max(1, nearness) : nearness, // what says every word of it is near, whatever a model thinks
    chinese: Number(/\p{Script=Han}/u.test(claim.text)),
  }
}

/** What vectors are worked out for: most of the words, and numbers. */
function computeSimilarity(claim: Claim, { own, known, anchors }: ReadStatement): number {
  const share =
    shareOf(claim, term => isHeld(term, own)) + shareOf(claim, term => isHeld(term, known))
  const numbers = claim.anchors.filter(wanted =>
    anchors.some(one => isSameAnchor(wanted, one)),
  ).length
  return share + numbers / Math.max(1, claim.anchors.length)
}

/** The share of the claim's words that are so, by weight; of no words all are. */
function shareOf({ terms, weight }: Claim, is: (term: Term) => boolean): number {
  return weight === 0 ? 1 : terms.filter(is).reduce((sum, term) => sum + term.weight, 0) / weight
}
