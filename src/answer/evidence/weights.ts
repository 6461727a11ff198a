import type { FeatureName } from './features.ts'

/** Fitted by bench/fit-answers.ts on calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/ of test/eval, 2026-11-23. */
export const BIAS = -2.985

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.435

export const WEIGHTS: Readonly<Record<FeatureName, number>> = {
  own: 1.88,
  context: 0.179,
  worst: -1.491,
  unknown: 0.925,
  name: -1.235,
  asked: -0.313,
  period: -1.78,
  together: -0.096,
  lift: 1.657,
  lead: 1.571,
  rank: 0.514,
  form: 0.089,
  formLacking: -0.777,
  row: -0.137,
  chosen: -0.034,
  computed: 0.733,
  list: 0.914,
  chinese: 0.13,
  nearButLacking: -0.518,
}
