import { computeMean, computePercentile, createPseudoRandom } from './metrics.ts'

export type Comparison = {
  /** Mean difference; above 0 if the first is better. */
  readonly difference: number
  /** Paired bootstrap. */
  readonly ci95: readonly [number, number]
  /** Two-sided p of Fisher's randomisation test. */
  readonly p: number
  readonly queries: number
}

const RESAMPLES = 5_000

/** Compares values query by query; deterministic. */
export function comparePaired(first: readonly number[], second: readonly number[]): Comparison {
  const differences = first.map((value, index) => value - (second[index] ?? 0))
  const random = createPseudoRandom(differences.length)
  const observed = computeMean(differences)
  const pick = () => differences[Math.floor(random() * differences.length)] ?? 0
  const resampled = Array.from({ length: RESAMPLES }, () => computeMean(differences.map(pick)))
  const exchanged = Array.from({ length: RESAMPLES }, () =>
    computeMean(differences.map(difference => (random() < 0.5 ? difference : -difference))),
  )
  const asFar = exchanged.filter(value => Math.abs(value) >= Math.abs(observed) - 1e-12).length
  return {
    difference: observed,
    ci95: [computePercentile(resampled, 0.025), computePercentile(resampled, 0.975)],
    p: (asFar + 1) / (RESAMPLES + 1),
    queries: differences.length,
  }
}
