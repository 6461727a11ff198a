import type { DocumentChunk } from './knowledge-base.ts'

export type FreshChunk = DocumentChunk & {
  readonly hasGap: boolean
}

export async function* removeOverlaps(
  chunks: AsyncIterable<DocumentChunk>,
): AsyncGenerator<FreshChunk> {
  let lastEnd: number | undefined
  for await (const chunk of chunks) {
    const skipped = Math.min(chunk.text.length, Math.max(0, (lastEnd ?? 0) - chunk.charStart))
    const text = chunk.text.slice(skipped)
    const tokens =
      skipped === 0
        ? chunk.tokens
        : Math.ceil(chunk.tokens * (countInk(text) / Math.max(1, countInk(chunk.text))))
    const hasGap = lastEnd !== undefined && chunk.charStart > lastEnd
    lastEnd = Math.max(lastEnd ?? 0, chunk.charEnd)
    yield { ...chunk, text, tokens, charStart: chunk.charStart + skipped, hasGap }
  }
}

function countInk(text: string): number {
  return text.replace(/\s+/g, '').length
}
