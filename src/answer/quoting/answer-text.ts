import { detectLanguage } from '../../text/language.ts'
import { VERBATIM, VERBATIM_ACROSS, writeMorePassages, writeNothingMore } from '../phrases.ts'
import type { Question } from '../question/question.ts'
import { toPlainText } from './plain-text.ts'
import { type Quote, type QuoteSelection, quoteText } from './selection.ts'

export type Answered = QuoteSelection & { readonly label: string }

/** Composes one quotation per line with markers, and the quoted places. */
export function composeAnswer(
  { language }: Question,
  answered: readonly Answered[],
): { readonly text: string; readonly quotes: readonly Quote[] } {
  const quotes = mergeQuotes(answered.flatMap(part => part.quotes))
  const isAcross = quotes.every(quote => detectLanguage(toPlainText(quote)) !== language)
  const mark = (quote: Quote) => {
    const index = quotes.findIndex(other => hasQuote(other, quote))
    const quoted = quotes[index] ?? quote
    const text = isAcross ? toPlainText(quoted) : quoteText(quoted, language)
    return `${text} [${index + 1}]`
  }
  const lines = answered.flatMap(part =>
    part.quotes.length === 0 ? [writeNothingMore(language, part.label)] : part.quotes.map(mark),
  )
  const more = answered.reduce((sum, part) => sum + part.more, 0)
  const text = [
    (isAcross ? VERBATIM_ACROSS : VERBATIM)[language],
    ...new Set(lines),
    more > 0 && answered.length === 1 ? writeMorePassages(language, more) : '',
  ]
  return { text: text.filter(Boolean).join('\n'), quotes }
}

function mergeQuotes(quotes: readonly Quote[]): readonly Quote[] {
  return quotes.filter((quote, index) =>
    quotes.every(
      (other, otherAt) =>
        otherAt === index || !hasQuote(other, quote) || (hasQuote(quote, other) && index < otherAt),
    ),
  )
}

export function hasQuote({ passage, span }: Quote, other: Quote): boolean {
  const from = passage.charStart - other.passage.charStart
  const isAround = span.start + from <= other.span.start && other.span.end <= span.end + from
  return passage.documentId === other.passage.documentId && isAround
}
