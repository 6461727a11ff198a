import { searchable } from '../text/keywords.ts'
import { type Message, textContent } from './message.ts'

/** Words that point back: a question with one of them cannot be searched for alone. */
const POINTS_BACK =
  /\b(it|its|they|them|their|this|that|these|those|he|she|his|her|there|then|one|ones|second|other|same)\b|^(and|what about|how about|why)\b|[它他她其该此这那]|前者|后者|上述|^(那么?|还有|为什么|第.个)/iu

/** A question shorter than this many characters that follows another one leans on it. */
const SHORT = 12

/** Of the question before, so much says what this one leans on. */
const MAX_PREVIOUS_CHARS = 2_000

type Question = { readonly question: string; readonly history?: readonly Message[] | undefined }

/** The question cannot be searched for alone: it points back to what was said. */
export function leansOnHistory({ question, history = [] }: Question): boolean {
  if (!history.some(isAsking)) return false
  return POINTS_BACK.test(question.trim()) || question.trim().length < SHORT
}

/**
 * What to search for: the question, and in front of it the one before when it is a follow-up (`and the second one?`); of a long
 * one, its keywords.
 */
export function searchText(asked: Question): string {
  const question = searchable(asked.question)
  const previous = asked.history?.findLast(isAsking)
  return previous && leansOnHistory(asked)
    ? `${textContent(previous).slice(0, MAX_PREVIOUS_CHARS)}\n${question}`
    : question
}

/** Pictures alone ask nothing. */
function isAsking(message: Message): boolean {
  return message.role === 'user' && textContent(message) !== ''
}
