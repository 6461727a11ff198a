/*
 * Fitted by bench/fit-answers.ts, 2026-11-27, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.363

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.51,
  weights: {
    own: 2.478,
    share: 0.197,
    number: -1.316,
    period: -1.09,
    nearness: 1.674,
    unsaid: -0.973,
    tokens: 1.067,
    rank: 0.688,
    form: 1.527,
    words: -0.441,
    list: 0.261,
    table: 1.031,
    chosen: 1.186,
    chinese: -0.834,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -7.081,
  weights: {
    own: 0.379,
    share: 2.813,
    number: -1.947,
    period: -0.441,
    nearness: 0.412,
    unsaid: -0.644,
    tokens: 1.946,
    rank: 2.971,
    form: 0.82,
    words: 1.465,
    list: -0.831,
    table: 0,
    chosen: 0,
    chinese: -0.254,
  },
}
