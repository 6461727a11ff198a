import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { findPlaces, type Place } from '../../ingest/store/places.ts'
import type { Passage } from '../../search/passages/passage.ts'
import type { Span } from '../../text/sentences.ts'
import type { Citation, Support } from './citation.ts'

/** A place in a passage that an answer cites; the span is within the passage's text. */
export type Reference = {
  readonly marker: number
  readonly passage: Passage
  readonly span: Span
  readonly support: Support
}

/** Words of a passage. */
type Quoted = Pick<Reference, 'passage' | 'span'>

/** References as citations, in order: read back from the stored documents; one whose words are not there is dropped. */
export async function cite(
  reader: DocumentReader,
  references: readonly Reference[],
  signal?: AbortSignal,
): Promise<readonly Citation[]> {
  const places = await groupPlacesByReference(reader, references, signal)
  const citations = await Promise.all(
    references.map(reference => toCitation(reader, reference, places.get(reference))),
  )
  return citations.filter(citation => citation !== undefined)
}

/** Those whose words the stored documents still have where they were found: what was changed meanwhile proves nothing. */
export async function selectUnchanged<Quote extends Quoted>(
  reader: DocumentReader,
  quotes: readonly Quote[],
): Promise<readonly Quote[]> {
  const stored = await Promise.all(
    quotes.map(quote => {
      const { charStart, charEnd } = placeOf(quote)
      return reader.read(quote.passage.documentId, charStart, charEnd)
    }),
  )
  return quotes.filter(({ passage, span }, at) =>
    isSame(stored[at]!, passage.text.slice(span.start, span.end)),
  ) // one each
}

/** Mostly they differ in nothing, or in white space between two parts. */
export function isSame(stored: string, claimed: string): boolean {
  const bare = (text: string) => text.replace(/\s+/g, '')
  return stored === claimed || bare(stored) === bare(claimed)
}

async function toCitation(
  reader: DocumentReader,
  reference: Reference,
  place?: Place,
): Promise<Citation | undefined> {
  const { marker, passage, span, support } = reference
  const { charStart, charEnd } = placeOf(reference)
  const claimed = passage.text.slice(span.start, span.end)
  const stored = await reader.read(passage.documentId, charStart, charEnd)
  if (!isSame(stored, claimed)) return undefined
  const { documentId, source, name: doc } = passage
  const { headings = passage.headings, pages, boxes = [] } = place ?? {}
  return {
    marker,
    documentId,
    source,
    doc,
    headings,
    ...(pages && { page: pages[0], pages, boxes }),
    charStart,
    charEnd,
    text: stored,
    quoteVerified: true,
    verified: true,
    support,
  }
}

/** Each document is walked through once. */
async function groupPlacesByReference(
  reader: DocumentReader,
  references: readonly Reference[],
  signal?: AbortSignal,
) {
  const places = new Map<Reference, Place>()
  for (const documentId of new Set(references.map(({ passage }) => passage.documentId))) {
    const own = references.filter(({ passage }) => passage.documentId === documentId)
    const found = await findPlaces(reader, documentId, own.map(placeOf), signal)
    for (const [at, place] of found.entries()) places.set(own[at]!, place) // one each
  }
  return places
}

function placeOf({ passage: { charStart }, span }: Quoted) {
  return { charStart: charStart + span.start, charEnd: charStart + span.end }
}
