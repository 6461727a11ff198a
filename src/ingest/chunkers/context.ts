import type { TokenCounter } from '../tokens.ts'
import type { Piece } from './pieces.ts'

type ChunkStart = { readonly title: string; readonly first: Piece; readonly text: string }

/**
 * What a reader of the chunk alone would miss: the document's title, the heading path and, in the middle of a table,
 * its header row; a line each. Parts that do not fit are left out, from the last; an over-long title is cut.
 */
export function contextOf({ title, first, text }: ChunkStart, maxTokens: number, counter: TokenCounter): string {
  const path = first.headings.filter(heading => heading !== title && !text.startsWith(heading)).join(' > ')
  const parts = [title, path, first.tableHeader ?? ''].map(part => part.replace(/\s+/g, ' ').trim())
  let context = ''
  for (const part of parts.filter(part => part !== '')) {
    const longer = context ? `${context}\n${part}` : part
    if (counter.count(longer) <= maxTokens) context = longer
    else if (!context) context = clip(part, maxTokens, counter)
  }
  return context
}

/** The longest beginning that fits, found by halving. */
function clip(text: string, maxTokens: number, counter: TokenCounter): string {
  let fits = 0
  let tooLong = text.length + 1
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (counter.count(text.slice(0, middle)) <= maxTokens) fits = middle
    else tooLong = middle
  }
  return text
    .slice(0, fits)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}
