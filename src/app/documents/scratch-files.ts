import path from 'node:path'
import { Readable } from 'node:stream'
import { restoreError } from '../../errors.ts'
import { findSourceKind } from '../../ingest/sources/folders/source.ts'
import { looksLikeUrl, parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Queue } from '../../ingest/work/queue.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { DataFile } from '../../system/data-uri.ts'
import { hashBytes, hashFile, hashParts } from '../../system/digest.ts'
import type { IndexedDocument } from '../../wire/indexing.ts'
import type { IndexDocuments, IndexOptions } from '../indexing/index-documents.ts'
import type { Store } from '../stores/store.ts'
import type { CollectionAdmin } from './collection-admin.ts'
import { WordsFirst } from './words-first.ts'

type ScratchFilesDeps = {
  readonly store: Store
  readonly indexDocuments: IndexDocuments
  readonly removal: Removal
  readonly queue: Queue
  readonly ingest: Pick<Ingest, 'drain'>
  readonly onError: (message: string, error: unknown) => void
  readonly collections: Pick<CollectionAdmin, 'findOrCreate' | 'addFiles'>
}

type ScratchOptions = Pick<IndexOptions, 'signal' | 'onEvent' | 'withoutVectors'>

type ScratchCollection = {
  readonly collection: Collection
  readonly documents: readonly IndexedDocument[]
}

export type UploadedFiles = {
  readonly collection: Collection
  readonly documents: readonly Document[]
  /** Documents whose words are not found yet. */
  readonly pending: readonly Document[]
}

const PREFIX = 'files of a question '

/** Time that files of a question stay indexed, so that follow-up questions are quick. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Indexes files of questions in hidden collections for a week. */
export class ScratchFiles {
  readonly #deps: ScratchFilesDeps
  readonly #wordsFirst: WordsFirst

  constructor(deps: ScratchFilesDeps) {
    this.#deps = deps
    this.#wordsFirst = new WordsFirst(deps.ingest, deps.onError)
  }

  get isBusy(): boolean {
    return this.#wordsFirst.isBusy
  }

  async close(): Promise<void> {
    await this.#wordsFirst.close()
  }

  /** Throws if a path is missing. */
  async open(files: readonly string[], options: ScratchOptions): Promise<ScratchCollection> {
    const paths = files.map(file =>
      looksLikeUrl(file) ? parseWebUrl(file).href : path.resolve(file),
    )
    const collection = await this.#deps.collections.findOrCreate(
      await buildScratchName(paths, options.signal),
      { hidden: true },
    )
    const { documents } = await this.#deps.indexDocuments.run(collection, paths, options)
    await this.#deps.store.collections.touch(collection.id)
    await this.#forgetOld()
    return { collection, documents }
  }

  /** Adds uploaded files, and returns those that are still to be indexed. */
  async addUploaded(
    fileIds: readonly string[],
    { withoutVectors }: ScratchOptions,
  ): Promise<UploadedFiles> {
    const { store, collections } = this.#deps
    const collection = await collections.findOrCreate(
      PREFIX + hashParts('uploaded', ...fileIds.toSorted()),
      { hidden: true },
    )
    const documents = await collections.addFiles(
      collection,
      fileIds.map(fileId => ({ fileId, withoutVectors })),
    )
    await store.collections.touch(collection.id)
    return { collection, documents, pending: documents.filter(isPending) }
  }

  /** Returns once words are found. Throws the first read error. */
  async indexUploaded(
    { collection, documents, pending }: UploadedFiles,
    signal?: AbortSignal,
  ): Promise<void> {
    if (pending.length > 0) await this.#index(collection, pending, signal)
    await this.#forgetOld()
    for (const { id } of documents) {
      const failure = (await this.#deps.store.documents.find(id))?.error
      if (failure) throw restoreError(failure)
    }
  }

  async #index(
    collection: Collection,
    documents: readonly Document[],
    signal?: AbortSignal,
  ): Promise<void> {
    const ids = documents.map(({ id }) => id)
    await this.#wordsFirst.index(collection, ids, signal)
  }

  async openBytes({ name, bytes }: DataFile, signal?: AbortSignal): Promise<Collection> {
    const { store, queue, collections } = this.#deps
    const sha256 = hashBytes(bytes)
    const collection = await collections.findOrCreate(PREFIX + hashParts(name, sha256), {
      hidden: true,
    })
    await store.collections.touch(collection.id)
    const existing = await store.documents.list(collection.id)
    if (!existing.some(({ searchable }) => searchable !== undefined)) {
      const wanted = {
        collectionId: collection.id,
        source: `upload:${sha256.slice(0, 12)}/${name}`,
        name,
        settings: {},
      }
      await store.content.stageStream(
        Readable.from([bytes]),
        async staged => await queue.add(wanted, staged),
        signal,
      )
      await this.#index(collection, await store.documents.list(collection.id), signal)
    }
    await this.#forgetOld()
    return collection
  }

  async #forgetOld(): Promise<void> {
    const { store, removal } = this.#deps
    const old = (await store.collections.listAll()).filter(({ name, hidden, usedAt }) => {
      return hidden && name.startsWith(PREFIX) && Date.now() - usedAt > KEEP_MS
    })
    for (const collection of old) await removal.removeCollection(collection)
  }
}

function isPending({ status, searchable }: Document): boolean {
  return status === 'in_progress' && searchable === undefined
}

/** Names the collection by paths and contents, so that a second question finds it. */
async function buildScratchName(paths: readonly string[], signal?: AbortSignal): Promise<string> {
  const parts: string[] = []
  for (const file of paths.toSorted()) {
    const isFile = !looksLikeUrl(file) && (await findSourceKind(file)) === 'file'
    parts.push(file, isFile ? await hashFile(file, signal) : '')
  }
  return PREFIX + hashParts(...parts)
}
