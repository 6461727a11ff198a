/*
 * Fitted by bench/fit-claims.ts, 2026-11-24, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** From this likelihood on a statement states a claim. */
export const STATED = 0.637

export const SUPPORT_BIAS = -1.76
export const SUPPORT_WEIGHTS = {
  least: 1.454,
  elsewhere: -3.817,
  number: -2.482,
  rival: -2.683,
  counted: 1.001,
  bound: -3.359,
  row: -1.992,
  part: -3.009,
  denied: -2.619,
  demand: -2.751,
  nearness: 1.655,
  chinese: -0.588,
}
