import type { Language } from '../ingest/language.ts'
import { type Message, textContent } from './message.ts'

/** The language of our own words to a person: Chinese when the person used Han characters; kana and hangul do not count. */
export function replyLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

/** Of a conversation: what its users and its instructions are written in. */
export function conversationLanguage(messages: readonly Message[]): Language {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'system')
  return spoken.some(message => replyLanguage(textContent(message)) === 'zh') ? 'zh' : 'en'
}
