/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.385

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.816,
  weights: {
    own: 2.078,
    share: 0.784,
    period: -1.136,
    nearness: 2.059,
    answers: 0.419,
    rank: 0.598,
    form: 0.975,
    table: 1.414,
    chosen: 1.247,
    chinese: -0.564,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -5.813,
  weights: {
    own: 0.5,
    share: 2.722,
    period: -0.507,
    nearness: 1.325,
    answers: 0.442,
    rank: 3.011,
    form: 0.599,
    table: 0,
    chosen: 0,
    chinese: 0.001,
  },
}
