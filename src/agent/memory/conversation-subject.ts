import { parseQuestion } from '../../answer/question/parse.ts'
import { shortenForSearch } from '../../text/keywords.ts'
import type { Language } from '../../text/language.ts'
import { detectReplyLanguage } from '../language.ts'
import { type Message, textContent } from '../message.ts'

/** Turns whose subjects may be meant; older ones are seldom referred to. */
const MAX_TURNS = 3
/** Subjects that are tried. Each costs a search, so that a follow-up stays below a second. */
const MAX_SUBJECTS = 4
/** Maximum characters of a turn that are read, so that a pasted text costs nothing. */
const MAX_TURN_CHARS = 500

type Asked = { readonly question: string; readonly history?: readonly Message[] | undefined }

/** Question with a subject of the conversation. */
type SubjectReading = { readonly subject: string; readonly text: string }

/**
 * Lists readings of a question with each subject of the conversation: in place of its pronoun,
 * or added to it. The newest turn comes first, and names before other things.
 */
export function listSubjectReadings({ question, history = [] }: Asked): readonly SubjectReading[] {
  const next = shortenForSearch(question).trim()
  const language = detectReplyLanguage(next)
  const subjects = listSubjects(history, language).filter(
    subject => !next.toLowerCase().includes(subject.toLowerCase()),
  )
  return [...new Set(subjects)]
    .slice(0, MAX_SUBJECTS)
    .map(subject => ({ subject, text: insertSubject(next, subject, language) }))
}

/** Lists names and things that questions were about, without what was asked of them. */
function listSubjects(history: readonly Message[], language: Language): readonly string[] {
  const turns = history.filter(({ role }) => role === 'user').slice(-MAX_TURNS)
  return turns.toReversed().flatMap(turn => {
    const text = textContent(turn).slice(0, MAX_TURN_CHARS)
    if (text === '' || detectReplyLanguage(text) !== language) return []
    const { phrases } = parseQuestion(text, language)
    return phrases
      .filter(({ kind, isAsked }) => (kind === 'name' || kind === 'thing') && !isAsked)
      .map(phrase => phrase.text)
  })
}

const PRONOUN: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:it|they|them|he|she|him|there|this|that)\b(?! \p{L}+ (?:to|that)\b)/iu,
  zh: /[它她他]们?|这里|那里/u,
}
const POSSESSIVE = /\b(?:its|their|his|her)\b/iu
/** Words that only introduce a fragment, such as "what about". */
const OPENING: Readonly<Record<Language, RegExp>> = {
  en: /^(?:and|but|so|what about|how about)\b[ ,]*/iu,
  zh: /^(?:那么?|还有|而|至于)/u,
}

function insertSubject(question: string, subject: string, language: Language): string {
  const bare = question.replace(OPENING[language], '').replace(/[\s?？呢]+$/u, '')
  if (language === 'en' && POSSESSIVE.test(bare))
    return `${bare.replace(POSSESSIVE, `${subject}'s`)}?`
  if (PRONOUN[language].test(bare)) return `${bare.replace(PRONOUN[language], subject)}?`
  return language === 'zh' ? `${subject}的${bare}？` : `${bare} ${subject}?`
}
