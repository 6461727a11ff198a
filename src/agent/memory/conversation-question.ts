import { ABSTENTION } from '../../answer/phrases.ts'
import { parseQuestion } from '../../answer/question/parse.ts'
import type { Phrase, Question } from '../../answer/question/question.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import { type Message, textContent } from '../message.ts'
import { detectReplyLanguage } from '../messages/reply-language.ts'

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

/**
 * Words that may refer back, but also occur in self-contained questions. Existential `there`
 * and relative `that` do not.
 */
const POSSIBLE_PRONOUN =
  /\b(?:this|then|second|other|same)\b|\bthat\b(?! (?:is|are|was|were|has|have|had|can|may|must|do|does|did|will)\b)|(?<!\b(?:is|are|was|were|be|been) )\bthere\b(?! (?:is|are|was|were)\b)|^why\b|[那这]|^(?:那么?|还有|为什么|第.个)/iu

/** Width of a fragment in Latin letters (Han characters count two), so that it gets context. */
const SHORT = 12

/** Questions that give context, so that searches stay focused. */
const MAX_TURNS = 4

/** Characters of each, so that searches stay focused. */
const MAX_PREVIOUS_CHARS = 2_000

type ConversationQuestion = {
  readonly question: string
  readonly history?: readonly Message[]
}

export function needsHistory({ question, history = [] }: ConversationQuestion): boolean {
  if (!history.some(isAsking)) return false
  return (
    isAnaphoric(question) ||
    POSSIBLE_PRONOUN.test(question.trim()) ||
    measureWidth(question.trim()) < SHORT
  )
}

export function isAnaphoric(question: string): boolean {
  return PRONOUNS.some(pronoun => pronoun.test(question.trim()))
}

export function canStandAlone(question: string): boolean {
  const text = question.trim()
  if (isAnaphoric(text) || POSSIBLE_PRONOUN.test(text)) return false
  const { fragment, phrases, parts } = parseQuestion(text, detectReplyLanguage(text))
  return fragment.length === 0 && (phrases.length > 0 || parts.length > 0)
}

export function isAfterRefusal(query: ConversationQuestion): boolean {
  const answer = query.history?.findLast(
    ({ role, content }) => role === 'assistant' && content !== '',
  )
  const [firstLine] = answer ? textContent(answer).trim().split('\n') : []
  return needsHistory(query) && Object.values(ABSTENTION).some(refusal => refusal === firstLine)
}

function measureWidth(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0)
}

/**
 * Returns keywords of a long question. A follow-up replaces parts of the previous question
 * ("and the 109?"), or is appended.
 */
export function getSearchText(query: ConversationQuestion): string {
  const { alone, completed, joined } = listReadings(query)
  return completed ?? joined ?? alone
}

/** Only `alone` exists for a question that needs no history. */
export type Readings = {
  readonly alone: string
  /** Previous question with a fragment's words in place of their kind. */
  readonly completed?: string
  readonly joined?: string
}

export function listReadings({ question, history = [] }: ConversationQuestion): Readings {
  const turns = history.filter(isAsking).slice(-MAX_TURNS)
  const alone = shortenForSearch(question)
  if (!needsHistory({ question: alone, history: turns })) return { alone }
  const [first = '', ...later] = turns.map(turn => textContent(turn).slice(0, MAX_PREVIOUS_CHARS))
  const before = later.reduce(
    (context, turn, index) =>
      needsHistory({ question: turn, history: turns.slice(0, index + 1) })
        ? (parseAndComplete(context, turn) ?? `${context}\n${turn}`)
        : turn,
    first,
  )
  return { alone, completed: parseAndComplete(before, alone), joined: `${before}\n${alone}` }
}

function parseAndComplete(previous: string, question: string): string | undefined {
  const previousQuestion = parseQuestion(previous, detectReplyLanguage(previous))
  const named = resolveProform(question, previousQuestion)
  return completeQuestion(previousQuestion, parseQuestion(named, detectReplyLanguage(question)))
}

function resolveProform(question: string, { phrases }: Question): string {
  const thing = phrases.findLast(({ kind, isRequested }) => kind === 'thing' && !isRequested)
  const head = thing?.words.at(-1)
  return head === undefined ? question : question.replace(PROFORM, head)
}

/** "The second one" and "the other one" choose from a list instead. */
const PROFORM =
  /(?<=\bthe (?!(?:first|second|third|fourth|fifth|last|next|previous|other|same|former|latter) )\p{L}+ )ones?(?=[\s?.!]*$)/iu

function isAsking(message: Message): boolean {
  return message.role === 'user' && textContent(message) !== ''
}

function completeQuestion(
  question: Question,
  { fragment, language }: Question,
): string | undefined {
  const last = fragment.at(-1)
  if (!last || language !== question.language) return undefined
  const names = joinNumberedNames(question.phrases, question.text)
  const values = [...question.phrases.filter(({ kind }) => kind !== 'name'), ...names]
  const numbered = joinNumberedNames(fragment, last.text).filter(({ text }) => /\d/u.test(text))
  for (const phrase of [...numbered, ...fragment]) {
    const replaced =
      phrase === last
        ? findReplacedThing(phrase, question.phrases)
        : findReplacedValue(phrase, values)
    const text = replaced && replacePhrase(question, replaced, phrase)
    if (text !== undefined) return text
  }
  return last.lead && `${question.text.replace(TRAILING, '')} ${last.lead} ${last.text}?`
}

function joinNumberedNames(phrases: readonly Phrase[], text: string): readonly Phrase[] {
  const numbers = phrases.filter(({ kind, unit }) => kind === 'number' && !unit)
  return phrases
    .filter(({ kind }) => kind === 'name')
    .map(name => {
      const number = numbers.find(
        number => findCompleteWords(text, `${name.text} ${number.text}`) >= 0,
      )
      return number ? { ...name, text: `${name.text} ${number.text}` } : name
    })
}

const TRAILING = /[\s.?!]+$/u

/**
 * Finds a value of the same kind and dimension. Prefers a name written alike: YY-019 for
 * YY-033.
 */
function findReplacedValue(
  { kind, text, unit }: Phrase,
  phrases: readonly Phrase[],
): Phrase | undefined {
  const alike = phrases.filter(
    other => other.kind === kind && other.unit?.dimension === unit?.dimension,
  )
  const findClosest = (shape: (name: string) => string) =>
    alike.findLast(other => shape(other.text) === shape(text))
  return kind === 'name'
    ? (findClosest(toShape) ?? findClosest(toCodeOrWord) ?? alike.at(-1))
    : alike.at(-1)
}

function toShape(name: string): string {
  return name
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\p{Script=Han}+/gu, '字')
    .replace(/\p{N}+/gu, '9')
}

function toCodeOrWord(name: string): string {
  return /\p{N}/u.test(name) ? 'code' : 'word'
}

/** Finds a phrase with the same ending, measure or preposition, or else the topic. */
function findReplacedThing(phrase: Phrase, phrases: readonly Phrase[]): Phrase | undefined {
  const runs = phrases.filter(({ kind }) => kind === 'thing' || kind === 'measure')
  const shared = runs.map(run => cutAtHead(run, phrase)).find(Boolean)
  if (shared !== undefined) return shared
  if (phrase.kind === 'measure')
    return runs.find(({ kind, isRequested }) => kind === 'measure' || isRequested)
  if (phrase.lead !== undefined) return phrases.find(({ lead }) => lead === phrase.lead)
  const things = runs.filter(({ kind, isRequested }) => kind === 'thing' && !isRequested)
  const [first] = things
  if (first && HAN.test(first.text)) return { ...first, text: getTopic(first) ?? first.text }
  return things.findLast(({ lead }) => lead === undefined) ?? things.at(-1)
}

const HAN = /\p{Script=Han}/u

function cutAtHead(phrase: Phrase, { words: others }: Phrase): Phrase | undefined {
  const { text, words } = phrase
  const head = getHead(others.at(-1))
  const found = words.find(word => head !== '' && getHead(word) === head)
  return found === undefined
    ? undefined
    : { ...phrase, text: text.slice(0, text.indexOf(found) + found.length) }
}

/** Returns the last word, of a Chinese word the last character. */
export function getHead(word = ''): string {
  return HAN.test(word) ? word.slice(-1) : word.toLowerCase()
}

/**
 * Returns the first word of a Chinese run with single characters behind it, such as 馆. Those in
 * front are a name unknown to the segmenter.
 */
export function getTopic({ text, words }: Phrase): string | undefined {
  const isLong = (word: string) => word.length > 1
  const first = words.findIndex(isLong)
  if (first < 0) return undefined
  const end = first > 0 ? first : words.findIndex((word, index) => index > 0 && isLong(word))
  const next = words[end]
  return next === undefined ? text : text.slice(0, text.indexOf(next))
}

function replacePhrase(
  { text, language }: Question,
  { text: words, year }: Phrase,
  replacement: Phrase,
): string | undefined {
  const needsYear =
    replacement.kind === 'date' && replacement.year === undefined && year !== undefined
  const dated = language === 'zh' ? `${year}年${replacement.text}` : `${replacement.text} ${year}`
  const index = findCompleteWords(text, words)
  if (index < 0) return undefined
  return (
    text.slice(0, index) + (needsYear ? dated : replacement.text) + text.slice(index + words.length)
  )
}

function findCompleteWords(text: string, words: string): number {
  for (let index = text.indexOf(words); index >= 0; index = text.indexOf(words, index + 1)) {
    const isPart =
      (LETTER_LAST.test(text.slice(0, index)) && LETTER_FIRST.test(words)) ||
      (LETTER_LAST.test(words) && LETTER_FIRST.test(text.slice(index + words.length)))
    if (!isPart) return index
  }
  return -1
}

const LETTER_FIRST = /^[\p{Script=Latin}\p{N}]/u
const LETTER_LAST = /[\p{Script=Latin}\p{N}]$/u
