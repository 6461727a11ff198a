import type { Turns } from '../../system/turns.ts'
import type { PlacedBlock } from '../block.ts'

/** What is indexed: consecutive blocks within a token limit. */
export type Chunk = {
  /** 0-based position in the document. */
  readonly ordinal: number
  /** `[charStart, charEnd)` of the parsed text, in UTF-16 units. */
  readonly charStart: number
  readonly charEnd: number
  /** Title, heading path and a repeated table header: indexed, embedded and shown to models, never part of a citation. */
  readonly context: string
  /** Heading path, outermost first. */
  readonly headings: readonly string[]
  /** First and last page, in formats that have pages. */
  readonly pages?: readonly [number, number]
  /** Of the text, without context. */
  readonly tokens: number
  /** It only lists what stands elsewhere. */
  readonly isListing?: true
}

export type ChunkerInput = {
  readonly title: string
  readonly blocks: AsyncIterable<PlacedBlock>
  /** By which it lets others have the thread, is stopped, and keeps to a budget; of its own by default. */
  readonly turns?: Turns
}

/** Cuts a document into chunks. Deterministic: same blocks, same chunks. */
export interface Chunker {
  /** Algorithm, settings and vocabulary, as `block@1:400:60:…`; changes when a chunk would. */
  readonly id: string
  chunks(input: ChunkerInput): AsyncIterable<Chunk & { readonly text: string }>
}

/** How documents are cut: tokens per chunk and the share of a chunk repeated in the next, 0 to .5. */
export type Chunking = { readonly tokens: number; readonly overlap: number }
