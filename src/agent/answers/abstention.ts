import type { Language } from '../../ingest/language.ts'
import type { Hit } from '../../search/searcher.ts'
import { areAllWeak } from '../weak-hits.ts'
import type { Evidence } from './evidence.ts'

/**
 * The best unit in the question's language answers it from this confidence on. Set, as all figures here, on the sets in
 * test/eval that are not held out, with `DOUBTFUL` again when words came to be weighed by how common they are, on those and
 * eight real documents more: where the answer is among the best three sentences of 289 questions, 273 are then answered (270
 * before), and 20 (24) of 113 without an answer.
 */
const ENOUGH = 0.44

/** What the question names and neither the unit nor its surroundings do speaks against the unit. */
const MISSING_WEIGHT = 0.15

/** Where the unit and its surroundings lack so much of what was asked, its meaning has to be near: by so much lift. */
const DOUBTFUL = { missing: 0.55, lift: 0.07 }

/**
 * A sentence that is so much better than all others, and near by its meaning, is what the question is about though it has
 * other words. Seen on calibration/, mixed/ and long/: of the questions that were refused for their words, eight are then
 * answered rightly and three wrongly.
 */
const ALONE = { gap: 0.14, lift: 0.055, enough: 0.38 }

/**
 * Across languages, a unit that is as good as this as a whole answers: it has what the words of the question mean, is near to it
 * and has the form of the answer, this by half at least. Set with the weights of evidence.ts.
 */
const ACROSS = { enough: 0.58, cue: 0.5 }

/**
 * In its own language a doubtful sentence answers where so many words of the question have a counterpart by their vectors: set
 * on calibration/, mixed/, long/, kinds/ and real/, where of the questions that were refused for their words five are then
 * answered rightly and one wrongly.
 */
const ALIGNED = 0.81

/** The strictness that the thresholds stand for, and how far they move at its ends. */
export const USUAL_STRICTNESS = 0.5
const REACH = 0.3
/**
 * Each threshold was set to lose no refusal, and together they refuse more of what is told than is worth it: for answers in the
 * question's own language they are moved by so much. Set on long/, calibration/, mixed/, kinds/, and real/ with five documents more: of 349 with an
 * answer 13 fewer are refused, of 101 without one 7 more are answered.
 */
const WITHIN_SHIFT = -0.03
/** From this strictness on, what a question is held to has to be there. */
const BINDING = 0.25
/** Lifts are so much smaller than confidences. */
const LIFT_REACH = 0.1

/** What may be quoted of the evidence in the question's own language, best first; nothing when the documents do not say. */
export function supported(ranking: readonly Evidence[], strictness = USUAL_STRICTNESS): readonly Evidence[] {
  const within = ranking.filter(evidence => !evidence.isAcross && (strictness < BINDING || holdsAll(evidence)))
  const shift = shiftOf(strictness) + WITHIN_SHIFT
  const own = within.filter(({ isOfOther }) => !isOfOther)
  return [own, within].find(([best]) => best && (isEnough(best, shift) || isAlone(best, ranking, shift))) ?? []
}

/** A row of a table is not: it differs from the sentences around it by its form. */
function isAlone(best: Evidence, ranking: readonly Evidence[], shift: number): boolean {
  const { score, missing, lift, unit } = best
  if (unit.columns || lift === undefined || lift < ALONE.lift + shift * LIFT_REACH) return false
  const others = ranking.filter(other => other !== best && !other.isAcross)
  const gap = score - Math.max(0, ...others.map(other => other.score))
  return gap >= ALONE.gap + shift && score - MISSING_WEIGHT * missing >= ALONE.enough + shift
}

/** What may be quoted of the evidence in the other language. It is asked for only where the question's own has nothing. */
export function supportedAcross(
  ranking: readonly Evidence[],
  hits: readonly Hit[],
  strictness = USUAL_STRICTNESS,
): readonly Evidence[] {
  if (areAllWeak(hits)) return []
  const held = ranking.filter(
    evidence =>
      evidence.isAcross && (strictness < BINDING || (evidence.isBound && evidence.hasKind && isAboutFocus(evidence))),
  )
  const least = ACROSS.enough + shiftOf(strictness)
  return held.filter(({ cue = 1, score }) => cue >= ACROSS.cue && score >= least)
}

/** What the question is held to, what it asks for, of what it asks that, and in the form that it asks for. */
function holdsAll(evidence: Evidence): boolean {
  return evidence.isBound && evidence.holdsAsked && evidence.hasKind && isAboutFocus(evidence)
}

function isAboutFocus({ focusLacked }: Evidence): boolean {
  return focusLacked.length === 0
}

function shiftOf(strictness: number): number {
  return (strictness - USUAL_STRICTNESS) * 2 * REACH
}

function isEnough(evidence: Evidence, shift: number): boolean {
  const { score, missing, alignment } = evidence
  if (isDoubtful(evidence, shift) && (alignment ?? 0) < ALIGNED + shift) return false
  return score - MISSING_WEIGHT * missing >= ENOUGH + shift
}

/** It has few of the question's words, and is not so near by its meaning that this would not matter. */
export function isDoubtful({ missing, lift }: Evidence, shift = 0): boolean {
  return missing > DOUBTFUL.missing - shift && lift !== undefined && lift < DOUBTFUL.lift + shift * LIFT_REACH
}

/**
 * Nearest passages that have what the question names before those that do not. A name of an English question may stand in
 * Chinese text in other letters, so that nothing is known of that.
 */
export function namedFirst(nearest: readonly Evidence[], language: Language): readonly Evidence[] {
  if (nearest.every(({ isBound }) => isBound)) return nearest // nothing is named, or all have it
  const isNamed = ({ isBound, isAcross }: Evidence) => isBound && !(isAcross && language === 'en')
  return nearest.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
}
