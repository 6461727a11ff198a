/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.381

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.81,
  weights: {
    own: 2.05,
    share: 0.716,
    period: -0.877,
    nearness: 2.105,
    answers: 0.495,
    rank: 0.662,
    form: 0.984,
    table: 1.241,
    chosen: 1.187,
    chinese: -0.283,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -5.247,
  weights: {
    own: 0.334,
    share: 2.784,
    period: -0.475,
    nearness: 1.111,
    answers: 0.627,
    rank: 2.649,
    form: 0.552,
    table: 0,
    chosen: 0,
    chinese: 0.103,
  },
}
