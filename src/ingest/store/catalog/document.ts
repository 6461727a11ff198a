import type { Failure } from '../../../errors.ts'
import type { Chunking } from '../../chunk/chunker.ts'
import type { Metadata, OcrMode, Warning } from '../../parse/parser.ts'

export type Stage = 'parse' | 'chunk' | 'embed' | 'write'

export type DocumentStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled'

export type Searchable = 'words' | 'all'

/** Facts of the user: at most 16, as on OpenAI's wire. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type Document = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  /** Absolute path, URL, `upload:NAME` or `id:ID`; `#NAME` is added for an attachment. */
  readonly source: string
  /** Id of the caller, unique in the collection. */
  readonly externalId?: string
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string
  readonly parentId?: string
  readonly name: string
  readonly title: string
  /** Address for readers, stated by the caller. */
  readonly url?: string
  readonly status: DocumentStatus
  /** Absent without a published version. */
  readonly searchable?: Searchable
  readonly mediaType: string
  readonly bytes: number
  readonly pages?: number
  readonly chunks: number
  readonly tokens: number
  readonly attributes: Attributes
  /** Facts of the earlier text, while it is searched: readers must meet both. */
  readonly earlierFacts?: Attributes
  readonly metadata: Metadata
  readonly warnings: readonly Warning[]
  readonly error?: Failure
  readonly createdAt: number
  readonly indexedAt?: number
}

/** Requested for one document; a change indexes it again. */
export type DocumentSettings = {
  readonly chunking?: Chunking
  /** Keyword search only. */
  readonly withoutVectors?: boolean
  readonly mediaType?: string
  readonly ocr?: OcrMode
  /** Stated by the caller; wins over the document's own. */
  readonly title?: string
  readonly language?: string
  readonly url?: string
}

/** RFC 9110. */
export type Validators = { readonly etag?: string; readonly lastModified?: string }
