import type { PlacedBlock, PlacedBox } from '../block.ts'
import type { DocumentReader } from './document-reader.ts'

/** A stretch of a parsed text, in UTF-16 units. */
export type TextSpan = { readonly charStart: number; readonly charEnd: number }

/** Where a stretch of a document stands. */
export type Place = {
  /** The headings that it stands under, outermost first; of one that begins with a heading, those of the text below. */
  readonly headings: readonly string[]
  /** Its first and last page, in formats that have pages. */
  readonly pages?: readonly [number, number]
  /** Every line that holds some of it, in formats that have pages. */
  readonly boxes: readonly PlacedBox[]
}

/** The place of each span, in order. One walk through the blocks of the document, as far as the last span. */
export async function placesOf(
  reader: Pick<DocumentReader, 'blocks'>,
  documentId: string,
  spans: readonly TextSpan[],
  signal?: AbortSignal,
): Promise<readonly Place[]> {
  const places = spans.map((): Collected => ({ boxes: [] }))
  const end = Math.max(...spans.map(span => span.charEnd))
  let path: readonly PlacedBlock[] = []
  for await (const block of reader.blocks(documentId, signal)) {
    if (block.charStart >= end) break
    for (const [at, span] of spans.entries())
      if (meets(block, span)) extend(places[at]!, block, span, path) // one each
    if (block.kind === 'heading')
      path = [...path.filter(above => levelOf(above) < levelOf(block)), block]
  }
  return places.map(({ headings = [], boxes, pages }) => ({
    headings,
    boxes,
    ...(pages && { pages }),
  }))
}

type Collected = {
  headings?: readonly string[]
  isAtHeading?: boolean
  pages?: readonly [number, number]
  boxes: PlacedBox[]
}

function extend(
  place: Collected,
  block: PlacedBlock,
  span: TextSpan,
  path: readonly PlacedBlock[],
): void {
  const isHeading = block.kind === 'heading'
  const above = path.filter(one => !isHeading || levelOf(one) < levelOf(block)).map(one => one.text)
  if (place.headings === undefined || (place.isAtHeading && !isHeading)) place.headings = above
  place.isAtHeading = isHeading && (place.isAtHeading ?? true)
  if (block.page !== undefined) place.pages = [place.pages?.[0] ?? block.page, block.page]
  place.boxes.push(...boxesOf(block).filter(box => meets(box, span)))
}

function boxesOf({ page, box, lines, charStart, charEnd }: PlacedBlock): readonly PlacedBox[] {
  if (page === undefined) return []
  if (!lines) return box ? [{ page, charStart, charEnd, box }] : []
  return lines.map(line => ({
    page,
    charStart: charStart + line.start,
    charEnd: charStart + line.end,
    box: line.box,
  }))
}

function levelOf({ level = 1 }: PlacedBlock): number {
  return level
}

function meets(a: TextSpan, b: TextSpan): boolean {
  return a.charStart < b.charEnd && b.charStart < a.charEnd
}
