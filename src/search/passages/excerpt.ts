import type { Hit } from '../searcher.ts'

/** What packing knows of a hit: a piece of a document, and where it stands. */
export type Excerpt = Pick<
  Hit,
  'documentId' | 'source' | 'name' | 'title' | 'pages' | 'headings' | 'context' | 'charStart' | 'charEnd' | 'text'
> & {
  /** What to call its document where others have the same name; the name when absent. */
  readonly label?: string
  /** The day on which its document was last changed, where that is known. */
  readonly date?: string
}

/** Chunks of one document this near stand next to each other: only the separator of blocks is between them. */
export const SEPARATOR = '\n\n'

export function inDocumentOrder(a: Excerpt, b: Excerpt): number {
  return a.charStart - b.charStart || b.charEnd - a.charEnd
}

/** What a part adds to a text of its document that ends at `end`, not far before it. */
export function extensionOf(part: Excerpt, end: number): string {
  const gap = part.charStart - end
  return gap > 0 ? SEPARATOR.slice(0, gap) + part.text : part.text.slice(-gap)
}
