import type { DocumentReader } from '../ingest/document.ts'
import type { Span } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import type { Citation } from './answer.ts'
import { type Place, placesOf } from './places.ts'
import { sameWords } from './quotation.ts'

/** A place in a passage that an answer cites; the span is within the passage's text. */
export type Reference = { readonly marker: number; readonly passage: Passage; readonly span: Span }

/** References as citations, in order: read back from the stored documents, `verified` only when the words are there. */
export async function cite(
  reader: DocumentReader,
  references: readonly Reference[],
  signal?: AbortSignal,
): Promise<readonly Citation[]> {
  const places = await placesByReference(reader, references, signal)
  return await Promise.all(references.map(reference => toCitation(reader, reference, places.get(reference))))
}

async function toCitation(reader: DocumentReader, reference: Reference, place?: Place): Promise<Citation> {
  const { marker, passage, span } = reference
  const { charStart, charEnd } = placeOf(reference)
  const claimed = passage.text.slice(span.start, span.end)
  const stored = await reader.read(passage.documentId, charStart, charEnd)
  const verified = sameWords(stored, claimed)
  const { documentId, source, name: doc } = passage
  const { headings = passage.headings, pages, boxes = [] } = place ?? {}
  const text = verified ? stored : claimed
  return {
    ...{ marker, documentId, source, doc, headings },
    ...(pages && { page: pages[0], pages, boxes }),
    ...{ charStart, charEnd, text, verified },
  }
}

/** Each document is walked through once. */
async function placesByReference(reader: DocumentReader, references: readonly Reference[], signal?: AbortSignal) {
  const places = new Map<Reference, Place>()
  for (const documentId of new Set(references.map(({ passage }) => passage.documentId))) {
    const own = references.filter(({ passage }) => passage.documentId === documentId)
    const found = await placesOf(reader, documentId, own.map(placeOf), signal)
    for (const [at, place] of found.entries()) places.set(own[at]!, place) // one each
  }
  return places
}

function placeOf({ passage: { charStart }, span }: Reference) {
  return { charStart: charStart + span.start, charEnd: charStart + span.end }
}
