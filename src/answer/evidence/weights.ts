/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.348

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.674,
  weights: {
    own: 2.068,
    share: 0.759,
    number: -0.442,
    period: -0.894,
    nearness: 2.04,
    answers: 0.405,
    rank: 0.638,
    form: 0.973,
    words: -0.435,
    list: 0.284,
    table: 1.273,
    chosen: 1.26,
    chinese: -0.447,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.177,
  weights: {
    own: 0.449,
    share: 2.844,
    number: -1.56,
    period: -0.392,
    nearness: 1.148,
    answers: 0.5,
    rank: 2.789,
    form: 0.54,
    words: 1.29,
    list: -0.837,
    table: 0,
    chosen: 0,
    chinese: -0.06,
  },
}
