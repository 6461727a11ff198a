/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.379

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -3.807,
  weights: {
    own: 2.052,
    share: 0.725,
    period: -0.878,
    nearness: 2.116,
    answers: 0.497,
    rank: 0.641,
    form: 0.989,
    table: 1.25,
    chosen: 1.193,
    chinese: -0.291,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -5.423,
  weights: {
    own: 0.387,
    share: 2.82,
    period: -0.496,
    nearness: 1.172,
    answers: 0.627,
    rank: 2.707,
    form: 0.594,
    table: 0,
    chosen: 0,
    chinese: 0.134,
  },
}
