/*
 * Fitted by bench/fit-claims.ts, 2026-11-27, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** From this likelihood on a statement states a claim. */
export const STATED = 0.613

export const SUPPORT_BIAS = -2.36
export const SUPPORT_WEIGHTS = {
  least: 1.641,
  elsewhere: -3.124,
  number: -2.502,
  rival: -2.636,
  counted: 0.975,
  bound: -3.362,
  row: -2.051,
  part: -3.057,
  denied: -2.592,
  demand: -3.054,
  nearness: 2.037,
  chinese: -0.66,
}
