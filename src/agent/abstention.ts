import type { Hit } from '../search/searcher.ts'
import type { Evidence } from './evidence.ts'

/**
 * Below this score, the best unit in the question's language does not answer it. Set on test/eval/calibration: 131 questions over six
 * texts of our own, 45 of them without an answer: it refuses 7 of 10 of these, and 2 of 10 of the others.
 */
const ENOUGH = 0.54

/** Across languages no shared words can be asked for: the best unit must stand out by its meaning. */
const ENOUGH_ACROSS = 0.5
const ACROSS_LEAD = 1.2

/** Where there are units in the question's language too, none of which fits, the other language must fit better. */
const ENOUGH_ACROSS_BESIDE = 0.65

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
  if (within[0] && within[0].score >= ENOUGH + shift) return within
  const across = ranking.filter(evidence => evidence.isAcross)
  const best = across[0]
  if (!best || hits.every(hit => hit.weak)) return []
  if (best.lead === undefined) return across
  const bar = within.length > 0 ? ENOUGH_ACROSS_BESIDE : ENOUGH_ACROSS
  return best.score >= bar + shift && best.lead >= ACROSS_LEAD ? across : []
}
