/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.365

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.42,
  weights: {
    own: 2.022,
    share: 0.742,
    number: -0.341,
    period: -0.86,
    nearness: 1.92,
    answers: 0.427,
    rank: 0.613,
    form: 0.889,
    words: -0.501,
    list: 0.347,
    table: 1.268,
    chosen: 1.182,
    chinese: -0.355,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.416,
  weights: {
    own: 0.376,
    share: 2.976,
    number: -1.521,
    period: -0.364,
    nearness: 0.843,
    answers: 0.578,
    rank: 2.726,
    form: 0.613,
    words: 1.615,
    list: -0.824,
    table: 0,
    chosen: 0,
    chinese: 0.03,
  },
}
