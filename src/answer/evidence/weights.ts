/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.383

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.078,
  weights: {
    own: 2.28,
    share: 0.686,
    period: -1.093,
    nearness: 2.108,
    answers: 0.402,
    rank: 0.658,
    form: 1.114,
    table: 1.293,
    chosen: 1.274,
    chinese: -0.599,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -5.88,
  weights: {
    own: 0.478,
    share: 2.748,
    period: -0.51,
    nearness: 1.35,
    answers: 0.435,
    rank: 3.034,
    form: 0.661,
    table: 0,
    chosen: 0,
    chinese: -0.01,
  },
}
