import { type Meaning, toCosineFeature } from '../../search/meaning.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { detectLanguage, detectVectorLanguage, type Language } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import { isContained, type Term } from '../../text/terms.ts'
import { findNumbers, isSameAnchor } from './anchors.ts'
import {
  type Bearing,
  type Claim,
  type ClaimReading,
  splitClauses,
  splitReasons,
} from './claims.ts'
import { isContradicted } from './contradiction.ts'
import { findObjections, type Objection } from './objections.ts'
import { ITEM_MARK, type ReadStatement, readStatements } from './statements.ts'
import { STATED, SUPPORT_BIAS, SUPPORT_WEIGHTS } from './support-weights.ts'
import { VerbatimFinder } from './verbatim.ts'

/** Features, about 0 to 1, as in docs/decisions/claims.md. */
export const SUPPORT_FEATURES = ['least', 'elsewhere', 'counted', 'nearness', 'chinese'] as const

type SupportFeature = (typeof SUPPORT_FEATURES)[number]
type SupportFeatures = Readonly<Record<SupportFeature, number>>

type JudgeOptions = ClaimReading & {
  readonly meaning?: Meaning
  /** Per language of a claim. */
  readonly minSupport?: Readonly<Record<Language, number>>
  readonly signal?: AbortSignal
}

type Likely = {
  readonly statement: ReadStatement
  readonly features: SupportFeatures
  readonly score: number
  /** Reasons for which it cannot state the claim. */
  readonly objections: readonly Objection[]
  readonly isByWords: boolean
}

/** Statements with vectors, so that a claim stays cheap. */
const MAX_VECTORS = 6
/** Highest nearness of other wordings, so that hopeless statements need no vector. */
const NEAREST = 0.9

/** Judges claims in their own language; reads each passage once. */
export class Judge {
  readonly #options: JudgeOptions
  readonly #passages = new Map<Passage, readonly ReadStatement[]>()
  readonly #verbatim = new VerbatimFinder()

  constructor(options: JudgeOptions) {
    this.#options = options
  }

  /** Uses the best statement, or one per clause. */
  async judge(claim: Claim, passages: readonly Passage[]): Promise<readonly Bearing[]> {
    const claimBearings = await this.#judgeClaim(claim, passages)
    const clauses = claimBearings.some(({ support }) => support === 'stated')
      ? []
      : splitParts(claim, this.#options)
    const parts: Bearing[] = []
    for (const clause of clauses) {
      const [part] = await this.#judgeClaim(clause, passages)
      if (part?.support !== 'stated') return claimBearings
      parts.push(part)
    }
    return parts.length > 0 ? parts : claimBearings
  }

  async rankStatements(claim: Claim, passages: readonly Passage[]): Promise<readonly Likely[]> {
    const every = passages.flatMap(passage => this.#read(passage))
    const likeness = every.map(statement => ({
      one: statement,
      likeness: computeSimilarity(claim, statement),
    }))
    const best = likeness.toSorted((a, b) => b.likeness - a.likeness).slice(0, MAX_VECTORS)
    const statements = best.map(({ one: statement }) => statement)
    const cosines = await this.#readCosines(claim, statements)
    return statements
      .map((statement, index) => this.#scoreStatement(claim, statement, cosines?.[index]))
      .toSorted((a, b) => b.score - a.score)
  }

  async #judgeClaim(claim: Claim, passages: readonly Passage[]): Promise<readonly Bearing[]> {
    const verbatim = this.findVerbatim(claim, passages)
    if (verbatim) return [verbatim]
    const likely = await this.rankStatements(claim, passages)
    const allowed = likely.find(({ objections }) => objections.length === 0)
    const best = allowed ?? likely[0]
    if (!best) return []
    const { spans, passage } = best.statement
    const isDenied = isContradicted(claim, this.#read(passage), this.#options)
    const minSupport = this.#options.minSupport?.[detectLanguage(claim.text)] ?? STATED
    if (allowed && allowed.score >= Math.max(STATED, minSupport) && !isDenied)
      return [{ support: 'stated', spans, passage }]
    if (isDenied) return [{ support: 'not-stated', spans, passage }]
    const isOpen =
      allowed !== undefined &&
      (allowed.score >= STATED ||
        (allowed.isByWords &&
          this.#scoreStatement(claim, allowed.statement, NEAREST).score >= STATED))
    return [{ support: 'unknown', ...(!isOpen && { isUnlikely: true }), spans, passage }]
  }

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

  #scoreStatement(claim: Claim, statement: ReadStatement, cosine?: number): Likely {
    const features = computeSupportFeatures(claim, statement, { reading: this.#options, cosine })
    const objections = findObjections(claim, statement, this.#options)
    const score = computeSupport(features)
    return { statement, features, score, objections, isByWords: cosine === undefined }
  }

  /** Undefined without vectors or priors. */
  async #readCosines(
    claim: Claim,
    likely: readonly ReadStatement[],
  ): Promise<readonly number[] | undefined> {
    const { meaning, signal } = this.#options
    if (!meaning || likely.length === 0) return undefined
    const sentences = likely.map(statement => ({
      documentId: statement.passage.documentId,
      text: toEmbeddedText(statement),
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

export function splitParts(claim: Claim, reading: ClaimReading): readonly Claim[] {
  const clauses = splitClauses(claim, reading)
  const isStandalone = ({ words, anchors }: Claim) =>
    words >= 2 || (words === 1 && findNumbers(anchors).length > 0)
  return clauses.length > 1 && clauses.every(isStandalone) ? clauses : []
}

/** Logistic regression (bench/fit-claims.ts). */
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

function toEmbeddedText({ about, cells = [], text }: ReadStatement): string {
  const head = about.trim().split('\n').at(-1) ?? ''
  return [head, cells.map(({ column }) => column).join(' '), text]
    .filter(part => part.trim() !== '')
    .join('\n')
}

/** Replaces an unknown `cosine` by words. */
export function computeSupportFeatures(
  claim: Claim,
  statement: ReadStatement,
  { reading, cosine }: { readonly reading: ClaimReading; readonly cosine?: number },
): SupportFeatures {
  const isThere = (term: Term) => isContained(term, statement.statedTerms)
  const ownShare = computeShare(claim, term => isContained(term, statement.own))
  const nearness = cosine === undefined ? ownShare : toCosineFeature(cosine)
  return {
    least: Math.min(...splitReasons(claim, reading).map(part => computeShare(part, isThere))),
    elsewhere:
      claim.words === 0
        ? 0
        : computeShare(claim, term => !isThere(term) && isContained(term, statement.all)),
    counted: Number(findNumbers(claim.anchors).length > 0),
    nearness: ownShare === 1 ? Math.max(1, nearness) : nearness, // a statement with every word is near
    chinese: Number(/\p{Script=Han}/u.test(claim.text)),
  }
}

/** Estimates by words and numbers, to choose statements for vectors. */
function computeSimilarity(claim: Claim, { own, statedTerms, anchors }: ReadStatement): number {
  const share =
    computeShare(claim, term => isContained(term, own)) +
    computeShare(claim, term => isContained(term, statedTerms))
  const numbers = claim.anchors.filter(claimed =>
    anchors.some(anchor => isSameAnchor(claimed, anchor)),
  ).length
  return share + numbers / Math.max(1, claim.anchors.length)
}

function computeShare({ terms, weight }: Claim, is: (term: Term) => boolean): number {
  return weight === 0 ? 1 : terms.filter(is).reduce((sum, term) => sum + term.weight, 0) / weight
}
