import type { TimeSlices } from '../../system/time-slices.ts'
import type { PlacedBlock } from '../block.ts'

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
  /** First and last. */
  readonly pages?: readonly [number, number]
  readonly tokens: number
  /** Targets of its links: indexed, but neither shown nor embedded. */
  readonly links?: readonly string[]
  /** Whether it only lists what other places contain. */
  readonly isListing?: true
}

export type ChunkerInput = {
  readonly title: string
  readonly blocks: AsyncIterable<PlacedBlock>
  /** Default: slices without limits. */
  readonly slices?: TimeSlices
}

export interface Chunker {
  /** Changes when a chunk would, as `block@1:400:60:…`. */
  readonly id: string
  chunks(input: ChunkerInput): AsyncIterable<Chunk & { readonly text: string }>
}

/** `overlap` is the share that the next chunk repeats (0 to .5). */
export type Chunking = { readonly tokens: number; readonly overlap: number }
