/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.347

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.003,
  weights: {
    own: 2.192,
    share: 1.041,
    number: -0.496,
    period: -0.948,
    nearness: 2.185,
    answers: 0.304,
    rank: 0.647,
    form: 1.11,
    words: -0.535,
    list: 0.563,
    table: 1.297,
    chosen: 1.114,
    chinese: -0.499,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.555,
  weights: {
    own: 0.337,
    share: 3,
    number: -1.652,
    period: -0.386,
    nearness: 1.269,
    answers: 0.384,
    rank: 3.244,
    form: 0.626,
    words: 1.065,
    list: -0.638,
    table: 0,
    chosen: 0,
    chinese: -0.199,
  },
}
