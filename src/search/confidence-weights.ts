/** Weights of `confidence` and thresholds of `weak`, which 3 % of the answerable questions miss. */

// By bench/fit-confidence.ts words, 2026-11-23, on every other document of calibration/, mixed/, kinds/, tables/, scope/, twins/, long/, real/, real-more/ of test/eval.
export const BY_WORDS = {
  answers: {
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
  },
  related: {
    bias: 2.81,
    weights: {
      passage: 2.749,
      unknown: -5.159,
      near: 3.953,
    },
  },
  leastRelated: 0.557,
}

// By bench/fit-confidence.ts sentence, 2026-11-27, on the same documents.
export const BY_SENTENCE = {
  answers: {
    bias: 0.484,
    weights: {
      passage: 1.229,
      worst: -0.883,
      unknown: 0.186,
      numbers: -0.79,
      names: -1.583,
      period: -1.416,
      near: -0.044,
      across: -0.052,
      acrossNear: 1.158,
      like: 4.868,
    },
  },
  related: {
    bias: 3.658,
    weights: {
      passage: 1.959,
      unknown: -4.237,
      near: 3.45,
      like: 4.855,
    },
  },
  leastRelated: 0.618,
}
