/*
 * Fitted by bench/fit-answers.ts, 2026-11-26, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, near/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.396

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.438,
  weights: {
    own: 2.233,
    share: 1.257,
    nowhere: 1.459,
    number: -0.872,
    period: -1.453,
    nearness: 2.583,
    lead: 0.686,
    unsaid: -1.078,
    rank: 0.795,
    form: 0.967,
    waits: -0.444,
    words: -0.881,
    list: 0.369,
    table: 1.786,
    chinese: -0.716,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -6.228,
  weights: {
    own: 1.924,
    share: 3.04,
    nowhere: -0.795,
    number: -1.463,
    period: -0.311,
    nearness: 1.453,
    lead: 1.048,
    unsaid: -0.505,
    rank: 1.654,
    form: 1.023,
    waits: -0.227,
    words: 2.749,
    list: -0.64,
    table: 0,
    chinese: -0.445,
  },
}
