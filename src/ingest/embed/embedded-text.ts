import type { Chunk } from '../chunk/chunker.ts'

export type EmbeddedChunk = Pick<Chunk, 'context'> & { readonly text: string }

export function toEmbeddedText({ context, text }: EmbeddedChunk): string {
  return context ? `${context}\n${text}` : text
}
