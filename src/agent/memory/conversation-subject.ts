import { parseQuestion } from '../../answer/question/parse.ts'
import type { Phrase } from '../../answer/question/question.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import type { Language } from '../../text/language.ts'
import { splitSentences } from '../../text/sentences.ts'
import { type Message, textContent } from '../message.ts'
import { detectReplyLanguage } from '../messages/reply-language.ts'
import { getHead, getTopic, isAnaphoric } from './conversation-question.ts'

/** Turns whose subjects may be meant; older ones are seldom referred to. */
const MAX_TURNS = 3
/** Subjects searched, so that a follow-up stays below a second. */
const MAX_SUBJECTS = 4
/** Characters read of a turn, so that a pasted text costs nothing. */
const MAX_TURN_CHARS = 500

type ConversationQuestion = {
  readonly question: string
  readonly history?: readonly Message[]
}

type SubjectReading = { readonly subject: string; readonly text: string }

/**
 * Lists readings with each subject, in place of a pronoun or added: newest turn first, names
 * first.
 */
export function listSubjectReadings({
  question,
  history = [],
}: ConversationQuestion): readonly SubjectReading[] {
  const next = shortenForSearch(question).trim()
  const language = detectReplyLanguage(next)
  const { phrases } = parseQuestion(next, language)
  const subjects = listSubjects(history, language).filter(
    ({ text, kind, words }) =>
      !next.toLowerCase().includes(text.toLowerCase()) &&
      !phrases.some(own => own.kind === kind && (kind === 'name' || isAlike(own.words, words))),
  )
  return [...new Set(subjects.map(({ text }) => text))]
    .slice(0, MAX_SUBJECTS)
    .map(subject => ({ subject, text: insertSubject(next, subject, language) }))
}

/** Inserts the words that only some found texts share with the last question. */
export function listFoundReadings(
  { question, history = [] }: ConversationQuestion,
  found: readonly string[],
): readonly SubjectReading[] {
  const next = shortenForSearch(question).trim()
  const language = detectReplyLanguage(next)
  const turn = history.findLast(({ role, content }) => role === 'user' && content !== '')
  const before = turn ? textContent(turn).slice(0, MAX_TURN_CHARS) : ''
  const runs = found.map(text => findLongestSharedRun(before, text.slice(0, MAX_TURN_CHARS)))
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  if (runs.every(({ length }) => length === longest.length) || next.includes(longest)) return []
  return [{ subject: longest, text: insertSubject(next, longest, language) }]
}

const WORD = /\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+/gu

function findLongestSharedRun(text: string, other: string): string {
  const words = [...text.matchAll(WORD)]
  const others = other.toLowerCase().match(WORD) ?? []
  let longest = ''
  let lengths: readonly number[] = []
  for (const [index, { index: start, 0: word }] of words.entries()) {
    lengths = others.map((match, at) =>
      match === word.toLowerCase() ? (lengths[at - 1] ?? 0) + 1 : 0,
    )
    const first = words[index + 1 - Math.max(0, ...lengths)]
    const run = first ? text.slice(first.index, start + word.length) : ''
    if (run.length > longest.length) longest = run
  }
  return longest
}

/** Compares endings: "student visa" and "work visa". */
function isAlike(terms: readonly string[], other: readonly string[]): boolean {
  return getHead(terms.at(-1)) === getHead(other.at(-1))
}

function listSubjects(history: readonly Message[], language: Language): readonly Phrase[] {
  const turns = history.filter(({ role }) => role === 'user').slice(-MAX_TURNS)
  const questionPhrases = turns.toReversed().flatMap(turn => {
    const text = textContent(turn).slice(0, MAX_TURN_CHARS)
    if (text === '' || detectReplyLanguage(text) !== language) return []
    const phrases = parseQuestion(text, language).phrases.filter(({ isRequested }) => !isRequested)
    const names = phrases.filter(({ kind }) => kind === 'name')
    if (isAnaphoric(text)) return names
    if (language === 'zh') return [...names, ...phrases.flatMap(findChineseTopic).slice(0, 1)]
    return [...names, ...phrases.filter(({ kind }) => kind === 'thing')]
  })
  return [...questionPhrases, ...listAnswered(history, language)]
}

function listAnswered(history: readonly Message[], language: Language): readonly Phrase[] {
  const answer = history.findLast(({ role, content }) => role === 'assistant' && content !== '')
  if (!answer) return []
  const [, quoted = ''] = textContent(answer).slice(0, MAX_TURN_CHARS).split('\n')
  const [first = { start: 0, end: 0 }] = splitSentences(quoted)
  const { phrases } = parseQuestion(quoted.slice(first.start, first.end), language)
  return phrases.filter(({ kind }) => kind === 'name')
}

/** Returns a thing, or what a measure is of: 鹤山 of 鹤山海拔. */
function findChineseTopic(phrase: Phrase): readonly Phrase[] {
  if (phrase.kind === 'thing') return [phrase]
  const topic = phrase.kind === 'measure' ? getTopic(phrase) : undefined
  return topic === undefined || topic === phrase.text ? [] : [{ ...phrase, text: topic }]
}

const PRONOUN: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:it|they|them|he|she|him|there|this|that)\b(?! \p{L}+ (?:to|that)\b)/iu,
  zh: /[它她他]们?|这里|那里/u,
}
const POSSESSIVE = /\b(?:its|their|his|her)\b/iu
const OPENING: Readonly<Record<Language, RegExp>> = {
  en: /^(?:and|but|so|what about|how about)\b[ ,]*/iu,
  zh: /^(?:那么?(?![里儿])|还有|而|至于)/u,
}

function insertSubject(question: string, subject: string, language: Language): string {
  const bare = question.replace(OPENING[language], '').replace(/[\s?？呢]+$/u, '')
  if (language === 'en' && POSSESSIVE.test(bare))
    return `${bare.replace(POSSESSIVE, `${subject}'s`)}?`
  if (PRONOUN[language].test(bare)) return `${bare.replace(PRONOUN[language], subject)}?`
  return language === 'zh' ? `${subject}的${bare}？` : `${bare} ${subject}?`
}
