import { tellsReason } from '../language/cues.ts'
import { type Unit, unitsOf } from '../language/units.ts'

/** A reason is given within so many sentences of what it is the reason of. */
const REACH = 4

/** Of a sentence that says what a question asks the reason of and gives none itself: the next one that does, under the same heading. */
export function reasonOf(unit: Unit, question: string | undefined): Unit | undefined {
  if (question === undefined || unit.columns || unit.isLabel || tellsReason(question, unit.text)) return undefined
  const units = unitsOf(unit.passage)
  const at = units.findIndex(other => other.span.start === unit.span.start)
  const after = units.slice(at + 1, at + 1 + REACH)
  const end = after.findIndex(other => other.isLabel && !/[?？]\s*$/.test(other.text))
  return after.slice(0, end < 0 ? undefined : end).find(({ text }) => tellsReason(question, text))
}
