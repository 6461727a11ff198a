/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.361

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.868,
  weights: {
    own: 2.45,
    share: 0.493,
    number: -0.914,
    period: -1.536,
    nearness: 3.113,
    unsaid: -1.059,
    rank: 1.143,
    form: 1.127,
    waits: -0.571,
    words: -1.157,
    table: 1.713,
    chinese: -0.711,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.534,
  weights: {
    own: 2.001,
    share: 3.36,
    number: -1.432,
    period: -0.289,
    nearness: 2.195,
    unsaid: -0.443,
    rank: 1.865,
    form: 1.336,
    waits: -0.344,
    words: 2.668,
    table: 0,
    chinese: -0.53,
  },
}
