import type { Message } from '../../agent/message.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import type { AnswerJudgement, Rate } from '../../wire/evaluation.ts'

type JudgedText = {
  readonly answer: string
  readonly abstained: boolean
  readonly citations: readonly Citation[]
}

export type JudgedQuestion = {
  readonly id: string
  readonly question: string
  /** Undefined if nobody has said. */
  readonly answerable: boolean | undefined
  readonly history?: readonly Message[]
  /** One member of each group must occur. */
  readonly mustInclude: readonly (readonly string[])[]
  readonly doc?: string
  /** Pages with the evidence, from 1; empty for formats without pages. */
  readonly pages: readonly number[]
  /** Words that prove the answer. */
  readonly evidence?: string
}

type AnswerMeasure = keyof AnswerJudgement

/**
 * Limits of what counts, so that long answers gain nothing: characters, citations, characters
 * of a quotation.
 */
const MAX_ANSWER = 800
const MAX_CITATIONS = 5
const MAX_QUOTE = 500

/** Share of the evidence's 4-grams in a cited quotation, so that small cuts do not matter. */
const ENOUGH_EVIDENCE = 0.5

/** Tests strings: a lower bound for free wording, an upper bound for yes and no. */
export function judgeAnswer(question: JudgedQuestion, answer: JudgedText): AnswerJudgement {
  if (question.answerable === undefined) return {}
  if (!question.answerable) return { rightlyAbstained: answer.abstained }
  const text = answer.answer.slice(0, MAX_ANSWER)
  const citations = answer.citations.slice(0, MAX_CITATIONS)
  const { doc, pages, evidence } = question
  const isThere = question.mustInclude.every(group => group.some(member => hasMember(text, member)))
  return {
    ...(question.mustInclude.length > 0 && { correct: !answer.abstained && isThere }),
    wronglyAbstained: answer.abstained,
    ...(doc && { documentHit: citations.some(citation => citation.doc === doc) }),
    ...(doc &&
      pages.length > 0 && {
        pageHit: citations.some(
          citation => citation.doc === doc && pages.includes(citation.page ?? 0),
        ),
      }),
    ...(evidence && {
      evidenceHit: citations.some(({ text }) => isEvidence(text.slice(0, MAX_QUOTE), evidence)),
    }),
  }
}

export function computeRates(
  judgements: readonly AnswerJudgement[],
): Readonly<Partial<Record<AnswerMeasure, Rate>>> {
  const measures = [
    ...new Set(judgements.flatMap(judgement => Object.keys(judgement))),
  ] as AnswerMeasure[]
  return Object.fromEntries(
    measures.map(measure => {
      const values = judgements
        .map(judgement => judgement[measure])
        .filter(value => value !== undefined)
      return [measure, computeWilson(values.filter(Boolean).length, values.length)]
    }),
  )
}

function computeWilson(hits: number, count: number): Rate {
  const z = 1.96
  const rate = hits / count
  const centre = (rate + (z * z) / (2 * count)) / (1 + (z * z) / count)
  const half =
    (z / (1 + (z * z) / count)) *
    Math.sqrt((rate * (1 - rate)) / count + (z * z) / (4 * count * count))
  return { rate, count, ci95: [Math.max(0, centre - half), Math.min(1, centre + half)] }
}

/** Matches numbers and short English words only as complete words. */
function hasMember(text: string, member: string): boolean {
  const expected = normalizeText(member)
  if (/^[\d.,]+$/.test(member))
    return new RegExp(`(?<![\\d.,])${expected.replace(/[.]/g, '\\.')}(?!\\d|[.,]\\d)`).test(text)
  if (/^[a-z]{1,4}$/.test(expected)) return new RegExp(`\\b${expected}\\b`).test(text.toLowerCase())
  return normalizeText(text).includes(expected)
}

function isEvidence(quote: string, evidence: string): boolean {
  if (normalizeText(quote).includes(normalizeText(evidence))) return true
  const expected = splitGrams(evidence)
  const found = splitGrams(quote)
  return [...expected].filter(gram => found.has(gram)).length >= ENOUGH_EVIDENCE * expected.size
}

function splitGrams(text: string): ReadonlySet<string> {
  const letters = normalizeText(text)
  return new Set(
    Array.from({ length: Math.max(1, letters.length - 3) }, (_, index) =>
      letters.slice(index, index + 4),
    ),
  )
}

function normalizeText(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}
