import type { Passage } from '../../search/passages/passage.ts'
import { findExactSpans, type QuotableTexts } from '../../text/quotations.ts'
import type { Span } from '../../text/sentences.ts'

/** `repaired` are the true words after a slip. */
export type QuotePlace = {
  readonly passage: Passage
  readonly spans: readonly Span[]
  readonly repaired?: string
}

/** Finds words in named sources, then others, then within one slip. `…` matches anything. */
export function findQuote(
  quote: string,
  {
    named,
    all,
    texts,
  }: { named: readonly Passage[]; all: readonly Passage[]; texts: QuotableTexts },
): QuotePlace | undefined {
  for (const passage of new Set([...named, ...all])) {
    const spans = findExactSpans(quote, passage.text, texts)
    if (spans) return { passage, spans }
  }
  return repairQuote(quote, named, texts) ?? repairQuote(quote, all, texts)
}

/** Leaves a quotation with two different places as it is. */
function repairQuote(
  quote: string,
  passages: readonly Passage[],
  texts: QuotableTexts,
): QuotePlace | undefined {
  const places = passages.flatMap(passage => {
    const aligned = texts.align(passage.text, quote)
    if (!aligned) return []
    const repaired = passage.text.slice(aligned.span.start, aligned.span.end).replace(/\s+/g, ' ')
    return [{ passage, spans: [aligned.span], repaired }]
  })
  return new Set(places.map(place => place.repaired)).size === 1 ? places[0] : undefined
}
