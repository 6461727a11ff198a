import type { Chunk } from '../chunk/chunker.ts'

export type EmbeddedChunk = Pick<Chunk, 'context'> & { readonly text: string }

/** What models read of a chunk, embedders and rerankers alike: its context, then its text. */
export function embeddedText({ context, text }: EmbeddedChunk): string {
  return context ? `${context}\n${text}` : text
}
