import type { Evidence } from './evidence.ts'

/** Lifts across languages are so much smaller: a sentence is doubtful under .08 in its own and under .055 in the other. */
const ACROSS = 1.45

/** So many of the best tell how near a language comes. */
const BEST = 4

/** So many of the nearer language come before the other one has its turn. */
const AHEAD = 2

/**
 * What comes nearest of two searches, in the question's language and in the other one: first two in the language that is nearer
 * by meaning, which is the question's where both are equally near, and where nothing tells how near the other one is.
 */
export function nearestFirst(first: readonly Evidence[], second: readonly Evidence[]): readonly Evidence[] {
  const own = first.filter(one => !one.isAcross)
  const across = alternating(
    first.filter(one => one.isAcross),
    second.filter(one => one.isAcross),
  )
  const [nearer, other] = ACROSS * nearness(across) > nearness(own) ? [across, own] : [own, across]
  return [...nearer.slice(0, AHEAD), ...alternating(other, nearer.slice(AHEAD))]
}

/** The largest lift of the best; 0 without vectors. */
function nearness(ranking: readonly Evidence[]): number {
  return Math.max(0, ...ranking.slice(0, BEST).map(({ lift }) => lift ?? 0))
}

/** The first of each, the second of each and so on. */
function alternating<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  const longest = Math.max(first.length, second.length)
  return Array.from({ length: longest }, (_, at) => [first.slice(at, at + 1), second.slice(at, at + 1)]).flat(2)
}
