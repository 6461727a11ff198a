import { createPseudoRandom, percentile } from './metrics.ts'

/** What one setting gains over another on the same queries. */
export type Comparison = {
  /** Mean of the differences, query by query; above 0 where the first is better. */
  readonly difference: number
  /** Paired bootstrap. */
  readonly ci95: readonly [number, number]
  /** Two-sided, by randomly exchanging the two settings query by query (Fisher's randomisation test). */
  readonly p: number
  readonly queries: number
}

const RESAMPLES = 5_000

/** Both lists have a value for each query, in the same order. The same values give the same answer. */
export function comparePaired(first: readonly number[], second: readonly number[]): Comparison {
  const differences = first.map((value, index) => value - (second[index] ?? 0))
  const random = createPseudoRandom(differences.length)
  const observed = mean(differences)
  const pick = () => differences[Math.floor(random() * differences.length)] ?? 0
  const resampled = Array.from({ length: RESAMPLES }, () => mean(differences.map(pick)))
  const exchanged = Array.from({ length: RESAMPLES }, () =>
    mean(differences.map(difference => (random() < 0.5 ? difference : -difference))),
  )
  const asFar = exchanged.filter(value => Math.abs(value) >= Math.abs(observed) - 1e-12).length
  return {
    difference: observed,
    ci95: [percentile(resampled, 0.025), percentile(resampled, 0.975)],
    p: (asFar + 1) / (RESAMPLES + 1),
    queries: differences.length,
  }
}

function mean(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}
