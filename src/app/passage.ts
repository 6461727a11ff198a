import { AppError } from '../errors.ts'
import type { Box, PlacedBlock } from '../ingest/block.ts'
import type { Library } from '../ingest/library.ts'

/** Most text that one passage may have, in UTF-16 units: a citation is read, not downloaded. */
const MAX_CHARS = 100_000

/** Where words of a passage stand on a page, `[charStart, charEnd)` of the parsed text: a printed line, or a whole block. */
export type PassageBox = {
  readonly page: number
  readonly charStart: number
  readonly charEnd: number
  readonly box: Box
}

/** Words of a document, and where they stand. */
export type Passage = {
  readonly documentId: string
  /** Of its first word, in formats that have pages. */
  readonly page?: number
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  readonly boxes: readonly PassageBox[]
}

export type Span = { readonly charStart: number; readonly charEnd: number }

/** Read the words of a span and find every line that holds some of them. Throws `invalid_input` for a span outside the text. */
export async function readPassage(
  library: Library,
  documentId: string,
  span: Span,
  signal?: AbortSignal,
): Promise<Passage> {
  const { characters } = await library.report(documentId)
  const charEnd = Math.min(span.charEnd, characters)
  if (span.charStart >= charEnd || charEnd - span.charStart > MAX_CHARS) {
    throw new AppError(
      'invalid_input',
      `There is no passage from ${span.charStart} to ${span.charEnd}: the text has ${characters} characters, and a passage 1 to ${MAX_CHARS}.`,
    )
  }
  const clipped = { charStart: span.charStart, charEnd }
  const blocks = await blocksOf(library, documentId, clipped, signal)
  const page = blocks[0]?.page
  return {
    documentId,
    ...(page !== undefined && { page }),
    ...clipped,
    text: await library.read(documentId, clipped.charStart, clipped.charEnd),
    boxes: blocks.flatMap(boxesOf).filter(box => meets(box, clipped)),
  }
}

async function blocksOf(
  library: Library,
  documentId: string,
  span: Span,
  signal: AbortSignal | undefined,
): Promise<readonly PlacedBlock[]> {
  const blocks: PlacedBlock[] = []
  for await (const block of library.blocks(documentId, signal)) {
    if (block.charStart >= span.charEnd) break
    if (meets(block, span)) blocks.push(block)
  }
  return blocks
}

function boxesOf({ page, box, lines, charStart, charEnd }: PlacedBlock): readonly PassageBox[] {
  if (page === undefined) return []
  if (lines) {
    return lines.map(line => ({
      page,
      charStart: charStart + line.start,
      charEnd: charStart + line.end,
      box: line.box,
    }))
  }
  return box ? [{ page, charStart, charEnd, box }] : []
}

function meets(a: Span, b: Span): boolean {
  return a.charStart < b.charEnd && b.charStart < a.charEnd
}
