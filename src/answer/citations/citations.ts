import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { findPlaces, type Place } from '../../ingest/store/places.ts'
import type { Passage } from '../../search/passages/passage.ts'
import type { Span } from '../../text/sentences.ts'
import type { Citation, Support } from './citation.ts'

/** `span` is relative to the passage. */
export type Reference = {
  readonly marker: number
  readonly passage: Passage
  readonly span: Span
  readonly support: Support
}

type Quoted = Pick<Reference, 'passage' | 'span'>

/** Drops citations whose words are missing in the stored documents. */
export async function cite(
  reader: DocumentReader,
  references: readonly Reference[],
  signal?: AbortSignal,
): Promise<readonly Citation[]> {
  const places = await groupPlacesByReference(reader, references, signal)
  const paged = references.filter(reference => places.get(reference)?.pages)
  const labels = new Map<string, ReadonlyMap<number, string> | undefined>()
  for (const id of new Set(paged.map(({ passage }) => passage.documentId)))
    labels.set(id, await reader.readPageLabels?.(id))
  const citations = await Promise.all(
    references.map(async reference => {
      const citation = await toCitation(reader, reference, places.get(reference))
      const label = citation?.page && labels.get(citation.documentId)?.get(citation.page)
      return citation && label ? { ...citation, pageLabel: label } : citation
    }),
  )
  return citations.filter(citation => citation !== undefined)
}

export async function selectUnchanged<Quote extends Quoted>(
  reader: DocumentReader,
  quotes: readonly Quote[],
): Promise<readonly Quote[]> {
  const stored = await Promise.all(
    quotes.map(quote => {
      const { charStart, charEnd } = getPlace(quote)
      return reader.read(quote.passage.documentId, charStart, charEnd)
    }),
  )
  return quotes.filter(({ passage, span }, index) =>
    isSame(stored[index]!, passage.text.slice(span.start, span.end)),
  )
}

/** Ignores white space between parts. */
export function isSame(stored: string, claimed: string): boolean {
  const removeSpace = (text: string) => text.replace(/\s+/g, '')
  return stored === claimed || removeSpace(stored) === removeSpace(claimed)
}

async function toCitation(
  reader: DocumentReader,
  reference: Reference,
  place?: Place,
): Promise<Citation | undefined> {
  const { marker, passage, span, support } = reference
  const { charStart, charEnd } = getPlace(reference)
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

async function groupPlacesByReference(
  reader: DocumentReader,
  references: readonly Reference[],
  signal?: AbortSignal,
) {
  const places = new Map<Reference, Place>()
  for (const documentId of new Set(references.map(({ passage }) => passage.documentId))) {
    const own = references.filter(({ passage }) => passage.documentId === documentId)
    const found = await findPlaces(reader, documentId, own.map(getPlace), signal)
    for (const [index, place] of found.entries()) places.set(own[index]!, place)
  }
  return places
}

function getPlace({ passage: { charStart }, span }: Quoted) {
  return { charStart: charStart + span.start, charEnd: charStart + span.end }
}
