/*
 * Fitted by bench/fit-claims.ts, 2026-11-27, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** Likelihood from which a claim is stated (bench/fit-claims.ts). */
export const STATED = 0.617

export const SUPPORT_BIAS = -2.36
export const SUPPORT_WEIGHTS = {
  least: 1.647,
  elsewhere: -3.133,
  number: -2.483,
  rival: -2.666,
  counted: 0.977,
  bound: -3.364,
  row: -2.036,
  part: -3.067,
  denied: -2.592,
  demand: -3.057,
  nearness: 2.034,
  chinese: -0.662,
}
