import type { Failure } from '../../../errors.ts'
import type { Chunking } from '../../chunk/chunker.ts'
import type { Metadata, OcrMode, Warning } from '../../parse/parser.ts'

/** Stages of indexing a document, in this order. */
export type Stage = 'parse' | 'chunk' | 'embed' | 'write'

export type DocumentStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled'

/** Ways to find a document: by its words only, or by its vectors, too. */
export type Searchable = 'words' | 'all'

/** A user's own facts about a document: at most 16, as on OpenAI's wire. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export type Document = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  /** Absolute path, URL, `upload:NAME` or `id:ID`; for an attachment its document's source and `#NAME`. */
  readonly source: string
  /** Id that the caller gave it, unique in its collection. */
  readonly externalId?: string
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string
  readonly parentId?: string
  readonly name: string
  readonly title: string
  /** Address where people read it, stated by the caller. */
  readonly url?: string
  readonly status: DocumentStatus
  /** Absent without a published version, which may be an older one. */
  readonly searchable?: Searchable
  readonly mediaType: string
  readonly bytes: number
  readonly pages?: number
  readonly chunks: number
  readonly tokens: number
  readonly attributes: Attributes
  /** Metadata of the published version, from the format and the text. */
  readonly metadata: Metadata
  readonly warnings: readonly Warning[]
  readonly error?: Failure
  readonly createdAt: number
  readonly indexedAt?: number
}

/** Settings that a user requested for one document. A change indexes it again. */
export type DocumentSettings = {
  readonly chunking?: Chunking
  /** Keyword search only. */
  readonly withoutVectors?: boolean
  readonly mediaType?: string
  readonly ocr?: OcrMode
  /** Stated by the caller; they win over those that the document states. */
  readonly title?: string
  readonly language?: string
  readonly url?: string
}

/** Validators of a web server (RFC 9110), sent with the next request. */
export type Validators = { readonly etag?: string; readonly lastModified?: string }
