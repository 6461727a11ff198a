import { findMarkers, type Marker } from '../../text/markers.ts'
import { findQuotations } from '../../text/quotations.ts'
import {
  areOverlapping,
  blankSpans,
  joinSpans,
  type Span,
  splitSentences,
} from '../../text/sentences.ts'

export type Sentence = {
  readonly span: Span
  readonly text: string
  readonly markers: readonly Marker[]
}

export function splitMarkedSentences(
  text: string,
  isSource: (id: number) => boolean,
  code: readonly Span[],
): readonly Sentence[] {
  const markers = findMarkers(text, { isSource }).filter(
    ({ span }) => !code.some(other => areOverlapping(span, other)),
  )
  const prose = maskBlockMarks(maskCode(text, code))
  const masked = blankSpans(prose, [...new Set(markers.map(({ span }) => span))])
  const spans = joinQuotations(masked, splitSentences(masked))
  const starts = spans.map(({ start }, index) =>
    index === 0 ? 0 : withLeading(masked, start, markers),
  )
  return spans.map((span, index) => {
    const end = starts[index + 1] ?? text.length
    const own = markers.filter(
      marker => marker.span.start >= starts[index]! && marker.span.start < end,
    )
    return { span, text: masked.slice(span.start, span.end), markers: own }
  })
}

/** Marks of a block quote, and the line below that names the speaker. */
const BLOCK_MARKS =
  /^[ \t]{0,3}(?:>[ \t]{0,3})+(?:(?:—|--)[^\n]{1,80}(?<![.。!?！？])(?=\n[ \t]*(?:\n|$)|$(?!\n)))?/gm

/** End of a line of a block quote whose sentence continues. */
const WRAPPED = /(?<=[\p{L}\p{N},])\n[ \t]{0,3}(?:>[ \t]{0,3})+(?=\p{Ll})/gu

function maskBlockMarks(text: string): string {
  const clearText = (marks: string) => ' '.repeat(marks.length)
  return text.replace(WRAPPED, clearText).replace(BLOCK_MARKS, clearText)
}

function maskCode(text: string, code: readonly Span[]): string {
  return code.reduce(
    (rest, { start, end }) =>
      rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, ' ') + rest.slice(end),
    text,
  )
}

function withLeading(masked: string, start: number, markers: readonly Marker[]): number {
  const line = masked.lastIndexOf('\n', start - 1) + 1
  const isFirst = masked.slice(line, start).trim() === ''
  return isFirst
    ? Math.min(
        start,
        ...markers.filter(({ span }) => span.start >= line).map(({ span }) => span.start),
      )
    : start
}

export function getCompleteSpan({ span, markers }: Sentence): Span {
  return { start: span.start, end: Math.max(span.end, ...markers.map(marker => marker.span.end)) }
}

/** Markdown before a sentence: signs of lists, quotations, headings and rows. */
const LEADING = /^(?:\s|[-*+](?=\s)|\d{1,3}[.)](?=\s)|#{1,6}(?=\s)|>|\|)+/
const TRAILING = /[\s|]+$/

/** Removes surrounding Markdown, too. */
export function removeMarkers({ text }: Sentence): string {
  return text
    .replace(LEADING, '')
    .replace(TRAILING, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.。,，;；])/g, '$1')
    .trim()
}

function joinQuotations(text: string, spans: readonly Span[]): readonly Span[] {
  const quotations = findQuotations(text).map(quotation => quotation.marked)
  const isInside = (before: Span, after: Span) =>
    quotations.some(({ start, end }) => start < before.end && after.start < end)
  return joinSpans(isInside, spans)
}
