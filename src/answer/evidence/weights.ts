/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.352

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.666,
  weights: {
    own: 2.07,
    share: 0.768,
    number: -0.417,
    period: -0.915,
    nearness: 2.028,
    answers: 0.401,
    rank: 0.641,
    form: 0.974,
    words: -0.463,
    list: 0.286,
    table: 1.298,
    chosen: 1.227,
    chinese: -0.416,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.182,
  weights: {
    own: 0.438,
    share: 2.832,
    number: -1.608,
    period: -0.385,
    nearness: 1.162,
    answers: 0.47,
    rank: 2.795,
    form: 0.579,
    words: 1.273,
    list: -0.754,
    table: 0,
    chosen: 0,
    chinese: -0.072,
  },
}
