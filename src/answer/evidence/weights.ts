/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.359

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.495,
  weights: {
    own: 2.028,
    share: 0.755,
    number: -0.425,
    period: -0.864,
    nearness: 1.999,
    answers: 0.41,
    rank: 0.569,
    form: 0.947,
    words: -0.507,
    list: 0.355,
    table: 1.281,
    chosen: 1.187,
    chinese: -0.391,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.243,
  weights: {
    own: 0.281,
    share: 2.936,
    number: -1.579,
    period: -0.349,
    nearness: 1.164,
    answers: 0.503,
    rank: 2.825,
    form: 0.576,
    words: 1.355,
    list: -0.852,
    table: 0,
    chosen: 0,
    chinese: -0.083,
  },
}
