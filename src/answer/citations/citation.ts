import type { PlacedBox } from '../../ingest/block.ts'

/** Whether a passage states a claim: `unknown` is what words, numbers and names do not tell. */
export type Support = 'stated' | 'not-stated' | 'unknown'

/** Words of what a tool answered while an answer was made, tied to its call. Nothing of it is kept that could be read back. */
export type ToolCitation = {
  /** As in the answer's text, numbered together with the citations of documents. */
  readonly marker: number
  readonly tool: string
  /** Empty where whoever ran the tool gave none. */
  readonly callId: string
  /** Of the call, as the model wrote them. */
  readonly arguments: string
  /** Within the tool's answer. */
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  /** Whether these words state the claim that carries the marker. */
  readonly support: Support
}

/** A quotation, tied to its place in a document. A model's answer may quote one source, so one marker, at several places. */
export type Citation = {
  /** As in the answer's text: `3` for `[3]`. */
  readonly marker: number
  readonly documentId: string
  readonly source: string
  /** Base name of the source. */
  readonly doc: string
  /** The headings that it stands under, outermost first. */
  readonly headings: readonly string[]
  /** The page of its first word, in formats that have pages; `pages` has the last one, too. */
  readonly page?: number
  readonly pages?: readonly [number, number]
  /** What to highlight, in formats that have pages: every line that holds some of it. */
  readonly boxes?: readonly PlacedBox[]
  readonly charStart: number
  readonly charEnd: number
  /** The words of the document at this place. */
  readonly text: string
  /** Read back from the stored document and found equal: what is not, is no citation. It says nothing of the claim. */
  readonly quoteVerified: true
  /** The older name of `quoteVerified`. */
  readonly verified: true
  /** Whether that place states the claim that carries the marker. */
  readonly support: Support
}
