/*
 * Fitted by bench/fit-claims.ts, 2026-11-29, on test/eval/claims-dev and the claims of the development half of
 * bench/data/cite-check.
 */

/** Likelihood from which a claim is stated (bench/fit-claims.ts). */
export const STATED = 0.607

export const SUPPORT_BIAS = -3.298
export const SUPPORT_WEIGHTS = {
  least: 2.93,
  elsewhere: -3.409,
  counted: 1.523,
  nearness: 2.342,
  chinese: -0.796,
}
