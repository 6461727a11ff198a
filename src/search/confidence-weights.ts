/** How likely a passage answers. Fitted by bench/fit-confidence.ts on every other document of calibration/, mixed/, kinds/, tables/, scope/, twins/, long/, real/, real-more/ of test/eval, 2026-11-23. */
export const ANSWERS = {
  bias: -0.966,
  weights: {
    own: 1.487,
    passage: 1.852,
    worst: -0.397,
    unknown: 0.159,
    numbers: -0.14,
    names: -2.381,
    period: -1.211,
    near: 0.225,
    across: 0.117,
    acrossNear: 1.963,
  },
}

/** How likely it is about what is asked at all. */
export const RELATED = {
  bias: 2.81,
  weights: {
    own: 0,
    passage: 2.749,
    worst: 0,
    unknown: -5.159,
    numbers: 0,
    names: 0,
    period: 0,
    near: 3.953,
    across: 0,
    acrossNear: 0,
  },
}

/** Less than this is weak: 3 % of the questions with an answer have less. */
export const LEAST_RELATED = 0.557
