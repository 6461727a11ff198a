import type { Passage } from '../../search/passages/passage.ts'
import { plainText } from '../../search/passages/plain-text.ts'
import { type Language, languageOf } from '../../text/language.ts'
import type { Span } from '../../text/sentences.ts'
import { IN_OTHER_LANGUAGE } from '../phrases.ts'

/** A stretch of a passage to be quoted. */
export type Quote = { readonly passage: Passage; readonly span: Span }

/** A quote as a person reads it, and, where it is in the other language, that it is. */
export function quoteText(quote: Quote, language: Language): string {
  const text = plainText(quote)
  return languageOf(text) === language ? text : `${IN_OTHER_LANGUAGE[language]}${text}`
}
