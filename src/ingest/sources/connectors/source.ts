import type { Readable } from 'node:stream'
import type { Failure } from '../../../errors.ts'

export type SourceItem = {
  /** Relative to the source, with slashes; unique in it. */
  readonly path: string
  /** Changes whenever the bytes do. Empty if the source has none: the item is fetched each time. */
  readonly version: string
  readonly bytes?: number
}

/** A part that cannot be listed; documents at or below its path stay. */
export type UnlistedPart = { readonly path: string; readonly error: Failure }

/** A place of documents that is compared with a collection. */
export interface Source {
  /** Throws if the list is incomplete: what it lacks is removed. */
  list(signal?: AbortSignal): AsyncIterable<SourceItem | UnlistedPart>
  /** The caller reads or destroys the bytes. */
  fetch(item: SourceItem, signal?: AbortSignal): Promise<Readable>
  close?(): Promise<void>
}
