/*
 * Fitted by bench/fit-claims.ts, 2026-11-30, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** Likelihood from which a claim is stated (bench/fit-claims.ts). */
export const STATED = 0.648

export const SUPPORT_BIAS = -2.851
export const SUPPORT_WEIGHTS = {
  least: 2.883,
  elsewhere: -4.086,
  counted: 1.552,
  nearness: 2.179,
  chinese: -0.689,
}
