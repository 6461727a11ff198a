import { ABSTENTION } from '../answer/phrases.ts'
import { parseQuestion } from '../answer/question/parse.ts'
import type { Phrase, Question } from '../answer/question/question.ts'
import { searchable } from '../text/keywords.ts'
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

/**
 * The words of the question that a fragment asks after another one, as "and the 109?" after "When does the 108 leave?": those of the other
 * with what the fragment names in place of what is of its kind there. Undefined where nothing is.
 */
function completed(question: Question, { fragment, language }: Question): string | undefined {
  const whole = fragment.at(-1)
  if (!whole || language !== question.language) return undefined
  for (const phrase of fragment) {
    const replaced = phrase === whole ? thingFor(phrase, question.phrases) : valueFor(phrase, question.phrases)
    const text = replaced && withInstead(question, replaced, phrase)
    if (text !== undefined) return text
  }
  return whole.lead && `${question.text.replace(TRAILING, '')} ${whole.lead} ${whole.text}?`
}

const TRAILING = /[\s.?!]+$/u

/** A value of its kind, and of a number of its dimension. */
function valueFor({ kind, unit }: Phrase, phrases: readonly Phrase[]): Phrase | undefined {
  return phrases.findLast(other => other.kind === kind && other.unit?.dimension === unit?.dimension)
}

/** What ends alike, a measure for a measure or what else is asked, what has the same preposition, or else what the question is about. */
function thingFor(phrase: Phrase, phrases: readonly Phrase[]): Phrase | undefined {
  const runs = phrases.filter(({ kind }) => kind === 'thing' || kind === 'measure')
  const shared = runs.map(run => upToHead(run, phrase)).find(Boolean)
  if (shared !== undefined) return shared
  if (phrase.kind === 'measure') return runs.find(({ kind, isAsked }) => kind === 'measure' || isAsked)
  if (phrase.lead !== undefined) return phrases.find(({ lead }) => lead === phrase.lead)
  const things = runs.filter(({ kind, isAsked }) => kind === 'thing' && !isAsked)
  const [first] = things
  if (first && HAN.test(first.text)) return { ...first, text: topicOf(first) }
  return things.findLast(({ lead }) => lead === undefined) ?? things.at(-1)
}

const HAN = /\p{Script=Han}/u

/** Of words that hold the last word of others, all to there: `single ticket` of `single ticket cost` for `day ticket`, 早餐 for 午餐. */
function upToHead(phrase: Phrase, { words: others }: Phrase): Phrase | undefined {
  const { text, words } = phrase
  const head = headOf(others.at(-1))
  const found = words.find(word => head !== '' && headOf(word) === head)
  return found === undefined ? undefined : { ...phrase, text: text.slice(0, text.indexOf(found) + found.length) }
}

/** Of a Chinese word its last character. */
function headOf(word = ''): string {
  return HAN.test(word) ? word.slice(-1) : word.toLowerCase()
}

/** The first word; characters that are no words by themselves are taken for a name. */
function topicOf({ text, words }: Phrase): string {
  const at = words.findIndex(word => word.length > 1)
  if (at === 0) return words[0]!
  return at < 0 ? text : text.slice(0, text.indexOf(words[at]!)) // a place in the list
}

/** In place of the words as they stand there, and not as a part of others; a month is of the year of the one that it stands for. */
function withInstead({ text, language }: Question, { text: words, year }: Phrase, instead: Phrase): string | undefined {
  const isOfYear = instead.kind === 'date' && instead.year === undefined && year !== undefined
  const dated = language === 'zh' ? `${year}年${instead.text}` : `${instead.text} ${year}`
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [before, behind] = [text.slice(0, at), text.slice(at + words.length)]
    const isPart =
      (LETTER_LAST.test(before) && LETTER_FIRST.test(words)) || (LETTER_LAST.test(words) && LETTER_FIRST.test(behind))
    if (!isPart) return before + (isOfYear ? dated : instead.text) + behind
  }
  return undefined
}

const LETTER_FIRST = /^[\p{Script=Latin}\p{N}]/u
const LETTER_LAST = /[\p{Script=Latin}\p{N}]$/u
