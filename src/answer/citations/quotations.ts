import type { Passage } from '../../search/passages/passage.ts'
import { findExactSpans, type QuotableTexts } from '../../text/quotations.ts'
import type { Span } from '../../text/sentences.ts'

/** Where a quotation was found; `repaired` are the true words when it differed from them by a slip. */
export type QuotePlace = {
  readonly passage: Passage
  readonly spans: readonly Span[]
  readonly repaired?: string
}

/**
 * The words in a source that is named, else in any other; else a place that is only a slip away, if there is just one.
 * What is left out by `…` may be anything, in the order of the source.
 */
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
  return repairIn(quote, named, texts) ?? repairIn(quote, all, texts)
}

/** Two places with different words leave open which one was meant. */
function repairIn(
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
