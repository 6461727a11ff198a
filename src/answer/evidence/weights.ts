/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.382

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.365,
  weights: {
    own: 2.403,
    share: 0.733,
    period: -1.068,
    nearness: 2.236,
    answers: 0.377,
    rank: 0.628,
    form: 1.155,
    table: 1.303,
    chosen: 1.272,
    chinese: -0.621,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.323,
  weights: {
    own: 0.605,
    share: 2.816,
    period: -0.472,
    nearness: 1.267,
    answers: 0.455,
    rank: 3.387,
    form: 0.623,
    table: 0,
    chosen: 0,
    chinese: 0.012,
  },
}
