import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import {
  type ExternalDocument,
  listExternalDocuments,
} from '../../ingest/store/catalog/external-documents.ts'
import { toExternalSource } from '../../ingest/store/catalog/external-id.ts'
import { filterAttributes } from '../../ingest/store/filter-attributes.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import { type Filter, listFilterKeys, matchFilter } from '../../search/filter.ts'
import { checkFilter } from '../../search/filter-text.ts'
import type { Store } from '../stores/store.ts'
import type { DeleteOptions, Retention } from './collection-admin.ts'
import { listFilterWarnings } from './filter-warnings.ts'

/** Documents that one call deletes, so that it ends in time. */
export const MAX_DELETED = 1_000

/** Documents read at a time; protects memory. */
const PAGE_DOCUMENTS = 500

type DocumentSelection = {
  /** The caller's own. */
  readonly ids?: readonly string[] | undefined
  readonly filter?: Filter | string | undefined
}

type DeletingOptions = DeleteOptions & {
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export type DeleteManyOptions = DocumentSelection &
  DeletingOptions & { readonly collection?: string | undefined }

export type DeletedMany = {
  /** At most `MAX_DELETED` and one, unless they are only counted. */
  readonly matched: number
  readonly deleted: number
  /** Selected ids without a document. */
  readonly missing: readonly string[]
  /** Attributes of the filter that no document has. */
  readonly warnings: readonly Warning[]
}

type Selected = Pick<DeletedMany, 'missing' | 'warnings'> & { readonly ids: readonly string[] }

type ExternalDocumentsDeps = {
  readonly store: Pick<Store, 'documents' | 'catalog'>
  readonly removal: Removal
  readonly retention: Retention
  readonly ingest: Pick<Ingest, 'cleanUp'>
}

export class ExternalDocuments {
  readonly #deps: ExternalDocumentsDeps

  constructor(deps: ExternalDocumentsDeps) {
    this.#deps = deps
  }

  async get(collection: Collection, id: string): Promise<Document> {
    const found = await this.#find(collection, id)
    if (found) return found
    throw new AppError('not_found', localizable`There is no document ${id} in ${collection.name}.`)
  }

  async list(
    { id }: Collection,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly ExternalDocument[]> {
    return await listExternalDocuments(this.#deps.store.catalog, id, page)
  }

  /** Deletes at most `MAX_DELETED`; a failure undoes nothing. */
  async deleteMany(
    collection: Collection,
    selection: DocumentSelection,
    { dryRun = false, signal, ...options }: DeletingOptions = {},
  ): Promise<DeletedMany> {
    const { removal, retention, ingest } = this.#deps
    const { ids, ...notes } = await this.#select(collection, selection, {
      limit: dryRun ? Number.POSITIVE_INFINITY : MAX_DELETED + 1,
      signal,
    })
    const removed = dryRun ? [] : ids.slice(0, MAX_DELETED)
    try {
      for (const id of removed) {
        signal?.throwIfAborted()
        await removal.removeDocument(id, retention(options))
      }
    } finally {
      if (removed.length > 0) await ingest.cleanUp(collection)
    }
    return { matched: ids.length, deleted: removed.length, ...notes }
  }

  async #find(collection: Collection, id: string): Promise<Document | undefined> {
    const { documents } = this.#deps.store
    const document = await documents.findBySource(collection.id, toExternalSource(id))
    return document && (await documents.find(document.id))
  }

  async #select(
    collection: Collection,
    { ids = [], filter }: DocumentSelection,
    options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Selected> {
    if (filter !== undefined) return await this.#filter(collection, checkFilter(filter), options)
    const found: string[] = []
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const document = await this.#find(collection, id)
      if (document) found.push(document.id)
      else missing.push(id)
    }
    return { ids: found, missing, warnings: [] }
  }

  async #filter(
    { id: collectionId }: Collection,
    filter: Filter,
    { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Selected> {
    const { documents } = this.#deps.store
    const ids: string[] = []
    const names = new Set<string>()
    const hasAllNames = () => listFilterKeys(filter).every(key => names.has(key))
    for (let after = ''; ids.length < limit || !hasAllNames(); ) {
      signal?.throwIfAborted()
      const page = await documents.listPage(collectionId, after, PAGE_DOCUMENTS)
      for (const document of page) {
        const attributes = filterAttributes(document)
        for (const name of Object.keys(attributes)) names.add(name)
        const isSelected = !document.parentId && matchFilter(filter, attributes)
        if (isSelected && ids.length < limit) ids.push(document.id)
      }
      const last = page.at(-1)
      if (!last) break
      after = last.source
    }
    return { ids, missing: [], warnings: listFilterWarnings(filter, names) }
  }
}
