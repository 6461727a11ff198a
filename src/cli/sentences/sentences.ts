import { detectLocaleLanguage } from '../../config.ts'
import type { Language } from '../../text/language.ts'
import { en, type Sentences } from './en.ts'
import { zh } from './zh.ts'

const SENTENCES: Readonly<Record<Language, Sentences>> = { en, zh }

export function getSentences(language: Language): Sentences {
  return SENTENCES[language]
}

export function getUserSentences(): Sentences {
  return getSentences(detectLocaleLanguage())
}
