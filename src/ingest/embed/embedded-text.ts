import type { Chunk } from '../chunk/chunker.ts'

export type EmbeddedChunk = Pick<Chunk, 'context'> & { readonly text: string }

/** Returns the text of a chunk for embedders and rerankers: its context, then its text. */
export function toEmbeddedText({ context, text }: EmbeddedChunk): string {
  return context ? `${context}\n${text}` : text
}
