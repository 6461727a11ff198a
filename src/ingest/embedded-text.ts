import type { Chunk } from './chunker.ts'

/** What models read of a chunk, embedders and rerankers alike: its context, then its text. */
export function embeddedText({ context, text }: Pick<Chunk, 'context'> & { readonly text: string }): string {
  return context ? `${context}\n${text}` : text
}
