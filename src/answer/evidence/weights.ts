/*
 * Fitted by bench/fit-answers.ts, 2026-11-24, on these sets of test/eval:
 * calibration/, mixed/, long/, kinds/, real/, real-more/, tables/, scope/, twins/, the development half of bench/data/cite-check.
 */

/** From this likelihood on a statement answers, at the usual strictness. */
export const THRESHOLD = 0.379

/** Of statements in the language of the question. */
export const WITHIN = {
  bias: -4.278,
  weights: {
    own: 1.58,
    share: 1.042,
    lacked: 0.291,
    worst: -0.728,
    number: -0.883,
    period: -1.406,
    nearness: 2.066,
    lead: 1.114,
    lacking: -1.474,
    rank: 0.836,
    form: 0.838,
    computed: 0.285,
    list: 0.431,
    table: 1.775,
    chinese: -0.866,
  },
}

/** Of statements in the other language; its bias is set by what the threshold is to refuse of them. */
export const ACROSS = {
  bias: -4.892,
  weights: {
    own: 1.698,
    share: 1.285,
    lacked: -4.184,
    worst: 1.753,
    number: -1.167,
    period: -0.287,
    nearness: 1.485,
    lead: 1.096,
    lacking: -0.848,
    rank: 2.253,
    form: 1.133,
    computed: 0,
    list: -0.661,
    table: 0,
    chinese: -0.303,
  },
}
