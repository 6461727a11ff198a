/*
 * Fitted by bench/fit-answers.ts, 2026-11-28, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check;
 * those of the other language on test/eval/cross-language/tuning, too.
 */

/** Likelihood from which a statement answers by default (bench/fit-answers.ts). */
export const THRESHOLD = 0.376

/** Same language. */
export const WITHIN = {
  bias: -3.782,
  weights: {
    own: 2.021,
    share: 0.636,
    period: -0.66,
    nearness: 2.145,
    answers: 0.5,
    rank: 0.876,
    form: 0.741,
    table: 1.433,
    chosen: 1.26,
    chinese: -0.441,
  },
}

/** Other language; the bias follows from the required refusals. */
export const ACROSS = {
  bias: -4.575,
  weights: {
    own: 0.343,
    share: 2.712,
    period: -0.391,
    nearness: 1.151,
    answers: 0.593,
    rank: 2.095,
    form: 0.425,
    table: 0,
    chosen: 0,
    chinese: 0.06,
  },
}
