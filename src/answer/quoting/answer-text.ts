import { detectLanguage } from '../../text/language.ts'
import { phraseMorePassages, phraseNothingMore, VERBATIM, VERBATIM_ACROSS } from '../phrases.ts'
import type { Question } from '../question/question.ts'
import { toPlainText } from './plain-text.ts'
import { type Quote, quoteText, type Selection } from './selection.ts'

/** A part of a question with what answers it, and how much more was found. */
export type Answered = Selection & { readonly label: string }

/** The answer, one quotation a line with its marker, and what the markers quote, in their order. */
export function composeAnswer(
  { language }: Question,
  answered: readonly Answered[],
): { readonly text: string; readonly quotes: readonly Quote[] } {
  const quotes: Quote[] = []
  const isAcross = answered
    .flatMap(part => part.quotes)
    .every(quote => detectLanguage(toPlainText(quote)) !== language)
  const mark = (quote: Quote) => {
    const known = quotes.findIndex(other => holds(other, quote) || holds(quote, other))
    if (known >= 0 && holds(quote, quotes[known]!)) quotes[known] = quote // just found
    const text = isAcross ? toPlainText(quote) : quoteText(quote, language)
    return `${text} [${known < 0 ? quotes.push(quote) : known + 1}]`
  }
  const lines = answered.flatMap(part =>
    part.quotes.length === 0 ? [phraseNothingMore(language, part.label)] : part.quotes.map(mark),
  )
  const more = answered.reduce((sum, part) => sum + part.more, 0)
  const text = [
    (isAcross ? VERBATIM_ACROSS : VERBATIM)[language],
    ...new Set(lines),
    more > 0 && answered.length === 1 ? phraseMorePassages(language, more) : '',
  ]
  return { text: text.filter(Boolean).join('\n'), quotes }
}

function holds({ passage, span }: Quote, other: Quote): boolean {
  const from = passage.charStart - other.passage.charStart
  const isAround = span.start + from <= other.span.start && other.span.end <= span.end + from
  return passage.documentId === other.passage.documentId && isAround
}
