import type { Language } from '../text/language.ts'

/** Confidences of the right and the wrong answers among questions with known answers. */
export type JudgedAnswers = {
  readonly asked: number
  readonly right: readonly number[]
  readonly wrong: readonly number[]
}

export type Calibration = Readonly<Record<Language, JudgedAnswers>> & {
  /** Confirmed sentences of a model. */
  readonly claims?: Readonly<Record<Language, JudgedAnswers>>
}

/** `coverage` and `unlimited` are shares of the questions that are answered. */
export type RiskLimit = {
  readonly minConfidence: number
  readonly coverage: number
  readonly unlimited: number
}

/** Probability that a limit does not keep its risk; 0.05 as usual. */
const FAILURE = 0.05
/** Confidences in percent where sequences of tests start, so that few sure answers end only one. */
const STARTS = [90, 80, 70, 60] as const
/** Percent between tests; smaller steps kept fewer answers of halves (bench/calibrate.ts). */
const STEP = 5
const REFUSE_ALL = Number.POSITIVE_INFINITY

/**
 * Finds the lowest confidence above which at most `maxRisk` of the answers given are wrong: Learn
 * then Test with fixed sequences (Angelopoulos et al. 2021) and binomial tails (Clopper and
 * Pearson 1934), because this risk need not fall as fewer are given.
 */
export function limitRisk(judged: JudgedAnswers, maxRisk: number): RiskLimit {
  const passed = STARTS.flatMap(start => findPassed(judged, start, maxRisk))
  const minConfidence = maxRisk >= 1 ? 0 : Math.min(REFUSE_ALL, ...passed)
  const { right, wrong } = countAbove(judged, minConfidence)
  const share = (count: number) => (judged.asked > 0 ? count / judged.asked : 0)
  return {
    minConfidence,
    coverage: share(right + wrong),
    unlimited: share(judged.right.length + judged.wrong.length),
  }
}

/** Tests ever lower confidences until one fails. */
function findPassed(judged: JudgedAnswers, start: number, maxRisk: number): readonly number[] {
  const passed: number[] = []
  for (let percent = start; percent > 0; percent -= STEP) {
    const confidence = percent / 100
    const { right, wrong } = countAbove(judged, confidence)
    if (computeBinomialTail(wrong, right + wrong, maxRisk) > FAILURE / STARTS.length) break
    passed.push(confidence)
  }
  return passed
}

function countAbove({ right, wrong }: JudgedAnswers, minConfidence: number) {
  const count = (confidences: readonly number[]) =>
    confidences.filter(confidence => confidence >= minConfidence).length
  return { right: count(right), wrong: count(wrong) }
}

/** Probability of at most `hits` of `draws` if each has the probability `chance`. */
function computeBinomialTail(hits: number, draws: number, chance: number): number {
  let logTerm = draws * Math.log1p(-chance)
  let sum = Math.exp(logTerm)
  for (let hit = 1; hit <= hits; hit++) {
    logTerm += Math.log((draws - hit + 1) / hit) + Math.log(chance / (1 - chance))
    sum += Math.exp(logTerm)
  }
  return Math.min(1, sum)
}
