import { existsSync } from 'node:fs'
import path from 'node:path'
import { toFailure } from '../errors.ts'
import { type Change, Changes, type ChangesParts, type CompareOptions, skipped } from './change.ts'
import type { Collection } from './collections.ts'
import type { ContentStore } from './content.ts'
import { digestFile } from './digest.ts'
import type { WantedDocument } from './documents.ts'
import { type Found, kindOf, walk } from './source.ts'
import type { Versions } from './versions.ts'

export type SyncParts = ChangesParts & {
  readonly content: ContentStore
  readonly versions: Versions
  readonly isSupported: (path: string) => Promise<boolean>
}

/** Compares files and folders with the documents of a collection, by content, and queues what differs. */
export class Sync {
  readonly #parts: SyncParts
  readonly #changes: Changes

  constructor(parts: SyncParts) {
    this.#parts = parts
    this.#changes = new Changes(parts)
  }

  /** The difference under one PATH, queued as it is found unless this is a dry run. */
  async *compare(collection: Collection, root: string, options: CompareOptions): AsyncGenerator<Change> {
    const kind = await kindOf(root).catch(toFailure)
    if (typeof kind !== 'string') {
      yield* this.#changes.missing(collection, root, kind, options)
      return
    }
    const found: Found[] = []
    if (kind === 'file') found.push({ path: root })
    else for await (const file of walk(root, options)) found.push(file)
    if (found.length === 0) {
      yield* this.#changes.missing(collection, root, undefined, options)
      return
    }
    const gone = this.#gone(collection, root, found, options)
    for (const file of found) yield await this.#one(collection, file, { gone, isNamed: kind === 'file' }, options)
    if (options.keep) return
    for (const document of gone.values()) yield await this.#changes.remove(document, options)
  }

  /** Documents whose file is not there any more, or ignored by now. A filter of this run alone makes nothing gone. */
  #gone(collection: Collection, root: string, found: readonly Found[], { include, exclude }: CompareOptions) {
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

  async #one(collection: Collection, file: Found, context: Context, options: CompareOptions): Promise<Change> {
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

  async #compareFile(
    collection: Collection,
    source: string,
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const sha256 = await digestFile(source, options.signal)
    const known = this.#parts.documents.bySource(collection.id, source)
    if (known && known.sha256 === sha256 && !options.force) {
      const change = await this.#changes.same(collection, known, options.settings)
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

  /** Only the name changes; rows hold the name too, so they are written again from what is stored. */
  #move(document: WantedDocument, source: string, context: Context, options: CompareOptions): Change {
    context.gone.delete(document.id)
    if (!options.dryRun) this.#parts.documents.move(document, source, path.basename(source))
    return { source, documentId: document.id, kind: 'moved' }
  }
}

type Context = { readonly gone: Map<string, WantedDocument>; readonly isNamed: boolean }
