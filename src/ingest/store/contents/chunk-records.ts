import type { Chunk } from '../../chunk/chunker.ts'

/** A chunk as it is stored: what it has of its section is there where it is not that of the chunk before. */
export type ChunkRecord = Omit<Chunk, 'context' | 'headings'> &
  Partial<Pick<Chunk, 'context' | 'headings'>>

/** The records of chunks that come one after another, from the first on. */
export class ChunkRecorder {
  #context: string | undefined
  #headings: string | undefined

  record({ ordinal, charStart, charEnd, context, headings, ...rest }: Chunk): ChunkRecord {
    const path = JSON.stringify(headings)
    const record = {
      ...{ ordinal, charStart, charEnd },
      ...(context !== this.#context && { context }),
      ...(path !== this.#headings && { headings }),
      ...rest,
    }
    this.#context = context
    this.#headings = path
    return record
  }
}

/** The chunks of records from the first on. In older stores every record is whole. */
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
