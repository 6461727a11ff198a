/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.37

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.582,
  weights: {
    own: 2.355,
    share: 0.429,
    number: -1.288,
    period: -1.039,
    nearness: 1.68,
    unsaid: -1.067,
    tokens: 0.997,
    rank: 0.724,
    form: 1.618,
    words: -0.55,
    list: 0.237,
    table: 0.965,
    chosen: 1.387,
    chinese: -0.703,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -7.506,
  weights: {
    own: 1.21,
    share: 2.318,
    number: -1.962,
    period: -0.468,
    nearness: 0.633,
    unsaid: -0.715,
    tokens: 1.485,
    rank: 3.396,
    form: 0.855,
    words: 1.39,
    list: -0.847,
    table: 0,
    chosen: 0,
    chinese: -0.211,
  },
}
