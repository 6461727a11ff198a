import type { Failure } from '../../errors.ts'
import type { PlacedBlock } from '../block.ts'
import type { Metadata, Warning } from '../parser.ts'
import type { Table } from '../tables/table.ts'

/** What a document goes through until it is `completed`, in this order. */
export type Stage = 'parse' | 'chunk' | 'embed' | 'write'

export type DocumentStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled'

/** How readers find a document: by its words alone, or by its meaning too. */
export type Searchable = 'words' | 'all'

/** A user's own facts about a document: at most 16, as on OpenAI's wire. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** One file in one collection. */
export type Document = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  /** Absolute path, URL, or `upload:NAME`; of what is attached to a document, the document's and `#NAME`. */
  readonly source: string
  /** The document that it is attached to. */
  readonly parentId?: string
  /** Base name of the source. */
  readonly name: string
  readonly title: string
  readonly status: DocumentStatus
  /** Of the published version, which may be an older one while a newer one is being indexed; absent where there is none. */
  readonly searchable?: Searchable
  readonly mediaType: string
  readonly bytes: number
  readonly pages?: number
  readonly chunks: number
  readonly tokens: number
  readonly attributes: Attributes
  /** What the format and the text say of the published version. */
  readonly metadata: Metadata
  readonly warnings: readonly Warning[]
  readonly error?: Failure
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly indexedAt?: number
}

/** Reads what was parsed of the published version of a document. */
export interface DocumentReader {
  find(documentId: string): Promise<Document | undefined>
  /** `[charStart, charEnd)` of the parsed text; clipped to its length. */
  read(documentId: string, charStart: number, charEnd: number): Promise<string>
  /** The blocks in order, streamed; stop early by leaving the loop. */
  blocks(documentId: string, signal?: AbortSignal): AsyncIterable<PlacedBlock>
  /** The tables in order, their columns typed; of more than 100,000 cells the first ones. */
  tables(documentId: string, signal?: AbortSignal): Promise<readonly Table[]>
}
