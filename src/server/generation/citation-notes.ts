import type { Citation } from '../../answer/citations/citation.ts'
import type { Filed } from '../../conversations/items.ts'
import { findMarkers } from '../../text/markers.ts'
import type { FileCitationJson } from '../../wire/response.ts'
import type { RequestContext } from '../http/context.ts'
import { hasSpansHeader } from './passim-fields.ts'

type PlacedCitation = {
  readonly citation: Filed<Citation>
  readonly start: number
  readonly end: number
}

/** Our markers; other forms such as `²` are quoted text. */
const WRITTEN = /^\[\d+\]$/

/** Skips citations without a marker. */
export function placeCitations(
  text: string,
  citations: readonly Filed<Citation>[],
): readonly PlacedCitation[] {
  const markers = findMarkers(text).filter(({ span }) =>
    WRITTEN.test(text.slice(span.start, span.end)),
  )
  return markers.flatMap(({ id, span }) =>
    citations.filter(({ marker }) => marker === id).map(citation => ({ citation, ...span })),
  )
}

/** Adds places if `X-Passim-Spans` is 1. */
export function toFileCitations(
  c: RequestContext,
  text: string,
  citations: readonly Filed<Citation>[],
): readonly FileCitationJson[] {
  const isSpanned = hasSpansHeader(c)
  const notes = placeCitations(text, citations).flatMap(
    ({ citation, start }): FileCitationJson[] => {
      const fileId = citation.fileId
      if (fileId === undefined) return []
      const note = {
        type: 'file_citation',
        file_id: fileId,
        filename: citation.doc,
        index: start,
      } as const
      return [isSpanned ? { ...note, ...toSpanJson(citation) } : note]
    },
  )
  const keys = notes.map(note => JSON.stringify(note))
  return notes.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

function toSpanJson({
  documentId,
  page,
  charStart,
  charEnd,
  text,
  quoteVerified,
  verified,
  support,
}: Citation) {
  const quoted = { quote: text, quote_verified: quoteVerified, verified, support }
  const place = { document_id: documentId, char_start: charStart, char_end: charEnd, ...quoted }
  return page === undefined ? place : { ...place, page }
}
