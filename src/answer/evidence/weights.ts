/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.394

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.652,
  weights: {
    own: 2.504,
    share: 0.78,
    period: -1.079,
    nearness: 2.325,
    answers: 0.352,
    rank: 0.668,
    form: 1.224,
    table: 1.338,
    chosen: 1.252,
    chinese: -0.599,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.384,
  weights: {
    own: 0.666,
    share: 2.846,
    period: -0.514,
    nearness: 1.321,
    answers: 0.423,
    rank: 3.531,
    form: 0.631,
    table: 0,
    chosen: 0,
    chinese: -0.043,
  },
}
