import type { Readable } from 'node:stream'
import type { Failure } from '../../errors.ts'
import type { RemovalOptions } from '../store/catalog/deletions.ts'
import type { Validators } from '../store/catalog/document.ts'
import type { Move } from '../store/catalog/moved-documents.ts'

export type SourceItem = {
  /** Unique in the source, with slashes. */
  readonly path: string
  /** Changes whenever the bytes do. Absent if the source has none: the item is fetched each time. */
  readonly version?: string | undefined
  readonly bytes?: number
  readonly isNamed?: boolean
}

/** Documents at and below it stay. */
type UnlistedPart =
  | { readonly path: string; readonly error: Failure }
  | { readonly path: string; readonly skipped: Failure }

export type Listed = SourceItem | UnlistedPart

/** Returns the media type that a server declares, if the name does not tell it. */
type Inspect = (file: string) => Promise<string | undefined>

export type Fetched =
  /** The caller reads or destroys the bytes. */
  | {
      readonly kind: 'stream'
      readonly bytes: Readable
      /** Default: the last part of its path. */
      readonly name?: string
      readonly path?: string
      /** Default: the version. */
      readonly validators?: Validators
      readonly inspect?: Inspect
    }
  | LocalFile
  | { readonly kind: 'unchanged'; readonly inspect?: Inspect }
  /** Without a message, another item of the list replaces it. */
  | { readonly kind: 'gone'; readonly message?: string }
  /** It leads out of the source, and its document stays. */
  | { readonly kind: 'elsewhere' }

export type LocalFile = {
  readonly kind: 'file'
  readonly file: string
  readonly name: string
  readonly sha256: string
  readonly size: number
  readonly bytes: Buffer | undefined
  close(): Promise<void>
}

export type FetchOptions = {
  readonly validators?: Validators | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Source {
  /** Its list continues in what was fetched, and only `fetch` says what is gone. */
  readonly isCrawled?: boolean
  /** Throws if the list is incomplete: what it lacks is removed. `not_found`: the source is missing. */
  list(
    signal?: AbortSignal,
    listStored?: (folder: string) => Promise<readonly string[]>,
  ): AsyncIterable<Listed>
  fetch(item: SourceItem, options: FetchOptions): Promise<Fetched>
  /** Returns whether an item exists that filters leave out. */
  has?(path: string): boolean
  /** Returns whether an empty list would be so without filters. Default: true. */
  isEmpty?(signal?: AbortSignal): Promise<boolean>
  /** Yields if something may have changed. Ends at once if only the schedule can tell. */
  watch?(signal: AbortSignal): AsyncIterable<void>
  close?(): Promise<void>
}

export type SourceRoot = {
  /** Source of a failure about all documents, and the folder of theirs. */
  readonly root: string
  readonly source: Source
  /** Name in the settings, under which skipped items are remembered. */
  readonly name?: string
  readonly toSource?: (path: string) => string
  readonly retention?: RemovalOptions
  readonly move?: Move | undefined
}
