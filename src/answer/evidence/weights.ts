/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.372

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.496,
  weights: {
    own: 2.536,
    share: 0.451,
    number: -1.231,
    period: -1.112,
    nearness: 2.86,
    unsaid: -1.104,
    rank: 0.849,
    form: 1.23,
    waits: -0.602,
    words: -1.125,
    list: 0.249,
    table: 0.959,
    chosen: 1.44,
    chinese: -0.603,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.068,
  weights: {
    own: 1.835,
    share: 2.991,
    number: -1.57,
    period: -0.288,
    nearness: 2.124,
    unsaid: -0.747,
    rank: 2.074,
    form: 1.028,
    waits: -0.183,
    words: 2.343,
    list: -0.674,
    table: 0,
    chosen: 0,
    chinese: -0.441,
  },
}
