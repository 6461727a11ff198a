import type { Hit } from '../search/searcher.ts'
import type { Evidence } from './evidence.ts'

/**
 * The best unit in the question's language answers it from this confidence on. Set, as all figures here, on the sets in
 * test/eval that are not held out (205 questions with an answer in its own language, 68 without one): it refuses seven
 * of ten of those without an answer, and one of twenty-five of the others. Long real documents lie lower than short ones.
 */
const ENOUGH = 0.42

/** What the question names and neither the unit nor its surroundings do speaks against the unit. */
const MISSING_WEIGHT = 0.15

/** Across languages no shared words can be asked for: the unit must stand out by its meaning, in one of the best hits. */
const ACROSS = { score: 0.55, lead: 1.5, rank: 0.85 }

/** The strictness that the thresholds stand for, and how far they move at its ends. */
export const USUAL_STRICTNESS = 0.5
const REACH = 0.3

/**
 * What may be quoted of the evidence, best first; nothing when the documents do not say. The question's own language goes
 * first: units of the other are judged by vectors alone, which cannot be weighed against words.
 */
export function supported(
  ranking: readonly Evidence[],
  hits: readonly Hit[],
  strictness = USUAL_STRICTNESS,
): readonly Evidence[] {
  const shift = (strictness - USUAL_STRICTNESS) * 2 * REACH
  const within = ranking.filter(evidence => !evidence.isAcross)
  const confidence = within[0] ? confidenceIn(within[0]) : Number.NEGATIVE_INFINITY
  if (confidence >= ENOUGH + shift) return within
  if (hits.every(hit => hit.weak)) return []
  const across = ranking.filter(evidence => evidence.isAcross)
  return across[0] && standsOut(across[0], shift) ? across : []
}

function confidenceIn({ score, missing }: Evidence): number {
  return score - MISSING_WEIGHT * missing
}

/** Without vectors, nothing compares across languages: the search alone decides. */
function standsOut({ score, lead, rank }: Evidence, shift: number): boolean {
  if (lead === undefined) return true
  return score >= ACROSS.score + shift && lead >= ACROSS.lead && rank >= ACROSS.rank
}
