import { AppError } from '../../errors.ts'
import type { PlacedBox } from '../../ingest/block.ts'
import type { Library } from '../../ingest/store/library.ts'
import { findPlaces, type TextSpan } from '../../ingest/store/places.ts'

/** Most text that one passage may have, in UTF-16 units: a citation is read, not downloaded. */
const MAX_CHARS = 100_000

/** Words of a document, and where they stand. */
type Passage = {
  readonly documentId: string
  /** Of its first word, in formats that have pages. */
  readonly page?: number
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  /** The headings that its first word stands under, outermost first. */
  readonly headings: readonly string[]
  /** Every line that holds some of it, in formats that have pages. */
  readonly boxes: readonly PlacedBox[]
}

/** Read the words of a span and find every line that holds some of them. Throws `invalid_input` for a span outside the text. */
export async function readPassage(
  library: Library,
  documentId: string,
  span: TextSpan,
  signal?: AbortSignal,
): Promise<Passage> {
  const { characters } = await library.report(documentId)
  const charEnd = Math.min(span.charEnd, characters)
  if (span.charStart >= charEnd || charEnd - span.charStart > MAX_CHARS) {
    throw new AppError(
      'invalid_input',
      `There is no passage with start ${span.charStart} and end ${span.charEnd}: the text has ${characters} characters, and a passage 1 to ${MAX_CHARS}.`,
    )
  }
  const clipped = { charStart: span.charStart, charEnd }
  const [place] = await findPlaces(library, documentId, [clipped], signal)
  const { headings = [], boxes = [], pages } = place ?? {}
  const text = await library.read(documentId, clipped.charStart, clipped.charEnd)
  return { documentId, ...(pages && { page: pages[0] }), ...clipped, headings, text, boxes }
}
