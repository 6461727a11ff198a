import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Failure, toFailure } from '../errors.ts'
import type { Collection } from './collections.ts'
import type { ContentStore } from './content.ts'
import { digestFile } from './digest.ts'
import type { DocumentSettings, Documents, WantedDocument } from './documents.ts'
import type { Queue } from './queue.ts'
import type { Removal } from './removal.ts'
import { type Found, kindOf, type WalkOptions, walk } from './source.ts'
import type { Versions } from './versions.ts'

/** What a run finds out about one source before anything is indexed. */
export type Change = {
  readonly source: string
  readonly documentId?: string
  readonly kind: 'new' | 'changed' | 'unchanged' | 'waiting' | 'moved' | 'removed' | 'failed' | 'skipped'
  readonly error?: Failure
}

export type SyncOptions = WalkOptions & {
  readonly settings: DocumentSettings
  /** Index again what is unchanged. */
  readonly force?: boolean | undefined
  /** Leave documents whose source is gone. */
  readonly keep?: boolean | undefined
  /** Remove documents of a PATH that is missing or empty. */
  readonly prune?: boolean | undefined
  /** Only say what would change. */
  readonly dryRun?: boolean | undefined
}

export type SyncParts = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly queue: Queue
  readonly removal: Removal
  readonly failureKey: (sha256: string) => string
  readonly isSupported: (path: string) => Promise<boolean>
}

/** Compares sources with the documents of a collection, by content, and queues what differs. */
export class Sync {
  readonly #parts: SyncParts

  constructor(parts: SyncParts) {
    this.#parts = parts
  }

  /** The difference under one PATH, queued as it is found unless this is a dry run. */
  async *compare(collection: Collection, root: string, options: SyncOptions): AsyncGenerator<Change> {
    const kind = await kindOf(root).catch(toFailure)
    if (typeof kind !== 'string') {
      yield* this.#missing(collection, root, kind, options)
      return
    }
    const found: Found[] = []
    if (kind === 'file') found.push({ path: root })
    else for await (const file of walk(root, options)) found.push(file)
    if (found.length === 0) {
      yield* this.#missing(collection, root, undefined, options)
      return
    }
    const gone = this.#gone(collection, root, found, options)
    for (const file of found) yield await this.#one(collection, file, { gone, isNamed: kind === 'file' }, options)
    if (options.keep) return
    for (const document of gone.values()) yield await this.#remove(document, options)
  }

  /** A PATH that is missing, or empty where it held documents, removes nothing unless told to. */
  async *#missing(
    collection: Collection,
    root: string,
    failure: Failure | undefined,
    options: SyncOptions,
  ): AsyncGenerator<Change> {
    const documents = this.#parts.documents.under(collection.id, root)
    if (options.prune) {
      for (const document of documents) yield await this.#remove(document, options)
      if (documents.length > 0) return
    }
    if (!failure && documents.length === 0) return
    const { code, message } = failure ?? {
      code: 'not_found' as const,
      message: `There are no files in ${root} any more.`,
    }
    const held = `It held ${documents.length} documents, which stay: --prune removes them.`
    yield {
      source: root,
      kind: 'failed',
      error: { code, message: documents.length > 0 ? `${message} ${held}` : message },
    }
  }

  /** Documents whose file is not there any more, or ignored by now. A filter of this run alone makes nothing gone. */
  #gone(collection: Collection, root: string, found: readonly Found[], { include, exclude }: SyncOptions) {
    const isFiltered = Boolean(include?.length || exclude?.length)
    const present = new Set(found.map(file => file.path))
    const unreadable = found.filter(file => file.error).map(file => file.path + path.sep)
    const gone = new Map<string, WantedDocument>()
    for (const document of this.#parts.documents.under(collection.id, root)) {
      if (present.has(document.source) || unreadable.some(folder => document.source.startsWith(folder))) continue
      if (!isFiltered || !existsSync(document.source)) gone.set(document.id, document)
    }
    return gone
  }

  async #one(collection: Collection, file: Found, context: Context, options: SyncOptions): Promise<Change> {
    if (file.error) return { source: file.path, kind: 'failed', error: file.error }
    try {
      return await this.#compareFile(collection, file.path, context, options)
    } catch (error) {
      options.signal?.throwIfAborted()
      const failure = toFailure(error)
      if (failure.code === 'disk_full') throw error
      return { source: file.path, kind: 'failed', error: failure }
    }
  }

  async #compareFile(collection: Collection, source: string, context: Context, options: SyncOptions): Promise<Change> {
    const sha256 = await digestFile(source, options.signal)
    const known = this.#parts.documents.bySource(collection.id, source)
    if (known && known.sha256 === sha256 && !options.force) {
      const change = await this.#same(collection, known, options)
      if (change) return change
    }
    if (!known) {
      const moved = [...context.gone.values()].find(document => document.sha256 === sha256)
      if (moved) return this.#move(moved, source, context, options)
      if (!context.isNamed && !(await this.#parts.isSupported(source))) return skipped(source)
    }
    const kind = known && this.#parts.versions.published(known.id) ? 'changed' : 'new'
    if (options.dryRun) return { source, kind, ...(known && { documentId: known.id }) }
    const wanted = { collectionId: collection.id, source, name: path.basename(source), settings: options.settings }
    const { content, queue } = this.#parts
    const documentId = await content.stageFile(source, staged => queue.want(wanted, staged), options.signal)
    return { source, kind, documentId }
  }

  /** Same bytes under the same source: undefined when the settings ask for another outcome. */
  async #same(collection: Collection, known: WantedDocument, options: SyncOptions): Promise<Change | undefined> {
    const { id: documentId, source } = known
    if (known.status === 'failed' && known.failedStages === this.#parts.failureKey(known.sha256)) {
      return { source, documentId, kind: 'failed', ...(known.error && { error: known.error }) }
    }
    if (known.status === 'in_progress' && JSON.stringify(known.settings) === JSON.stringify(options.settings)) {
      return { source, documentId, kind: 'waiting' }
    }
    const isCurrent = await this.#parts.queue.isCurrent(collection, known, options.settings)
    return isCurrent ? { source, documentId, kind: 'unchanged' } : undefined
  }

  /** Only the name changes; rows hold the name too, so they are written again from what is stored. */
  #move(document: WantedDocument, source: string, context: Context, options: SyncOptions): Change {
    context.gone.delete(document.id)
    if (!options.dryRun) this.#parts.documents.move(document, source, path.basename(source))
    return { source, documentId: document.id, kind: 'moved' }
  }

  async #remove(document: WantedDocument, options: SyncOptions): Promise<Change> {
    if (!options.dryRun) await this.#parts.removal.document(document.id)
    return { source: document.source, documentId: document.id, kind: 'removed' }
  }
}

type Context = { readonly gone: Map<string, WantedDocument>; readonly isNamed: boolean }

function skipped(source: string): Change {
  const message = `${source} is of no format that can be read.`
  return { source, kind: 'skipped', error: { code: 'unsupported_format', message } }
}
