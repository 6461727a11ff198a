import type { FeatureName } from './features.ts'

/** What tells how likely a statement answers: a bias and a weight for each feature. */
export type Model = { readonly bias: number; readonly weights: Readonly<Record<FeatureName, number>> }

/*
 * Fitted by bench/fit-answers.ts, 2026-11-24, on these sets of test/eval:
 * tables/, scope/, kinds/, calibration/, mixed/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.337

/** Of statements in the language of the question. */
export const WITHIN: Model = {
  bias: -4.953,
  weights: {
    own: 1.693,
    share: 1.694,
    lacked: -0.08,
    worst: -0.446,
    number: -1.007,
    period: -1.139,
    nearness: 1.617,
    lead: 0.952,
    lacking: -1.096,
    rank: 1.32,
    form: 0.886,
    computed: 1.898,
    list: 0.648,
    table: 1.304,
    chinese: -0.726,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS: Model = {
  bias: -5.062,
  weights: {
    own: 1.367,
    share: 1.828,
    lacked: -3.211,
    worst: 1.221,
    number: -1.128,
    period: -0.25,
    nearness: 1.558,
    lead: 1.01,
    lacking: -0.875,
    rank: 2.264,
    form: 1.027,
    computed: 0,
    list: -0.612,
    table: 0,
    chinese: -0.156,
  },
}
