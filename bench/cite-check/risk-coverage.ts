/** What a system did with one question: `confidence` is undefined where it refused or does not say. */
export type Decision = {
  readonly answered: boolean
  readonly isWrong: boolean
  readonly confidence?: number
}

type CurvePoint = { readonly coverage: number; readonly risk: number }

export type RiskCoverage = {
  /** Of all questions the share answered, and of these the share wrong, as the system is set. */
  readonly working: CurvePoint
  /** The same when only the surest answers are kept, from few to all, those without a confidence last; one point where no answer has one. */
  readonly curve: readonly CurvePoint[]
  /** The mean risk over the curve's points: less is better; only to be compared where the curves end alike. */
  readonly area: number
}

/** Risk against coverage over answerable and unanswerable questions together (El-Yaniv and Wiener 2010). */
export function riskCoverage(decisions: readonly Decision[]): RiskCoverage {
  const answered = decisions.filter(decision => decision.answered)
  const working = pointOf(answered, decisions.length)
  const curve = answered.some(isSure) ? curveOf(answered, decisions.length) : [working]
  return { working, curve, area: curve.reduce((sum, { risk }) => sum + risk, 0) / curve.length }
}

const isSure = ({ confidence }: Decision): boolean => confidence !== undefined

/** One point for each confidence: answers that are equally sure are kept or left together. */
function curveOf(answered: readonly Decision[], total: number): CurvePoint[] {
  const sureness = ({ confidence = Number.NEGATIVE_INFINITY }: Decision) => confidence
  const levels = [...new Set(answered.map(sureness))].sort((a, b) => b - a)
  return levels.map(level =>
    pointOf(
      answered.filter(decision => sureness(decision) >= level),
      total,
    ),
  )
}

function pointOf(answered: readonly Decision[], total: number): CurvePoint {
  const wrong = answered.filter(({ isWrong }) => isWrong).length
  return {
    coverage: total ? answered.length / total : 0,
    risk: answered.length ? wrong / answered.length : 0,
  }
}
