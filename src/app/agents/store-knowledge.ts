import type {
  DocumentChunk,
  FileFailure,
  KnowledgeBase,
  KnowledgeQuery,
  ResolvedFiles,
} from '../../agent/memory/knowledge-base.ts'
import type { NamedSource } from '../../agent/messages/source-labels.ts'
import { AppError, restoreError, toFailure, toStoreMessage } from '../../errors.ts'
import { looksLikeUrl, parseWebUrl, redactUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Library } from '../../ingest/store/library.ts'
import type { Hit } from '../../search/searcher.ts'
import { getDataUriName, isDataUri, parseDataUri } from '../../system/data-uri.ts'
import { findLabels, type Scope } from '../documents/scope.ts'
import type { ScratchFiles } from '../documents/scratch-files.ts'
import type { FileRoots } from '../file-roots.ts'
import type { Searching } from '../searching/searching.ts'
import type { Store } from '../stores/store.ts'

export type KnowledgeDeps = {
  readonly store: Store
  readonly scope: Scope
  readonly library: Library
  readonly searching: Searching
  readonly scratch: ScratchFiles
  readonly roots: FileRoots
  /** Allows fetching URLs by the rules of indexing. */
  readonly fetchesUrls: boolean
  readonly maxDataBytes: number
  /** Names or ids; by default the default collection. */
  readonly collections?: readonly string[] | undefined
}

export class StoreKnowledge implements KnowledgeBase {
  readonly #deps: KnowledgeDeps

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps
  }

  async resolve(
    references: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<ResolvedFiles> {
    if (!references) return { documents: await this.#listAll(), failures: [] }
    const documents = new Map<string, Document>()
    const failures: FileFailure[] = []
    for (const file of new Set(references)) {
      try {
        for (const document of await this.#find(file, signal)) documents.set(document.id, document)
      } catch (error) {
        signal?.throwIfAborted()
        const failure = toFailure(error)
        const message = toStoreMessage(failure) ?? failure.message
        failures.push({
          file: isDataUri(file) ? getDataUriName(file) : file,
          code: failure.code,
          message,
        })
      }
    }
    return { documents: [...documents.values()], failures }
  }

  async findLabels(documents: readonly NamedSource[]): Promise<ReadonlyMap<string, string>> {
    const { scope, store, collections } = this.#deps
    return await findLabels(
      store.documents,
      (await ignoreMissing(async () => await scope.findCollections(collections))) ?? [],
      documents,
    )
  }

  async search(
    { text, mode, documents, limit }: KnowledgeQuery,
    signal?: AbortSignal,
  ): Promise<readonly Hit[]> {
    const collectionIds = [...new Set(documents.map(document => document.collectionId))]
    const documentIds = documents.map(document => document.id)
    return await this.#deps.searching.searcher.search(
      { text, mode, collectionIds, documentIds, limit },
      signal,
    )
  }

  async *readChunks(document: Document, signal?: AbortSignal): AsyncIterable<DocumentChunk> {
    for await (const { id: chunkId, ...chunk } of this.#deps.library.readChunks(
      document.id,
      signal,
    )) {
      signal?.throwIfAborted()
      if (!chunk.isExcluded) yield { chunkId, ...chunk }
    }
  }

  async #listAll(): Promise<readonly Document[]> {
    const { scope, store, collections } = this.#deps
    const all = (
      await Promise.all(
        (
          await scope.findCollections(collections)
        ).map(async ({ id }) => await store.documents.list(id)),
      )
    ).flat()
    return all.filter(({ searchable }) => searchable !== undefined)
  }

  async #find(file: string, signal?: AbortSignal): Promise<readonly Document[]> {
    const { scratch, maxDataBytes } = this.#deps
    if (isDataUri(file))
      return await this.#read(await scratch.openBytes(parseDataUri(file, maxDataBytes), signal))
    const document = await this.#findDocument(file)
    if (document) return [requireReadable(document)]
    const { collection, documents } = await scratch.open([await this.#requirePlace(file)], {
      signal,
    })
    const failed = documents.find(document => document.error)
    if (failed?.error) throw restoreError(failed.error)
    return await this.#read(collection)
  }

  async #requirePlace(file: string): Promise<string> {
    if (!looksLikeUrl(file)) return await this.#deps.roots.require(file)
    if (this.#deps.fetchesUrls) return parseWebUrl(file).href
    throw new AppError(
      'forbidden_source',
      `Will not fetch ${redactUrl(file)}: the setting agent.urls allows no URL.`,
    )
  }

  async #read({ id }: Collection): Promise<readonly Document[]> {
    const documents = await this.#deps.store.documents.list(id)
    const found = documents.filter(({ searchable }) => searchable !== undefined)
    return found.length > 0 ? found : documents.slice(0, 1).map(requireReadable)
  }

  /** Finds by id, source or base name. Throws `conflict` for an ambiguous name. */
  async #findDocument(reference: string): Promise<Document | undefined> {
    const { scope, collections } = this.#deps
    return await ignoreMissing(
      async () => await scope.findDocument(reference, await scope.findCollections(collections)),
    )
  }
}

/** Lets files of a conversation be read before any collection exists. */
async function ignoreMissing<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

function requireReadable(document: Document): Document {
  if (document.searchable) return document
  const { code = 'not_found', message = 'it is not indexed yet' } = document.error ?? {}
  throw new AppError(code, `${document.name} cannot be read: ${message}`)
}
