import type { PassageEmbedder } from '../embed/embedder.ts'
import type { Stage } from '../store/catalog/document.ts'
import type { Stages, VersionReport } from '../store/catalog/versions.ts'
import type { IndexRow } from '../store/chunk-index.ts'
import type { StoredAttachment } from '../store/contents/parsed-writer.ts'

/** How far one document is. */
export type Progress = {
  readonly documentId: string
  readonly source: string
  readonly stage: Stage
  /** Pages, chunks or rows done, and of how many where that is known. */
  readonly done: number
  readonly total?: number
}

export type PrepareOptions = {
  readonly password?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The model of its vectors; absent where only keywords are indexed. */
  readonly model?: DocumentModel | undefined
  /** Vectors that are stored are taken, but nothing is embedded: for that the document waits in the queue. */
  readonly wordsSuffice?: boolean
}

/** A model by its id, opened when something is to be embedded, for its server may not answer. */
export type DocumentModel = { readonly id: string; readonly open: () => Promise<PassageEmbedder> }

/** A document ready to be written: everything but its version number. */
export type Prepared = {
  /** What its rows are made of. */
  readonly stages: Stages
  /** What they are to be made of in the end. */
  readonly goal: Stages
  readonly report: VersionReport
  readonly attachments: readonly PreparedAttachment[]
  rows(): AsyncIterable<Omit<IndexRow, 'version'>>
}

/** Its rows are all that is wanted of it. */
export function isWhole({
  stages,
  goal,
}: Pick<Prepared, 'goal'> & { readonly stages: Pick<Stages, 'embedderId'> }) {
  return stages.embedderId === goal.embedderId
}

/** Something attached, to be indexed as a document of its own. */
export type PreparedAttachment = StoredAttachment & { readonly path: string }
