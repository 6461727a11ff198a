import type { PlacedBox } from '../../ingest/block.ts'

/** `unknown` if neither statement nor contradiction is found. */
export type Support = 'stated' | 'not-stated' | 'unknown'

/** Words of a tool result; not stored for later reading. */
export type ToolCitation = {
  readonly marker: number
  readonly tool: string
  /** Empty if the caller gave none. */
  readonly callId: string
  /** Unchanged from the model. */
  readonly arguments: string
  /** Offset in the result. */
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  readonly support: Support
}

/** Verified quotation. Several citations may share a marker. */
export type Citation = {
  /** `3` for `[3]`. */
  readonly marker: number
  readonly documentId: string
  readonly source: string
  readonly doc: string
  readonly headings: readonly string[]
  /** Page of the first word; `pages` contains the last one. */
  readonly page?: number
  readonly pages?: readonly [number, number]
  /** Stated by the document if it differs from `page`. */
  readonly pageLabel?: string
  readonly boxes?: readonly PlacedBox[]
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  /** Equal to the stored text; independent of the claim. */
  readonly quoteVerified: true
  /** Older name of `quoteVerified`. */
  readonly verified: true
  readonly support: Support
}
