export type Interval = { readonly value: number; readonly low: number; readonly high: number }

/** The 97.5 % point of the normal distribution. */
const Z = 1.959964

/** A share with Wilson's interval of 95 % (Wilson 1927). Of nothing it is 0, from 0 to 1. */
export function wilson(successes: number, trials: number): Interval {
  if (trials === 0) return { value: 0, low: 0, high: 1 }
  const share = successes / trials
  const spread = Z * Math.sqrt((share * (1 - share)) / trials + Z ** 2 / (4 * trials ** 2))
  const scale = 1 + Z ** 2 / trials
  const centre = share + Z ** 2 / (2 * trials)
  return {
    value: share,
    low: Math.max(0, (centre - spread) / scale),
    high: Math.min(1, (centre + spread) / scale),
  }
}

/**
 * The mean of the differences between two systems on the same questions, with the percentile interval of 95 % of
 * `rounds` samples. Questions of one document are drawn together: they are not independent of each other.
 */
export function pairedBootstrap(
  differences: ReadonlyMap<string, readonly number[]>,
  { rounds = 2000, seed = 1 }: { rounds?: number; seed?: number } = {},
): Interval {
  const groups = [...differences.values()]
  const random = randomFrom(seed)
  const means = Array.from({ length: rounds }, () =>
    meanOf(groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? [])),
  ).sort((a, b) => a - b)
  const at = (share: number) => means[Math.floor(share * (rounds - 1))] ?? 0
  return { value: meanOf(groups.flat()), low: at(0.025), high: at(0.975) }
}

/**
 * How likely so large a mean difference is, either way, between systems that are equally good: by exchanging the two for whole groups at
 * random (Fisher's randomisation test).
 */
export function randomisationTest(
  differences: ReadonlyMap<string, readonly number[]>,
  { rounds = 5000, seed = 1 }: { rounds?: number; seed?: number } = {},
): number {
  const random = randomFrom(seed)
  const sums = [...differences.values()].map(group => group.reduce((sum, value) => sum + value, 0))
  const observed = Math.abs(sums.reduce((sum, value) => sum + value, 0))
  const exchanged = Array.from({ length: rounds }, () =>
    Math.abs(sums.reduce((sum, value) => sum + (random() < 0.5 ? value : -value), 0)),
  )
  return (exchanged.filter(value => value >= observed - 1e-12).length + 1) / (rounds + 1)
}

/** Of several tests, each p so much larger that one chance finding among all is as likely as in one test (Holm 1979). */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).toSorted((a, b) => values[a]! - values[b]!) // places of values
  const corrected = [...values]
  let least = 0
  for (const [rank, at] of order.entries()) {
    least = Math.max(least, Math.min(1, values[at]! * (values.length - rank))) // a place of a value
    corrected[at] = least
  }
  return corrected
}

export const meanOf = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0

/** Mulberry32: the same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
