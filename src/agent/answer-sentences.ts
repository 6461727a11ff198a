import { type Span, sentences } from '../ingest/sentences.ts'
import { findMarkers, type Marker } from './markers.ts'
import { quotationsIn } from './quoted.ts'

/** One sentence of an answer: its words with the markers blanked out, and the markers that are put to it. */
export type Sentence = { readonly span: Span; readonly text: string; readonly markers: readonly Marker[] }
/** Markers after a full stop belong to the sentence before it; code claims nothing. */
export function sentencesOf(text: string): readonly Sentence[] {
  const code = text.replace(/```[\s\S]*?(?:```|$)/g, match => ' '.repeat(match.length))
  const markers = findMarkers(text)
  const masked = markers.reduce(
    (rest, { span }) => rest.slice(0, span.start) + ' '.repeat(span.end - span.start) + rest.slice(span.end),
    code,
  )
  const spans = wholeQuotations(masked, sentences(masked))
  return spans.map((span, at) => {
    const end = spans[at + 1]?.start ?? text.length
    const own = markers.filter(marker => marker.span.start >= (at === 0 ? 0 : span.start) && marker.span.start < end)
    return { span, text: masked.slice(span.start, span.end), markers: own }
  })
}

/** The sentence with its markers. */
export function wholeOf({ span, markers }: Sentence): Span {
  return { start: span.start, end: Math.max(span.end, ...markers.map(marker => marker.span.end)) }
}

/** As it is told to a person. */
export function bareText({ text }: Sentence): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.。,，;；])/g, '$1')
    .trim()
}

/** A quotation is not cut at a full stop inside it. */
function wholeQuotations(text: string, spans: readonly Span[]): readonly Span[] {
  const quotations = quotationsIn(text).map(quotation => quotation.span)
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    const isInside = last && quotations.some(({ start, end }) => start < last.end && span.start < end)
    if (last && isInside) joined[joined.length - 1] = { start: last.start, end: span.end }
    else joined.push(span)
  }
  return joined
}
