import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { PlacedBox } from '../../ingest/block.ts'
import type { Library } from '../../ingest/store/library.ts'
import { findPlaces, type TextSpan } from '../../ingest/store/places.ts'

/** UTF-16 units of a passage, so that citations are not used for downloads. */
const MAX_CHARS = 100_000

type Passage = {
  readonly documentId: string
  /** Page of the first word, if the format has pages. */
  readonly page?: number
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  /** Outermost first. */
  readonly headings: readonly string[]
  readonly boxes: readonly PlacedBox[]
}

/** Throws `invalid_input` outside of the text. */
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
      localizable`There is no passage with start ${span.charStart} and end ${span.charEnd}: the text has ${characters} characters, and a passage 1 to ${MAX_CHARS}.`,
    )
  }
  const clipped = { charStart: span.charStart, charEnd }
  const [place] = await findPlaces(library, documentId, [clipped], signal)
  const { headings = [], boxes = [], pages } = place ?? {}
  const text = await library.read(documentId, clipped.charStart, clipped.charEnd)
  return { documentId, ...(pages && { page: pages[0] }), ...clipped, headings, text, boxes }
}
