/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.362

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.691,
  weights: {
    own: 2.044,
    share: 0.778,
    number: -0.599,
    period: -0.813,
    nearness: 2.149,
    answers: 0.401,
    rank: 0.605,
    form: 0.989,
    words: -0.468,
    list: 0.08,
    table: 1.503,
    chosen: 1.28,
    chinese: -0.41,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -5.654,
  weights: {
    own: 0.523,
    share: 2.762,
    number: -1.654,
    period: -0.439,
    nearness: 1.35,
    answers: 0.436,
    rank: 2.229,
    form: 0.569,
    words: 1.28,
    list: -0.618,
    table: 0,
    chosen: 0,
    chinese: -0.053,
  },
}
