import { sentences } from '../../../ingest/sentences.ts'
import { isQuestionLine } from '../../language/question-line.ts'
import type { Line } from './outline.ts'

/** It answers yes or no, and so only the question that it stands under. */
const YES_OR_NO =
  /^\s*(?:(?:A|Answer|答|回答)\s*[:：.]\s*)?(?:(?:yes|no|nope|certainly|of course|not (?:yet|at all|always|necessarily))\b|(?:是的?|否|不是|不|可以|不可以|能|不能|会|不会|有|没有|需要|不需要|对|不对|当然)(?=\s*[，。,.!！；;]))/iu
const ASKS = /[?？]["'”’」』）)*]*\s*$/u

/** Where the question begins that a stretch answers with yes or no; undefined where it does not, or stands under none. */
export function questionAbove(lines: readonly Line[], charStart: number): number | undefined {
  const at = lines.findIndex(line => line.charEnd > charStart)
  const [before, line] = [lines[at - 1], lines[at]]
  if (!line || line.isRow || !YES_OR_NO.test(line.text.slice(Math.max(0, charStart - line.charStart)))) return undefined
  const head = line.text.slice(0, Math.max(0, charStart - line.charStart))
  if (head.trim() !== '') return ASKS.test(head) ? line.charStart + (sentences(head).at(-1)?.start ?? 0) : undefined
  return before && !before.isRow && isQuestionLine(before.text) ? before.charStart : undefined
}
