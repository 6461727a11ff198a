import type { Citation } from '../../answer/citations/citation.ts'

/** What is judged of an answer. */
type JudgedText = {
  readonly answer: string
  readonly abstained: boolean
  readonly citations: readonly Citation[]
}

/** A question with its known answer, or with none. */
export type JudgedQuestion = {
  readonly id: string
  readonly question: string
  readonly answerable: boolean
  /** Of each group, one member has to be in the answer. */
  readonly mustInclude: readonly (readonly string[])[]
  /** Base name of the document that answers. */
  readonly doc?: string | undefined
  /** The pages that hold the evidence, 1-based; none for formats without pages. */
  readonly pages: readonly number[]
  /** Words of the document that prove the answer. */
  readonly evidence?: string | undefined
}

/** What one answer was worth; a measure that does not apply to the question is absent. */
type AnswerJudgement = {
  readonly correct?: boolean
  readonly wronglyAbstained?: boolean
  readonly rightlyAbstained?: boolean
  readonly documentHit?: boolean
  readonly pageHit?: boolean
  readonly evidenceHit?: boolean
}

export type AnswerMeasure = keyof AnswerJudgement

/** Share of the questions that a measure applies to, with its 95 % Wilson interval. */
export type Rate = {
  readonly rate: number
  readonly count: number
  readonly ci95: readonly [number, number]
}

/** What a reader takes in: longer answers, more citations and longer quotations count no further. */
const MAX_ANSWER = 800
const MAX_CITATIONS = 5
const MAX_QUOTE = 500

/** Evidence counts as cited when a quotation holds it, or this share of its character 4-grams. */
const ENOUGH_EVIDENCE = 0.5

/** A string test: a lower bound for free wording, an upper bound for yes and no. */
export function judgeAnswer(question: JudgedQuestion, answer: JudgedText): AnswerJudgement {
  if (!question.answerable) return { rightlyAbstained: answer.abstained }
  const text = answer.answer.slice(0, MAX_ANSWER)
  const citations = answer.citations.slice(0, MAX_CITATIONS)
  const { doc, pages, evidence } = question
  const isThere = question.mustInclude.every(group => group.some(member => holds(text, member)))
  return {
    correct: !answer.abstained && isThere,
    wronglyAbstained: answer.abstained,
    ...(doc && { documentHit: citations.some(citation => citation.doc === doc) }),
    ...(doc &&
      pages.length > 0 && {
        pageHit: citations.some(one => one.doc === doc && pages.includes(one.page ?? 0)),
      }),
    ...(evidence && {
      evidenceHit: citations.some(({ text }) => isEvidence(text.slice(0, MAX_QUOTE), evidence)),
    }),
  }
}

/** Each measure over the judgements that it applies to. */
export function answerRates(
  judgements: readonly AnswerJudgement[],
): Readonly<Partial<Record<AnswerMeasure, Rate>>> {
  const measures = [
    ...new Set(judgements.flatMap(judgement => Object.keys(judgement))),
  ] as AnswerMeasure[] // its own keys
  return Object.fromEntries(
    measures.map(measure => {
      const values = judgements
        .map(judgement => judgement[measure])
        .filter(value => value !== undefined)
      return [measure, wilson(values.filter(Boolean).length, values.length)]
    }),
  )
}

/** Wilson's score interval, at 95 %. */
function wilson(hits: number, count: number): Rate {
  const z = 1.96
  const rate = hits / count
  const centre = (rate + (z * z) / (2 * count)) / (1 + (z * z) / count)
  const half =
    (z / (1 + (z * z) / count)) *
    Math.sqrt((rate * (1 - rate)) / count + (z * z) / (4 * count * count))
  return { rate, count, ci95: [Math.max(0, centre - half), Math.min(1, centre + half)] }
}

/** A bare number counts only where it is no part of a longer one, a short English word only as a whole word. */
function holds(text: string, member: string): boolean {
  const wanted = squeeze(member)
  if (/^[\d.,]+$/.test(member))
    return new RegExp(`(?<![\\d.,])${escaped(wanted)}(?!\\d|[.,]\\d)`).test(text)
  if (/^[a-z]{1,4}$/.test(wanted)) return new RegExp(`\\b${wanted}\\b`).test(text.toLowerCase())
  return squeeze(text).includes(wanted)
}

function isEvidence(quote: string, evidence: string): boolean {
  if (squeeze(quote).includes(squeeze(evidence))) return true
  const wanted = grams(evidence)
  const found = grams(quote)
  return [...wanted].filter(gram => found.has(gram)).length >= ENOUGH_EVIDENCE * wanted.size
}

function grams(text: string): ReadonlySet<string> {
  const letters = squeeze(text)
  return new Set(
    Array.from({ length: Math.max(1, letters.length - 3) }, (_, at) => letters.slice(at, at + 4)),
  )
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

function escaped(text: string): string {
  return text.replace(/[.]/g, '\\.')
}
