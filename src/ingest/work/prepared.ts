import type { PassageEmbedder } from '../embed/embedder.ts'
import type { Stage } from '../store/catalog/document.ts'
import type { Stages, VersionReport } from '../store/catalog/versions.ts'
import type { IndexRow } from '../store/chunk-index.ts'
import type { StoredAttachment } from '../store/contents/parsed-writer.ts'

export type Progress = {
  readonly documentId: string
  readonly source: string
  readonly stage: Stage
  /** Pages, chunks or rows. */
  readonly done: number
  readonly total?: number
}

export type PrepareOptions = {
  readonly password?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Absent if only keywords are indexed. */
  readonly model?: DocumentModel | undefined
  /** Embed only if that is quick: the document waits for the rest. */
  readonly wordsSuffice?: boolean
}

/** Opened only when needed, because its server may not answer. */
export type DocumentModel = { readonly id: string; readonly open: () => Promise<PassageEmbedder> }

export type Prepared = {
  readonly stages: Stages
  readonly goal: Stages
  readonly report: VersionReport
  readonly attachments: readonly PreparedAttachment[]
  readRows(): AsyncIterable<Omit<IndexRow, 'version'>>
}

/** Returns whether the document may leave the queue. */
export function isComplete({
  stages,
  goal,
}: Pick<Prepared, 'goal'> & { readonly stages: Pick<Stages, 'embedderId'> }) {
  return stages.embedderId === goal.embedderId
}

export type PreparedAttachment = StoredAttachment & { readonly path: string }
