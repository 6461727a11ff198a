import type { Span } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import { locate } from './quotation.ts'
import { align } from './repair.ts'

/** Words between quotation marks, and where they stand between them. */
export type Quotation = { readonly text: string; readonly span: Span }

/** Where a quotation was found; `repaired` are the true words when it differed from them by a slip. */
export type QuotePlace = { readonly passage: Passage; readonly spans: readonly Span[]; readonly repaired?: string }

/** Quoted words shorter than this name a thing rather than quote a sentence; a Han character says as much as two letters. */
const SHORTEST = 8

const QUOTED = /“([^”]+)”|「([^」]+)」|『([^』]+)』|"([^"]+)"/g
const ELISION = /\s*(?:\[\s*(?:…|\.{3})\s*\]|…+|\.{3,})\s*/

export function quotationsIn(text: string): readonly Quotation[] {
  const quoted = [...text.matchAll(QUOTED)].map(match => {
    const words = match.slice(1).find(Boolean) ?? ''
    const start = match.index + match[0].indexOf(words)
    const end = start + words.replace(/[\s.,;:!?。，；：！？…]+$/, '').length
    return { text: text.slice(start, end), span: { start, end } }
  })
  return quoted.filter(one => one.text.replace(/\p{Script=Han}/gu, 'xx').trim().length >= SHORTEST)
}

/**
 * The words in a source that is named, else in any other; else a place that is only a slip away, if there is just one.
 * What is left out by `…` may be anything, in the order of the source.
 */
export function findQuote(quote: string, named: readonly Passage[], all: readonly Passage[]): QuotePlace | undefined {
  for (const passage of [...named, ...all]) {
    const spans = exactSpans(quote, passage.text)
    if (spans) return { passage, spans }
  }
  return repairIn(quote, named) ?? repairIn(quote, all)
}

function exactSpans(quote: string, text: string): readonly Span[] | undefined {
  const spans: Span[] = []
  let from = 0
  for (const part of quote.split(ELISION).filter(Boolean)) {
    const rest = text.slice(from)
    const aligned = align(rest, part)
    const span = locate(rest, part) ?? (aligned?.edits === 0 ? aligned.span : undefined)
    if (!span) return undefined
    spans.push({ start: from + span.start, end: from + span.end })
    from += span.end
  }
  return spans.length > 0 ? spans : undefined
}

/** Two places with different words leave open which one was meant. */
function repairIn(quote: string, passages: readonly Passage[]): QuotePlace | undefined {
  const places = passages.flatMap(passage => {
    const aligned = align(passage.text, quote)
    if (!aligned) return []
    const repaired = passage.text.slice(aligned.span.start, aligned.span.end).replace(/\s+/g, ' ')
    return [{ passage, spans: [aligned.span], repaired }]
  })
  return new Set(places.map(place => place.repaired)).size === 1 ? places[0] : undefined
}
