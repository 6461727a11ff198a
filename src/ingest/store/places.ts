import type { PlacedBlock, PlacedBox } from '../block.ts'
import type { DocumentReader } from './document-reader.ts'

export type TextSpan = { readonly charStart: number; readonly charEnd: number }

export type Place = {
  /** Outermost first; those shared by all text of the span, below its own first heading. */
  readonly headings: readonly string[]
  readonly pages?: readonly [number, number]
  readonly boxes: readonly PlacedBox[]
}

/** Keeps the order of the spans. Reads the blocks once, up to the last span. */
export async function findPlaces(
  reader: Pick<DocumentReader, 'readBlocks'>,
  documentId: string,
  spans: readonly TextSpan[],
  signal?: AbortSignal,
): Promise<readonly Place[]> {
  const pending = spans.map(span => {
    const place: Collected = { boxes: [] }
    return { span, place }
  })
  const end = Math.max(...spans.map(span => span.charEnd))
  let path: readonly PlacedBlock[] = []
  for await (const block of reader.readBlocks(documentId, signal)) {
    if (block.charStart >= end) break
    for (const { span, place } of pending)
      if (isOverlapping(block, span)) extend(place, block, span, path)
    if (block.kind === 'heading')
      path = [...path.filter(above => getLevel(above) < getLevel(block)), block]
  }
  return pending.map(({ place: { headings = [], boxes, pages } }) => ({
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
  const above = path
    .filter(heading => !isHeading || getLevel(heading) < getLevel(block))
    .map(heading => heading.text)
  if (place.headings === undefined || (place.isAtHeading && !isHeading)) place.headings = above
  else if (!isHeading) place.headings = selectShared(place.headings, above)
  place.isAtHeading = isHeading && (place.isAtHeading ?? true)
  if (block.page !== undefined) place.pages = [place.pages?.[0] ?? block.page, block.page]
  place.boxes.push(...listBoxes(block).filter(box => isOverlapping(box, span)))
}

function selectShared(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((heading, index) => heading !== b[index])
  return end < 0 ? a : a.slice(0, end)
}

function listBoxes({ page, box, lines, charStart, charEnd }: PlacedBlock): readonly PlacedBox[] {
  if (page === undefined) return []
  if (!lines) return box ? [{ page, charStart, charEnd, box }] : []
  return lines.map(line => ({
    page,
    charStart: charStart + line.start,
    charEnd: charStart + line.end,
    box: line.box,
  }))
}

function getLevel({ level = 1 }: PlacedBlock): number {
  return level
}

function isOverlapping(a: TextSpan, b: TextSpan): boolean {
  return a.charStart < b.charEnd && b.charStart < a.charEnd
}
