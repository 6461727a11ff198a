import type { Passage } from '../../search/passages/passage.ts'
import { findMarkers, type Marker } from '../../text/markers.ts'
import { quotationsIn } from '../../text/quotations.ts'
import { blanked, joinedWhere, type Span, sentences } from '../../text/sentences.ts'

/** One sentence of an answer: its words with the markers blanked out, and the markers that are put to it. */
export type Sentence = { readonly span: Span; readonly text: string; readonly markers: readonly Marker[] }

/** Markers after a full stop belong to the sentence before it, unless they begin a line; code claims nothing. */
export function sentencesOf(text: string, isSource: (id: number) => boolean): readonly Sentence[] {
  const code = text.replace(/```[\s\S]*?(?:```|$)/g, match => ' '.repeat(match.length))
  const markers = findMarkers(text, { isSource })
  const masked = blanked(
    code,
    markers.map(({ span }) => span),
  )
  const spans = wholeQuotations(masked, sentences(masked))
  const starts = spans.map(({ start }, at) => (at === 0 ? 0 : withLeading(masked, start, markers)))
  return spans.map((span, at) => {
    const end = starts[at + 1] ?? text.length
    const own = markers.filter(marker => marker.span.start >= starts[at]! && marker.span.start < end) // one each
    return { span, text: masked.slice(span.start, span.end), markers: own }
  })
}

/** Where a sentence begins with the markers that stand before it on its line. */
function withLeading(masked: string, start: number, markers: readonly Marker[]): number {
  const line = masked.lastIndexOf('\n', start - 1) + 1
  const isFirst = masked.slice(line, start).trim() === ''
  return isFirst
    ? Math.min(start, ...markers.filter(({ span }) => span.start >= line).map(({ span }) => span.start))
    : start
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
  const quotations = quotationsIn(text).map(quotation => quotation.marked)
  const isInside = (before: Span, after: Span) =>
    quotations.some(({ start, end }) => start < before.end && after.start < end)
  return joinedWhere(isInside, spans)
}

const HEADING =
  /^[\s#>*_-]*(?:sources?|references?|citations?|footnotes?|参考(?:资料|文献|来源)?|来源|资料来源|引用|出处)[\s*_]*[:：]?[\s*_-]*$/i

/** Beside the name, an entry says where: page, section. More is a sentence. */
const MAX_PLACE = 40

/** An answer without the list of sources that a model wrote under it: the citations are that list, checked. */
export function withoutSourceList(text: string, passages: readonly Passage[]): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 0 && (isEntry(lines[end - 1]!, passages) || lines[end - 1]!.trim() === '')) end-- // inside the lines
  if (lines.slice(end).every(line => line.trim() === '')) return text
  const body = lines.slice(0, HEADING.test(lines[end - 1] ?? '') ? end - 1 : end)
  return body.join('\n').trimEnd() || text
}

/** A line that begins with the marker of a source and names its document. */
function isEntry(line: string, passages: readonly Passage[]): boolean {
  const [marker] = findMarkers(line)
  if (!marker || !/^[\s>*•-]*$/.test(line.slice(0, marker.span.start))) return false
  const passage = passages.find(({ id }) => id === marker.id)
  const rest = line.slice(marker.span.end).toLowerCase()
  const [before, after] = passage ? rest.split(passage.name.toLowerCase(), 2) : []
  return before !== undefined && after !== undefined && before.length + after.length <= MAX_PLACE
}
