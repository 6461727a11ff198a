import { ABSTENTION } from '../answer/phrases.ts'
import { parseQuestion } from '../answer/question/parse.ts'
import { searchable } from '../text/keywords.ts'
import { completed } from './fragment.ts'
import { replyLanguage } from './language.ts'
import { type Message, textContent } from './message.ts'

/** Words that point back: a question with one of them cannot be searched for alone. Of Chinese ones, not those that stand in 其他, 应该, 因此 and the like. */
const POINTS_BACK =
  /\b(it|its|they|them|their|this|that|these|those|he|she|his|her|there|then|one|ones|second|other|same)\b|^(and|what about|how about|why)\b|[它她这那]|(?<!其)他|(?<!尤)其(?![他它余实])|(?<!应)该|(?<![因从彼])此(?!外)|前者|后者|上述|^(那么?|还有|为什么|第.个)/iu

/** A question narrower than this that follows another one leans on it: in Latin letters, of which a Chinese character is as wide as two. */
const SHORT = 12

/** Of the conversation, that many last questions say what one leans on. */
const MAX_TURNS = 4

/** Of each, so much. */
const MAX_PREVIOUS_CHARS = 2_000

type Asked = { readonly question: string; readonly history?: readonly Message[] | undefined }

/** The question cannot be searched for alone: it points back to what was said. */
export function leansOnHistory({ question, history = [] }: Asked): boolean {
  if (!history.some(isAsking)) return false
  return POINTS_BACK.test(question.trim()) || widthOf(question.trim()) < SHORT
}

/** And what it points back to was answered by nothing but that the documents do not say. */
export function leansOnRefusal(asked: Asked): boolean {
  const answer = asked.history?.findLast(({ role, content }) => role === 'assistant' && content !== '')
  const said = answer && textContent(answer).trim()
  return leansOnHistory(asked) && Object.values(ABSTENTION).some(refusal => refusal === said)
}

function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

/**
 * What to search for: the question, of a long one its keywords. Where it is a follow-up, the one before with what it names put in its place
 * ("and the 109?"), or behind those that it leans on, each on a line ("and the second one?").
 */
export function searchText({ question, history = [] }: Asked): string {
  const turns = history.filter(isAsking).slice(-MAX_TURNS)
  const asked = [...turns.map(turn => textContent(turn).slice(0, MAX_PREVIOUS_CHARS)), searchable(question)]
  return asked.reduce((before, next, at) => {
    if (!leansOnHistory({ question: next, history: turns.slice(0, at) })) return next
    return completedBy(before, next) ?? `${before}\n${next}`
  })
}

function completedBy(previous: string, question: string): string | undefined {
  const [whole, fragment] = [previous, question].map(text => parseQuestion(text, replyLanguage(text)))
  return whole && fragment && completed(whole, fragment)
}

/** Pictures alone ask nothing. */
function isAsking(message: Message): boolean {
  return message.role === 'user' && textContent(message) !== ''
}
