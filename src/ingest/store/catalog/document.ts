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

/** One file in one collection. */
export type Document = {
  readonly id: string
  readonly collectionId: string
  readonly fileId: string
  /** Absolute path, URL, or `upload:NAME`. Of an attachment: the document's source and `#NAME`. */
  readonly source: string
  /** Id of the document that it is attached to. */
  readonly parentId?: string
  /** Base name of the source. */
  readonly name: string
  readonly title: string
  readonly status: DocumentStatus
  /** Absent without a published version. That may be an older one while a newer one is being indexed. */
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
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly indexedAt?: number
}

/** Settings that a user requested for one document. A change means indexing it again. */
export type DocumentSettings = {
  readonly chunking?: Chunking
  /** Keyword search only. */
  readonly withoutVectors?: boolean
  /** Stated by the source instead of detected from the bytes. */
  readonly mediaType?: string
  /** Which pages to read by OCR, if other than the configuration says. */
  readonly ocr?: OcrMode
}

/** Validators of a web server (RFC 9110), sent with the next request so that it can answer "not modified". */
export type Validators = { readonly etag?: string; readonly lastModified?: string }
