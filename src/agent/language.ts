import type { Language } from '../ingest/language.ts'

/** The language of our own words to a person: Chinese when the person used Han characters; kana and hangul do not count. */
export function replyLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}
