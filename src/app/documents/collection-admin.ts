import { AppError } from '../../errors.ts'
import type { Chunker, Chunking } from '../../ingest/chunk/chunker.ts'
import {
  type Collection,
  type CollectionChanges,
  type IndexEngine,
  NO_EMBEDDER,
} from '../../ingest/store/catalog/collections.ts'
import type { RemovalOptions } from '../../ingest/store/catalog/deletions.ts'
import type { Attributes, Document } from '../../ingest/store/catalog/document.ts'
import type { CountByStatus, DocumentTotals } from '../../ingest/store/catalog/document-counts.ts'
import type { CollectionLookup } from '../../ingest/store/catalog/searched-collections.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Embedders } from '../embedders.ts'
import type { Store } from '../stores/store.ts'
import { noteUse } from './collection-use.ts'

export type DeleteOptions = {
  /** For good: it cannot be brought back, nor what was deleted of it before. */
  readonly now?: boolean | undefined
}

/** How long what is deleted is kept. */
export type Retention = (options: DeleteOptions) => RemovalOptions

type NewCollectionOptions = {
  readonly name: string
  readonly chunking?: Chunking | undefined
  /** As a user names it; the configured one by default. */
  readonly embedder?: string | undefined
  readonly hidden?: boolean | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Expires so many days after its last use. */
  readonly idleDays?: number | undefined
  /** What its index lies in; LanceDB by default. */
  readonly engine?: IndexEngine | undefined
}

type EnsureOptions = {
  readonly hidden?: boolean
  /** Of a hidden one, as a user names it; the configured one by default. */
  readonly embedder?: string | undefined
  /** Make one for keywords alone where the server of the configured model has never answered, and tell why. */
  readonly onUnreached?: ((error: AppError) => void) | undefined
}

/** An uploaded file on its way into a collection. */
export type FileEntry = {
  readonly fileId: string
  readonly attributes?: Attributes | undefined
  readonly chunking?: Chunking | undefined
  /** Keyword search only. */
  readonly withoutVectors?: boolean | undefined
}

type CollectionSummary = Collection & DocumentTotals

type CollectionAdminDeps = {
  readonly store: Store
  readonly removal: Removal
  readonly lookup: CollectionLookup
  readonly retention: Retention
  readonly chunking: Chunking
  readonly embedders: Embedders
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
  /** Those that are set up. */
  readonly engines: readonly IndexEngine[]
}

/** The use cases of collections and of the uploaded files in them. */
export class CollectionAdmin {
  readonly #deps: CollectionAdminDeps

  constructor(deps: CollectionAdminDeps) {
    this.#deps = deps
  }

  /** The oldest collection of that name, made with the store's settings if there is none. */
  async ensure(
    name: string,
    { hidden = false, embedder, onUnreached }: EnsureOptions = {},
  ): Promise<Collection> {
    const { collections } = this.#deps.store
    if (!name.trim()) throw new AppError('invalid_input', 'A collection needs a name.')
    const known = await collections.findByName(name)
    // What nobody lists is kept for its speed alone, so it follows the settings.
    const wanted = known?.hidden
      ? (await this.#deps.embedders.named(embedder)).embedderId
      : known?.embedderId
    if (known && known.embedderId !== wanted)
      return await this.ensure(`${name} by ${wanted}`, { hidden: true, embedder })
    if (known) return this.#usable(known)
    return await collections.ensure({
      ...(await this.#newSettings({ name, embedder }, onUnreached)),
      hidden,
    })
  }

  /** As `ensure`, but one that is not there is not made: what it would be. */
  async planned(name: string, { onUnreached }: EnsureOptions = {}): Promise<Collection> {
    const { collections } = this.#deps.store
    if (!name.trim()) throw new AppError('invalid_input', 'A collection needs a name.')
    return (await collections.findByName(name))
      ? await this.ensure(name)
      : collections.preview(await this.#newSettings({ name }, onUnreached))
  }

  /** What was planned, or what another process has made of that name meanwhile. */
  async make(planned: Collection): Promise<Collection> {
    return this.#usable(await this.#deps.store.collections.ensure(planned))
  }

  /** A new collection. Throws `conflict` when the name is taken, unless names may repeat. */
  async create(
    options: NewCollectionOptions,
    names: 'unique' | 'repeatable' = 'unique',
  ): Promise<Collection> {
    const { collections } = this.#deps.store
    if (names === 'unique' && !options.name.trim())
      throw new AppError('invalid_input', 'A collection needs a name.')
    if (names === 'unique' && (await collections.findByName(options.name))) {
      throw new AppError('conflict', `There is a collection ${options.name} already.`)
    }
    return await collections.create(await this.#settings(options))
  }

  async list(): Promise<readonly CollectionSummary[]> {
    return await Promise.all(
      (await this.#deps.store.collections.list()).map(
        async collection => await this.summary(collection),
      ),
    )
  }

  /** Those that a user made, without a look at their documents. */
  async visible(): Promise<readonly Collection[]> {
    return await this.#deps.store.collections.list()
  }

  /** Throws `not_found`, for those of a question too. */
  async get(id: string): Promise<Collection> {
    return visible(id, await this.#deps.store.collections.findById(id))
  }

  /** The same as searches see it: what another node wrote is there within half a second. */
  async searched(id: string): Promise<Collection> {
    return visible(id, await this.#deps.lookup.findById(id))
  }

  async update({ id }: Collection, changes: CollectionChanges): Promise<Collection> {
    return visible(id, await this.#deps.store.collections.update(id, changes))
  }

  /** How a document is cut: its own chunking, or its collection's. */
  async chunkingOf(collection: Collection, document: Document): Promise<Chunking> {
    return (
      (await this.#deps.store.documents.findWanted(document.id))?.settings.chunking ??
      collection.chunking
    )
  }

  async summary(collection: Collection): Promise<CollectionSummary> {
    return { ...collection, ...(await this.#deps.store.documents.countTotals(collection.id)) }
  }

  /** Documents of all collections that a user made, by status. */
  async documentCounts(): Promise<CountByStatus> {
    return await this.#deps.store.documents.countByStatus()
  }

  /** The collection, its documents, its index, and, in the end, what of their content nobody else uses. */
  async delete(collection: Collection, options: DeleteOptions = {}): Promise<void> {
    await this.#deps.removal.collection(collection, this.#deps.retention(options))
  }

  /** Somebody works with it: it does not expire for now. Throws `not_found` when it has already. */
  async use(collection: Collection): Promise<void> {
    await noteUse(this.#deps.store.collections, collection)
  }

  /** Queue an uploaded file as a document of the collection. Twice is once, unless the settings differ. */
  async addFile(
    collection: Collection,
    fileId: string,
    options: Omit<FileEntry, 'fileId'> = {},
  ): Promise<Document> {
    const [document] = await this.addFiles(collection, [{ fileId, ...options }])
    return document! // one each
  }

  /** Queue files, all of them or none. Throws `not_found` for one that is not there. */
  async addFiles(
    collection: Collection,
    entries: readonly FileEntry[],
  ): Promise<readonly Document[]> {
    this.#usable(collection)
    await this.use(collection)
    for (const { chunking } of entries) if (chunking) await this.#deps.chunkerFor(chunking)
    const wanted = entries.map(({ fileId, attributes, chunking, withoutVectors }) => {
      const settings = { ...(chunking && { chunking }), ...(withoutVectors && { withoutVectors }) }
      return { fileId, settings, ...(attributes && { attributes }) }
    })
    return await this.#deps.store.documents.queueFiles(collection.id, wanted)
  }

  async #newSettings(options: NewCollectionOptions, onUnreached: EnsureOptions['onUnreached']) {
    try {
      return await this.#settings(options)
    } catch (error) {
      if (!onUnreached || !(error instanceof AppError) || error.code !== 'model_unavailable')
        throw error
      onUnreached(error)
      return await this.#settings({ ...options, embedder: NO_EMBEDDER })
    }
  }

  async #settings(options: NewCollectionOptions) {
    const { embedders, chunkerFor, engines } = this.#deps
    const {
      name,
      chunking = this.#deps.chunking,
      embedder,
      metadata = {},
      idleDays,
      engine = 'lance',
    } = options
    requireEngine(engine, engines)
    await chunkerFor(chunking)
    return { name, chunking, metadata, idleDays, engine, ...(await embedders.named(embedder)) }
  }

  /** Throws `store_mismatch` where its model is not set up here. */
  #usable(collection: Collection): Collection {
    this.#deps.embedders.require(collection)
    return collection
  }
}

/** Throws `invalid_input` for an engine that no setting says anything of. */
export function requireEngine(engine: IndexEngine, engines: readonly IndexEngine[]): void {
  if (engines.includes(engine)) return
  throw new AppError(
    'invalid_input',
    `No setting says where ${engine} is: set ${engine}.urls first.`,
  )
}

/** Throws `not_found`, for those of a question too. */
function visible(id: string, found: Collection | undefined): Collection {
  if (found && !found.hidden) return found
  throw new AppError('not_found', `There is no collection with the id ${id}.`, {
    subject: 'collection',
  })
}
