import { createReadStream } from 'node:fs'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { OcrMode } from '../../ingest/parse/parser.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { readExternalId } from '../../ingest/store/catalog/external-id.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { BackgroundIngest } from '../background.ts'
import type { IndexDocuments, IndexOptions } from '../indexing/index-documents.ts'
import { requireFile } from '../indexing/parse-file.ts'
import { requireKnownOptions } from '../known-options.ts'
import type { Store } from '../stores/store.ts'
import type { CollectionAdmin, DeleteOptions, Retention } from './collection-admin.ts'
import type { DocumentPuts, PutDocument, PutOptions } from './document-puts.ts'
import type { DeletedMany, DeleteManyOptions, ExternalDocuments } from './external-documents.ts'
import { hasContent } from './inline-content.ts'
import { DEFAULT_COLLECTION, type Scope } from './scope.ts'

type AddOptions = {
  readonly collection?: string | undefined
  readonly signal?: AbortSignal | undefined
}

type IndexAgainOptions = {
  /** Applies from now on. */
  readonly ocr?: OcrMode | undefined
  readonly signal?: AbortSignal | undefined
}

type DocumentAdminDeps = {
  readonly store: Pick<Store, 'documents' | 'collections'>
  readonly puts: DocumentPuts
  readonly ingest: Pick<Ingest, 'drain' | 'cleanUp'>
  readonly removal: Removal
  readonly retention: Retention
  readonly scope: Scope
  readonly collections: CollectionAdmin
  readonly indexDocuments: IndexDocuments
  readonly background: BackgroundIngest
  readonly externalDocuments: ExternalDocuments
}

export class DocumentAdmin {
  readonly #deps: DocumentAdminDeps

  constructor(deps: DocumentAdminDeps) {
    this.#deps = deps
  }

  /**
   * Adds or replaces the document, and indexes it, unless bytes and facts are the same. Throws
   * `not_found` for a missing file.
   */
  async put(options: PutOptions): Promise<PutDocument> {
    const { puts, store, ingest } = this.#deps
    const {
      id,
      file,
      collection: name = DEFAULT_COLLECTION,
      ...putOptions
    } = requireKnownOptions('put', options)
    if (file !== undefined) await requireFile(file)
    const collection = await puts.findOrCreateCollection(name)
    const { document, result } = await (file === undefined
      ? puts.putContent(collection, { ...putOptions, id }, putOptions.signal)
      : this.#putFile(collection, { ...putOptions, id, file }))
    const isPointless = async () =>
      (await store.documents.findRequested(document.id))?.status !== 'in_progress'
    if (!(await isPointless())) await ingest.drain(collection, { ...putOptions, isPointless })
    return { document: (await store.documents.find(document.id)) ?? document, result }
  }

  /**
   * Deletes documents by ids of yours or by a filter: at most 1,000, unless `dryRun` only counts
   * them.
   */
  async deleteMany(options: DeleteManyOptions): Promise<DeletedMany> {
    const {
      collection = DEFAULT_COLLECTION,
      ids,
      filter,
      ...deleting
    } = requireKnownOptions('deleteMany', options)
    if ((ids === undefined) === (filter === undefined))
      throw new AppError(
        'invalid_input',
        'Select the documents by ids or by filter, and not by both.',
      )
    const { scope, externalDocuments } = this.#deps
    const found = await scope.findCollection(collection)
    return await externalDocuments.deleteMany(found, { ids, filter }, deleting)
  }

  async delete(document: Document | string, options: DeleteOptions = {}): Promise<void> {
    const { store, scope, collections, removal, retention, ingest } = this.#deps
    const { id, collectionId } =
      typeof document === 'string'
        ? await scope.findDocument(document, await collections.list())
        : document
    if (!(await store.documents.find(id)))
      throw new AppError('not_found', localizable`There is no document with the id ${id}.`)
    await removal.removeDocument(id, retention(options))
    const collection = await store.collections.findById(collectionId)
    if (collection) await ingest.cleanUp(collection)
  }

  async #putFile(
    collection: Collection,
    { id, file, signal, ...document }: PutOptions & { readonly file: string },
  ): Promise<PutDocument> {
    if (hasContent(document))
      throw new AppError(
        'invalid_input',
        'A document has exactly one content: a file, a text or records.',
      )
    const { title, attributes, language, url } = document
    const incoming = { id, bytes: createReadStream(file), name: path.basename(file) }
    const describe = async () => ({ title, attributes, language, url })
    return await this.#deps.puts.putFile(collection, incoming, describe, signal)
  }

  /** Queues a web page if it is new or changed. Throws the fetch error. */
  async addPage(
    url: string,
    { collection: name = DEFAULT_COLLECTION, signal }: AddOptions = {},
  ): Promise<Document> {
    if (!looksLikeUrl(url)) {
      throw new AppError(
        'invalid_input',
        localizable`${url} is not a web address. It must begin with http:// or https://.`,
      )
    }
    const collection = await this.#deps.collections.findOrCreate(name)
    return await this.#fetch(collection, url, { signal })
  }

  async setAttributes(documentId: string, attributes: Document['attributes']): Promise<void> {
    const { documents } = this.#deps.store
    const id = readExternalId(attributes)
    const current = id === undefined ? undefined : (await documents.find(documentId))?.externalId
    if (current !== undefined && current !== id)
      throw new AppError(
        'conflict',
        localizable`The external_id of the document is ${current} and cannot be changed.`,
      )
    await documents.setAttributes(documentId, attributes)
  }

  /** Fetches web pages again. */
  async indexAgain(id: string, { ocr, signal }: IndexAgainOptions = {}): Promise<Document> {
    const { store, scope, background } = this.#deps
    const document = await scope.findDocumentById(id)
    const collection = await scope.findCollection(document.collectionId)
    const requested = await store.documents.findRequested(id)
    if (!requested)
      throw new AppError('not_found', localizable`There is no document ${id}.`, {
        about: id,
        advice: 'See passim list.',
      })
    const settings = { ...requested.settings, ...(ocr && { ocr }) }
    if (document.status === 'in_progress' && settings.ocr === requested.settings.ocr)
      return document
    if (looksLikeUrl(requested.source)) {
      return await this.#fetch(collection, requested.source, { ...settings, force: true, signal })
    }
    await store.documents.requeueWith(id, settings)
    background.start(collection)
    return await scope.findDocumentById(id)
  }

  async #fetch(collection: Collection, url: string, options: IndexOptions): Promise<Document> {
    const { indexDocuments, background, scope } = this.#deps
    const { documentId, error } = await indexDocuments.queue(collection, url, options)
    if (documentId === undefined) {
      throw new AppError(
        error?.code ?? 'fetch_failed',
        error?.message ?? `${url} could not be fetched.`,
      )
    }
    background.start(collection)
    return await scope.findDocumentById(documentId)
  }
}
