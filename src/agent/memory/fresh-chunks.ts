import type { DocumentChunk } from './knowledge-base.ts'

/** A chunk that says only what those before it have not said. */
export type FreshChunk = DocumentChunk & {
  /** There is text between it and the one before. */
  readonly hasGap: boolean
}

/** Chunks overlap: each as far as it goes on from the ones before it, its tokens in proportion. */
export async function* freshChunks(
  chunks: AsyncIterable<DocumentChunk>,
): AsyncGenerator<FreshChunk> {
  let reach: number | undefined
  for await (const chunk of chunks) {
    const skipped = Math.min(chunk.text.length, Math.max(0, (reach ?? 0) - chunk.charStart))
    const text = chunk.text.slice(skipped)
    const tokens =
      skipped === 0
        ? chunk.tokens
        : Math.ceil(chunk.tokens * (inkOf(text) / Math.max(1, inkOf(chunk.text))))
    const hasGap = reach !== undefined && chunk.charStart > reach
    reach = Math.max(reach ?? 0, chunk.charEnd)
    yield { ...chunk, text, tokens, charStart: chunk.charStart + skipped, hasGap }
  }
}

/** White space is hardly a token. */
function inkOf(text: string): number {
  return text.replace(/\s+/g, '').length
}
