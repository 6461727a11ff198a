import type { Chunk } from '../../chunk/chunker.ts'

export type ChunkRecord = Omit<Chunk, 'context' | 'headings'> &
  Partial<Pick<Chunk, 'context' | 'headings'>>

export class ChunkRecorder {
  #context: string | undefined
  #headings: string | undefined

  record({ ordinal, charStart, charEnd, context, headings, ...rest }: Chunk): ChunkRecord {
    const path = JSON.stringify(headings)
    const record = {
      ordinal,
      charStart,
      charEnd,
      ...(context !== this.#context && { context }),
      ...(path !== this.#headings && { headings }),
      ...rest,
    }
    this.#context = context
    this.#headings = path
    return record
  }
}

/** Converts consecutive records, which omit what repeats. */
export class ChunkReader {
  #context = ''
  #headings: readonly string[] = []

  chunk({ ordinal, charStart, charEnd, ...rest }: ChunkRecord): Chunk {
    const chunk = {
      ordinal,
      charStart,
      charEnd,
      context: this.#context,
      headings: this.#headings,
      ...rest,
    }
    this.#context = chunk.context
    this.#headings = chunk.headings
    return chunk
  }
}
