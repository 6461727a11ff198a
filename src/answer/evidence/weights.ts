/*
 * Fitted by bench/fit-answers.ts, 2026-11-24, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.392

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.721,
  weights: {
    own: 1.64,
    share: 0.963,
    number: -0.819,
    period: -1.551,
    nearness: 2.352,
    lead: 1.055,
    unsaid: -1.149,
    rank: 0.689,
    form: 0.939,
    waits: -0.417,
    words: -0.931,
    list: 0.356,
    table: 1.735,
    chinese: -0.403,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -7.273,
  weights: {
    own: 2.489,
    share: 3.23,
    number: -1.504,
    period: -0.323,
    nearness: 1.576,
    lead: 1.207,
    unsaid: -0.359,
    rank: 2.079,
    form: 1.058,
    waits: -0.208,
    words: 2.825,
    list: -0.506,
    table: 0,
    chinese: -0.491,
  },
}
