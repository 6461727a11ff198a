import type { Citation } from '../../answer/citations/citation.ts'
import type { Filed } from '../../conversations/items.ts'
import { findMarkers } from '../../text/markers.ts'
import type { RequestContext } from '../http/context.ts'
import { wantsSpans } from './spans.ts'

/** A citation at one of the places of a text where its marker stands. */
type PlacedCitation = {
  readonly citation: Filed<Citation>
  readonly start: number
  readonly end: number
}

/** As an answer writes its markers; in another form, as `²`, they are part of what is quoted. */
const WRITTEN = /^\[\d+\]$/

/** In the order of the text; what no marker points to is no citation of the text. */
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

export type FileCitation = {
  readonly type: 'file_citation'
  readonly file_id: string
  readonly filename: string
  readonly index: number
}

/** OpenAI's annotations of a text. With `X-Passim-Spans: 1` each also says where in the document its words stand. */
export function fileCitations(
  c: RequestContext,
  text: string,
  citations: readonly Filed<Citation>[],
): readonly FileCitation[] {
  const isSpanned = wantsSpans(c)
  const notes = placeCitations(text, citations).flatMap(({ citation, start }): FileCitation[] => {
    const fileId = citation.fileId
    if (fileId === undefined) return []
    const note = {
      type: 'file_citation',
      file_id: fileId,
      filename: citation.doc,
      index: start,
    } as const
    return [isSpanned ? { ...note, ...spanJson(citation) } : note]
  })
  const keys = notes.map(note => JSON.stringify(note))
  return notes.filter((_, at) => keys.indexOf(keys[at]!) === at) // one each
}

function spanJson({
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
