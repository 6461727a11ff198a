import { sentences } from '../../../ingest/sentences.ts'
import { isQuestionLine, LABELLED_ANSWER } from '../../language/question-line.ts'
import { endOfBlock } from './item-list.ts'
import type { Line } from './outline.ts'
import type { Stretch } from './steps.ts'

/** So many characters of an answer are quoted; a longer one is left as it was found. */
const MAX_ANSWER = 600

/** A question is looked for so many lines above. */
const REACH = 12

type Place = Omit<Stretch, 'more'>

/**
 * A stretch that is a question of the document, or stands in the answer to one, with all of that answer: a question by
 * itself tells nothing, and half an answer may tell the contrary. Undefined for every other stretch.
 */
export function wholeAnswer(lines: readonly Line[], { charStart, charEnd }: Place): Stretch | undefined {
  const first = lines.findIndex(line => line.charEnd > charStart)
  const last = lines.findLastIndex(line => line.charStart < charEnd)
  const at = first < 0 ? undefined : questionOver(lines, first, last)
  const end = at === undefined ? undefined : endOfAnswer(lines, at)
  if (at === undefined || end === undefined || end <= last) return undefined
  const [question, opening, closing] = [lines[at]!, lines[at + 1]!, lines[end - 1]!] // an answer has lines
  const isBeside = opening.charStart - question.charEnd === 1 || LABELLED_ANSWER.test(opening.text)
  const start = Math.min(charStart, isBeside ? question.charStart : opening.charStart)
  if (closing.charEnd - start <= MAX_ANSWER) return { charStart: start, charEnd: closing.charEnd, more: 0 }
  return at === last
    ? { charStart, charEnd: cut(lines.slice(at + 1, end), charStart + MAX_ANSWER), more: 0 }
    : undefined
}

/** The question that a stretch ends with, or stands under. */
function questionOver(lines: readonly Line[], first: number, last: number): number | undefined {
  if (isAsking(lines[last])) return last
  for (let at = last - 1; at >= Math.max(0, first - REACH); at--) {
    if (isAsking(lines[at])) return at
    if (lines[at]?.level !== undefined || (at < first && lines[at + 1]?.level !== undefined)) return undefined
  }
  return undefined
}

/** Where the answer ends that follows a question: before the next heading or question, or with its own block. */
function endOfAnswer(lines: readonly Line[], at: number): number | undefined {
  const [question, opening] = [lines[at]!, lines[at + 1]] // the caller's line
  if (!opening || opening.level !== undefined || isAsking(opening)) return undefined
  const next = lines.findIndex((line, place) => place > at && (line.level !== undefined || isAsking(line)))
  const end = next < 0 ? lines.length : next
  const isOpen = question.level === undefined && (next < 0 || !isAsking(lines[next]))
  return isOpen ? Math.min(end, endOfBlock(lines, at + 1)) : end
}

function isAsking(line: Line | undefined): boolean {
  return line !== undefined && !line.isRow && isQuestionLine(line.text)
}

/** The end of the last line, or else sentence, that ends by a place. */
function cut(lines: readonly Line[], limit: number): number {
  const whole = lines.findLast(line => line.charEnd <= limit)
  if (whole) return whole.charEnd
  const { text, charStart } = lines[0]! // an answer has lines
  const ends = sentences(text).map(({ end }) => charStart + end)
  return ends.findLast(end => end <= limit) ?? ends[0] ?? limit
}
