import type { Collection } from './collections.ts'

/** Stands for an embedder where only keywords are indexed. */
export const NO_EMBEDDER = 'none'

/** Gives the embedder of a collection, undefined for `none`. Throws `store_mismatch` for a model that is not known here. */
export type EmbedderOf = (collection: Pick<Collection, 'name' | 'embedderId'>) => Promise<Embedder | undefined>

/** What a text is to the model: e5 and its kin embed questions and passages differently. */
export type EmbeddingRole = 'query' | 'passage'

/** Turns text into unit vectors (L2 norm 1), so that a dot product is the cosine. */
export interface Embedder {
  /** Model and settings, as `multilingual-e5-small-enzh@1`; changes when a vector would. */
  readonly id: string
  readonly dimensions: number
  /** Longest passage the model reads whole, in its own tokens, special tokens and role prefix not counted. */
  readonly maxTokens: number
  /** One vector a text, in order. A query goes before any passage that waits. Throws `model_unavailable`. */
  embed(texts: readonly string[], role: EmbeddingRole, signal?: AbortSignal): Promise<readonly Float32Array[]>
  close(): Promise<void>
}
