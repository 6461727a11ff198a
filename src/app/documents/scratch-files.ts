import path from 'node:path'
import { Readable } from 'node:stream'
import { restoreError } from '../../errors.ts'
import { findSourceKind } from '../../ingest/sources/folders/walk.ts'
import { looksLikeUrl, parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import { type Collection, isUnusedSince } from '../../ingest/store/catalog/collections.ts'
import type { OnlyIf } from '../../ingest/store/catalog/deletions.ts'
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
  readonly documents: readonly Pick<IndexedDocument, 'parentId' | 'error'>[]
}

type UploadedFiles = {
  readonly collection: Collection
  readonly documents: readonly Document[]
  /** Documents whose words are not found yet. */
  readonly pending: readonly Document[]
}

const PREFIX = 'files of a question '

/** Time that files of a question stay indexed, so that follow-up questions are quick. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000

/** Collections of a store, which any reader of it can add to; protects its disk. */
const MAX_COLLECTIONS = 200

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

  /** Returns once words are found. Throws if a path is missing. */
  async open(files: readonly string[], options: ScratchOptions): Promise<ScratchCollection> {
    const paths = files.map(file =>
      looksLikeUrl(file) ? parseWebUrl(file).href : path.resolve(file),
    )
    const collection = await this.#openCollection(await hashSources(paths, options.signal))
    const listDocuments = async () => await this.#deps.store.documents.list(collection.id)
    let isCompared = false
    const indexed = await this.#wordsFirst.run(
      {
        name: collection.name,
        isFound: async () => {
          const documents = await listDocuments()
          const isIndexed = (file: string) => documents.some(({ source }) => source === file)
          return (isCompared || paths.every(isIndexed)) && !documents.some(isPending)
        },
        run: async ({ signal, onEvent }) =>
          await this.#deps.indexDocuments.run(collection, paths, {
            ...options,
            signal,
            onEvent: event => {
              options.onEvent?.(event)
              isCompared ||= event.type !== 'found'
              onEvent(event)
            },
          }),
      },
      options.signal,
    )
    await this.sweep(options.signal)
    return { collection, documents: indexed?.documents ?? (await listDocuments()) }
  }

  async addUploaded(
    fileIds: readonly string[],
    { withoutVectors }: ScratchOptions,
  ): Promise<UploadedFiles> {
    const collection = await this.#openCollection(hashParts('uploaded', ...fileIds.toSorted()))
    const documents = await this.#deps.collections.addFiles(
      collection,
      fileIds.map(fileId => ({ fileId, withoutVectors })),
    )
    return { collection, documents, pending: documents.filter(isPending) }
  }

  /** Returns once words are found. Throws the first read error. */
  async indexUploaded(
    { collection, documents, pending }: UploadedFiles,
    signal?: AbortSignal,
  ): Promise<void> {
    if (pending.length > 0) await this.#index(collection, pending, signal)
    await this.sweep(signal)
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
    const { store, queue } = this.#deps
    const sha256 = hashBytes(bytes)
    const collection = await this.#openCollection(hashParts(name, sha256))
    const existing = await store.documents.list(collection.id)
    if (!existing.some(({ searchable }) => searchable !== undefined)) {
      const newDocument = {
        collectionId: collection.id,
        source: `upload:${sha256.slice(0, 12)}/${name}`,
        name,
        settings: {},
      }
      await store.content.stageStream(
        Readable.from([bytes]),
        async staged => await queue.add(newDocument, staged),
        signal,
      )
      await this.#index(collection, await store.documents.list(collection.id), signal)
    }
    await this.sweep(signal)
    return collection
  }

  /** Notes the use at once, so that no sweep removes what a question reads. */
  async #openCollection(digest: string): Promise<Collection> {
    const { store, collections } = this.#deps
    for (;;) {
      const collection = await collections.findOrCreate(PREFIX + digest, { hidden: true })
      if (await store.collections.touch(collection.id)) return collection
    }
  }

  /** Removes collections unused for a week, and beyond the limit those unused for longest. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { store, removal } = this.#deps
    const own = (await store.collections.listAll())
      .filter(({ name, hidden }) => hidden && name.startsWith(PREFIX))
      .toSorted((a, b) => b.usedAt - a.usedAt)
    const old = own.filter(
      ({ usedAt }, index) => index >= MAX_COLLECTIONS || Date.now() - usedAt > KEEP_MS,
    )
    for (const collection of old) {
      signal?.throwIfAborted()
      const onlyIf: OnlyIf = async inside => await isUnusedSince(inside, collection)
      await removal.removeCollection(collection, { onlyIf })
    }
  }
}

function isPending({ status, searchable }: Document): boolean {
  return status === 'in_progress' && searchable === undefined
}

/** Identifies paths and contents, so that a second question finds their collection. */
async function hashSources(paths: readonly string[], signal?: AbortSignal): Promise<string> {
  const parts: string[] = []
  for (const file of paths.toSorted()) {
    const isFile = !looksLikeUrl(file) && (await findSourceKind(file)) === 'file'
    parts.push(file, isFile ? await hashFile(file, signal) : '')
  }
  return hashParts(...parts)
}
