import { ABSTENTION } from '../../answer/phrases.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import { searchable } from '../../text/keywords.ts'
import { replyLanguage } from '../language.ts'
import { type Message, textContent } from '../message.ts'
import { completed } from './fragment.ts'

/** Words that refer to something in an earlier turn. */
const PRONOUNS: readonly RegExp[] = [
  /\b(?:its|they|them|their|these|those|he|she|his|her|ones)\b|^(?:and|what about|how about)\b/iu,
  // not an expletive: "how long does it take to"
  /\bit\b(?! (?:takes?|costs?|possible|allowed|permitted|necessary|required|true|legal|safe)(?: \S+){0,3} (?:to|that|if)\b)/iu,
  // not a numeral before a noun, nor "anybody": "what should one do"
  /\bone\b(?= *(?:[?.,;!]|$)| (?:is|was|has|had|does|did|in|on|at|with|for|from|that|which|who)\b)/iu,
  // not 其他, 其余, 尤其, 因此 and the like
  /[它她]|(?<!其)他|(?<!尤)其(?![他它余实])|(?<![因从彼])此(?!外)|前者|后者|上述|呢[？?\s]*$/u,
  // `this` at the beginning of a clause or after a preposition; after a subject it is `should`
  /(?<=^|[，。；、：,;\s]|[在对从由把向为与和给按于问])该/u,
]

/** Words that may refer to an earlier turn, but also occur in self-contained questions. */
const POSSIBLE_PRONOUN =
  /\b(?:this|that|there|then|second|other|same)\b|^why\b|[那这]|^(?:那么?|还有|为什么|第.个)/iu

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
  return (
    isAnaphoric(question) ||
    POSSIBLE_PRONOUN.test(question.trim()) ||
    widthOf(question.trim()) < SHORT
  )
}

/** Returns whether the question has a word that means nothing without an earlier turn. */
export function isAnaphoric(question: string): boolean {
  return PRONOUNS.some(pronoun => pronoun.test(question.trim()))
}

/** And what it points back to was answered by nothing but that the documents do not say. */
function leansOnRefusal(asked: Asked): boolean {
  const answer = asked.history?.findLast(
    ({ role, content }) => role === 'assistant' && content !== '',
  )
  const [said] = answer ? textContent(answer).trim().split('\n') : []
  return leansOnHistory(asked) && Object.values(ABSTENTION).some(refusal => refusal === said)
}

function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

/**
 * What to search for: the question, of a long one its keywords. Where it is a follow-up, the one before with what it names put in its place
 * ("and the 109?"), or behind those that it leans on, each on a line ("and the second one?").
 */
export function searchText(asked: Asked): string {
  const [first = asked.question] = listReadings(asked)
  return first
}

/** Lists readings of a question, likeliest first: `searchText`, with its context before it, and alone if the last answer was a refusal. */
export function listReadings({ question, history = [] }: Asked): readonly string[] {
  const turns = history.filter(isAsking).slice(-MAX_TURNS)
  const next = searchable(question)
  if (!leansOnHistory({ question: next, history: turns })) return [next]
  const [first = '', ...later] = turns.map(turn => textContent(turn).slice(0, MAX_PREVIOUS_CHARS))
  const before = later.reduce(
    (context, turn, at) =>
      leansOnHistory({ question: turn, history: turns.slice(0, at + 1) })
        ? addContext(context, turn)
        : turn,
    first,
  )
  const alone = leansOnRefusal({ question, history }) ? [next] : []
  return [...new Set([addContext(before, next), `${before}\n${next}`, ...alone])]
}

function addContext(context: string, question: string): string {
  return completedBy(context, question) ?? `${context}\n${question}`
}

function completedBy(previous: string, question: string): string | undefined {
  const [whole, fragment] = [previous, question].map(text =>
    parseQuestion(text, replyLanguage(text)),
  )
  return whole && fragment && completed(whole, fragment)
}

/** Pictures alone ask nothing. */
function isAsking(message: Message): boolean {
  return message.role === 'user' && textContent(message) !== ''
}
