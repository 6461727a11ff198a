import type { Turns } from '../../system/turns.ts'
import type { PlacedBlock } from '../block.ts'

/** The indexed unit: consecutive blocks within a token limit. */
export type Chunk = {
  readonly ordinal: number
  /** `[charStart, charEnd)` of the parsed text, in UTF-16 units. */
  readonly charStart: number
  readonly charEnd: number
  /**
   * Title, heading path and repeated table header: indexed, embedded and shown to models, never
   * cited.
   */
  readonly context: string
  readonly headings: readonly string[]
  /** First and last page, in formats with pages. */
  readonly pages?: readonly [number, number]
  readonly tokens: number
  /** Whether it only lists what is found elsewhere. */
  readonly isListing?: true
}

export type ChunkerInput = {
  readonly title: string
  readonly blocks: AsyncIterable<PlacedBlock>
  /** Yields the thread, and enforces the signal and the time budget. Default: turns without limits. */
  readonly turns?: Turns
}

export interface Chunker {
  /** Algorithm, settings and vocabulary, as `block@1:400:60:…`; changes when a chunk would. */
  readonly id: string
  chunks(input: ChunkerInput): AsyncIterable<Chunk & { readonly text: string }>
}

/** Tokens per chunk, and the share of a chunk that is repeated in the next (0 to .5). */
export type Chunking = { readonly tokens: number; readonly overlap: number }
