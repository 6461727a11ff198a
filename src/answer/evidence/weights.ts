/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.374

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.494,
  weights: {
    own: 2.543,
    share: 0.421,
    number: -1.243,
    period: -1.063,
    nearness: 2.793,
    unsaid: -1.192,
    rank: 0.825,
    form: 1.627,
    words: -1.068,
    list: 0.334,
    table: 0.99,
    chosen: 1.384,
    chinese: -0.512,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.236,
  weights: {
    own: 1.834,
    share: 3.019,
    number: -1.531,
    period: -0.261,
    nearness: 2.108,
    unsaid: -0.743,
    rank: 2.069,
    form: 0.96,
    words: 2.361,
    list: -0.531,
    table: 0,
    chosen: 0,
    chinese: -0.393,
  },
}
