import type { DocumentReader } from '../ingest/document.ts'
import type { Span } from '../ingest/sentences.ts'
import type { Passage } from '../search/context.ts'
import type { Citation } from './answer.ts'
import { sameWords } from './quotation.ts'

/** A place in a passage that an answer cites; the span is within the passage's text. */
export type Reference = { readonly marker: number; readonly passage: Passage; readonly span: Span }

/** A reference as a citation: read back from the stored document, and `verified` only when the words are there. */
export async function cite(reader: DocumentReader, reference: Reference, signal?: AbortSignal): Promise<Citation> {
  const { marker, passage, span } = reference
  const charStart = passage.charStart + span.start
  const charEnd = passage.charStart + span.end
  const claimed = passage.text.slice(span.start, span.end)
  const stored = await reader.read(passage.documentId, charStart, charEnd)
  const verified = sameWords(stored, claimed)
  const page = await pageAt(reader, passage, charStart, signal)
  const { documentId, source, name: doc } = passage
  const text = verified ? stored : claimed
  return { marker, documentId, source, doc, ...(page !== undefined && { page }), charStart, charEnd, text, verified }
}

/** The page of a place: a chunk on one page tells it; else the blocks are asked, which costs a walk through them. */
async function pageAt(
  reader: DocumentReader,
  passage: Passage,
  position: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (!passage.pages) return undefined
  const holders = passage.parts.filter(part => part.charStart <= position && position < part.charEnd)
  const sure = holders.find(part => part.pages && part.pages[0] === part.pages[1])
  if (sure?.pages) return sure.pages[0]
  for await (const block of reader.blocks(passage.documentId, signal)) {
    if (position < block.charEnd) return block.page
  }
  return undefined
}
