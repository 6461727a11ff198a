import { type Interval, meanOf, pairedBootstrap, wilson } from './intervals.ts'
import type { MarkedAnswer, MarkedCitation } from './marking.ts'
import { type RiskCoverage, riskCoverage } from './risk-coverage.ts'
import type { Verdict } from './support.ts'

/** TREC's weights of 2024: a full support counts 1, a partial one half. */
const WEIGHTS: Readonly<Record<Verdict, number>> = { full: 1, partial: 0.5, unknown: 0, none: 0 }

/** All figures of one system over one set of questions. */
export type Figures = {
  readonly questions: number
  /** Answerable questions whose gold facts are all covered by supported sentences. */
  readonly right: Interval
  /** Answerable questions that were refused. */
  readonly missed: Interval
  /** Unanswerable questions that were refused. */
  readonly refused: Interval
  /** Citations whose words stand where they say. */
  readonly existence: Interval
  /** Of these, how many state offsets that could be checked. */
  readonly withOffsets: number
  /** Citations of answerable questions in the section and on the page of the gold evidence. */
  readonly location: Interval
  /** Citations that state a page, and state the right one. */
  readonly pages: Interval
  /** The mean share of the gold evidence that is cited, of answered answerable questions. */
  readonly evidence: number
  /** Sentences that one of their citations supports in full: ALCE's citation recall. */
  readonly citationRecall: Interval
  /** Citations that support their sentence in full: ALCE's citation precision. */
  readonly citationPrecision: Interval
  /** Support weighed as TREC does, over all sentences and over those with a citation. */
  readonly weightedRecall: number
  readonly weightedPrecision: number
  /** Sentences of which the checker can tell nothing: translations without numbers and names. */
  readonly unjudged: number
  /** The mean share of the gold facts that are covered, of all answerable questions. */
  readonly coverage: number
  readonly risk: RiskCoverage
}

export function figuresOf(answers: readonly MarkedAnswer[]): Figures {
  const answerable = answers.filter(answer => answer.answerable)
  const unanswerable = answers.filter(answer => !answer.answerable)
  const answered = answerable.filter(answer => !answer.refused)
  return {
    questions: answers.length,
    right: share(answerable, answer => answer.isRight),
    missed: share(answerable, answer => answer.refused),
    refused: share(unanswerable, answer => answer.refused),
    ...citationFigures(answers.flatMap(citationsOf), answered.flatMap(citationsOf)),
    evidence: meanOf(answered.map(({ evidence, evidenceCited }) => evidenceCited / evidence)),
    ...sentenceFigures(answers),
    coverage: meanOf(answerable.map(({ facts, factsCovered }) => factsCovered / facts)),
    risk: riskCoverage(
      answers.map(({ refused, isRight, confidence }) => ({
        answered: !refused,
        isWrong: !isRight,
        confidence,
      })),
    ),
  }
}

const citationsOf = ({ sentences }: MarkedAnswer): MarkedCitation[] =>
  sentences.flatMap(({ citations }) => [...citations])

function citationFigures(
  citations: readonly MarkedCitation[],
  ofAnswerable: readonly MarkedCitation[],
) {
  return {
    existence: share(citations, citation => citation.exists),
    withOffsets: citations.filter(({ hasOffsets }) => hasOffsets).length,
    location: share(ofAnswerable, citation => citation.isPlaced),
    pages: share(
      citations.filter(({ pageIsRight }) => pageIsRight !== undefined),
      ({ pageIsRight }) => pageIsRight === true,
    ),
    citationPrecision: share(citations, ({ verdict }) => verdict === 'full'),
  }
}

function sentenceFigures(answers: readonly MarkedAnswer[]) {
  const sentences = answers.flatMap(answer => answer.sentences)
  const cited = sentences.filter(({ citations }) => citations.length > 0)
  return {
    citationRecall: share(sentences, ({ verdict }) => verdict === 'full'),
    weightedRecall: meanOf(sentences.map(({ verdict }) => WEIGHTS[verdict])),
    weightedPrecision: meanOf(cited.map(({ verdict }) => WEIGHTS[verdict])),
    unjudged: sentences.filter(({ verdict }) => verdict === 'unknown').length,
  }
}

const share = <T>(items: readonly T[], holds: (item: T) => boolean): Interval =>
  wilson(items.filter(holds).length, items.length)

/** How much more often the first system is right than the second, by the same questions, documents drawn whole. */
export function advantageOf(
  first: readonly MarkedAnswer[],
  second: readonly MarkedAnswer[],
  documentOf: (id: string) => string,
): Interval {
  const others = new Map(second.map(answer => [answer.id, answer]))
  const differences = new Map<string, number[]>()
  for (const answer of first) {
    const other = others.get(answer.id)
    if (!other) continue
    const document = documentOf(answer.id)
    const difference = Number(answer.isRight) - Number(other.isRight)
    differences.set(document, [...(differences.get(document) ?? []), difference])
  }
  return pairedBootstrap(differences)
}
