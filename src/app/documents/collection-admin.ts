import { localizable } from '../../errors/localizable.ts'
import { AppError, isModelFailure } from '../../errors.ts'
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
import { readExternalId } from '../../ingest/store/catalog/external-id.ts'
import { queueFiles } from '../../ingest/store/catalog/queued-documents.ts'
import type { CollectionLookup } from '../../ingest/store/catalog/searched-collections.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Embedders } from '../embedders.ts'
import type { Store } from '../stores/store.ts'
import { noteUse } from './collection-use.ts'

export type DeleteOptions = {
  /** Permanent, including earlier deletions. */
  readonly now?: boolean | undefined
}

export type Retention = (options: DeleteOptions) => RemovalOptions

type NewCollectionOptions = {
  readonly name: string
  readonly chunking?: Chunking | undefined
  readonly embedder?: string | undefined
  readonly hidden?: boolean | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Days after the last use. */
  readonly idleDays?: number | undefined
  /** Default LanceDB. */
  readonly engine?: IndexEngine | undefined
}

type FindOrCreateOptions = {
  readonly hidden?: boolean
  readonly embedder?: string | undefined
  /** Receives why only keywords are used. */
  readonly onUnreached?: ((error: AppError) => void) | undefined
}

export type FileEntry = {
  readonly fileId: string
  readonly attributes?: Attributes | undefined
  readonly chunking?: Chunking | undefined
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
  readonly createChunker: (chunking: Chunking) => Promise<Chunker>
  readonly engines: readonly IndexEngine[]
}

export class CollectionAdmin {
  readonly #deps: CollectionAdminDeps

  constructor(deps: CollectionAdminDeps) {
    this.#deps = deps
  }

  /** Creates the collection with the store's settings; the oldest of a name wins. */
  async findOrCreate(
    name: string,
    { hidden = false, embedder, onUnreached }: FindOrCreateOptions = {},
  ): Promise<Collection> {
    const { collections } = this.#deps.store
    if (!name.trim()) throw new AppError('invalid_input', 'A collection needs a name.')
    const existing = await collections.findByName(name)
    // Hidden collections follow the settings.
    const embedderId = existing?.hidden
      ? (await this.#deps.embedders.openByName(embedder)).embedderId
      : existing?.embedderId
    if (existing && existing.embedderId !== embedderId)
      return await this.findOrCreate(`${name} by ${embedderId}`, { hidden: true, embedder })
    if (existing) return this.#requireUsable(existing)
    return await collections.ensure({
      ...(await this.#resolveSettingsOrKeywordsOnly({ name, embedder }, onUnreached)),
      hidden,
    })
  }

  /** Returns a missing collection without storing it, unlike `findOrCreate`. */
  async findOrPlan(name: string, { onUnreached }: FindOrCreateOptions = {}): Promise<Collection> {
    const { collections } = this.#deps.store
    if (!name.trim()) throw new AppError('invalid_input', 'A collection needs a name.')
    return (await collections.findByName(name))
      ? await this.findOrCreate(name)
      : collections.buildPreview(await this.#resolveSettingsOrKeywordsOnly({ name }, onUnreached))
  }

  async createPlanned(planned: Collection): Promise<Collection> {
    return this.#requireUsable(await this.#deps.store.collections.ensure(planned))
  }

  /** Throws `conflict` if the name exists, unless names may repeat. */
  async create(
    options: NewCollectionOptions,
    names: 'unique' | 'repeatable' = 'unique',
  ): Promise<Collection> {
    const { collections } = this.#deps.store
    if (names === 'unique' && !options.name.trim())
      throw new AppError('invalid_input', 'A collection needs a name.')
    if (names === 'unique' && (await collections.findByName(options.name))) {
      throw new AppError('conflict', localizable`There is a collection ${options.name} already.`, {
        about: options.name,
      })
    }
    return await collections.create(await this.#resolveSettings(options))
  }

  async list(): Promise<readonly CollectionSummary[]> {
    return await Promise.all(
      (await this.#deps.store.collections.list()).map(
        async collection => await this.summarize(collection),
      ),
    )
  }

  async listVisible(): Promise<readonly Collection[]> {
    return await this.#deps.store.collections.list()
  }

  /** Throws `not_found`, also for hidden collections, and `conflict` if several have the name. */
  async get(idOrName: string): Promise<Collection> {
    return requireVisible(idOrName, await findCollection(this.#deps.store.collections, idOrName))
  }

  /** Sees the catalog as searches do: nodes may lag by half a second. */
  async getSearched(idOrName: string): Promise<Collection> {
    return requireVisible(idOrName, await findCollection(this.#deps.lookup, idOrName))
  }

  async find(idOrName: string): Promise<Collection | undefined> {
    const found = await findCollection(this.#deps.store.collections, idOrName)
    return found?.hidden ? undefined : found
  }

  async update({ id }: Collection, changes: CollectionChanges): Promise<Collection> {
    return requireVisible(id, await this.#deps.store.collections.update(id, changes))
  }

  async getChunking(collection: Collection, document: Document): Promise<Chunking> {
    return (
      (await this.#deps.store.documents.findRequested(document.id))?.settings.chunking ??
      collection.chunking
    )
  }

  async summarize(collection: Collection): Promise<CollectionSummary> {
    return { ...collection, ...(await this.#deps.store.documents.countTotals(collection.id)) }
  }

  /** Leaves out hidden collections. */
  async countDocuments(): Promise<CountByStatus> {
    return await this.#deps.store.documents.countByStatus()
  }

  /** Deletes documents, index, and unshared content, too. */
  async delete(collection: Collection, options: DeleteOptions = {}): Promise<void> {
    await this.#deps.removal.removeCollection(collection, this.#deps.retention(options))
  }

  /** Postpones expiry. Throws `not_found` if it has expired. */
  async use(collection: Collection): Promise<void> {
    await noteUse(this.#deps.store.collections, collection)
  }

  /** Idempotent unless settings differ. */
  async addFile(
    collection: Collection,
    fileId: string,
    options: Omit<FileEntry, 'fileId'> = {},
  ): Promise<Document> {
    const [document] = await this.addFiles(collection, [{ fileId, ...options }])
    return document!
  }

  /** Queues all files or none. Throws `not_found`. */
  async addFiles(
    collection: Collection,
    entries: readonly FileEntry[],
  ): Promise<readonly Document[]> {
    this.#requireUsable(collection)
    requireDistinctIds(entries)
    await this.use(collection)
    for (const { chunking } of entries) if (chunking) await this.#deps.createChunker(chunking)
    const requests = entries.map(({ fileId, attributes, chunking, withoutVectors }) => {
      const settings = { ...(chunking && { chunking }), ...(withoutVectors && { withoutVectors }) }
      return { fileId, settings, ...(attributes && { attributes }) }
    })
    return await queueFiles(this.#deps.store.catalog, collection.id, requests)
  }

  async #resolveSettingsOrKeywordsOnly(
    options: NewCollectionOptions,
    onUnreached: FindOrCreateOptions['onUnreached'],
  ) {
    try {
      return await this.#resolveSettings(options)
    } catch (error) {
      if (!onUnreached || !isModelFailure(error)) throw error
      onUnreached(error)
      return await this.#resolveSettings({ ...options, embedder: NO_EMBEDDER })
    }
  }

  async #resolveSettings(options: NewCollectionOptions) {
    const { embedders, createChunker, engines } = this.#deps
    const {
      name,
      chunking = this.#deps.chunking,
      embedder,
      metadata = {},
      idleDays,
      engine = 'lance',
    } = options
    requireEngine(engine, engines)
    await createChunker(chunking)
    return { name, chunking, metadata, idleDays, engine, ...(await embedders.openByName(embedder)) }
  }

  #requireUsable(collection: Collection): Collection {
    this.#deps.embedders.require(collection)
    return collection
  }
}

function requireDistinctIds(entries: readonly FileEntry[]): void {
  const ids = entries.flatMap(({ attributes = {} }) => readExternalId(attributes) ?? [])
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined)
    throw new AppError('invalid_input', localizable`Two files have the external_id ${repeated}.`)
}

/** Throws `invalid_input` for an engine without settings. */
export function requireEngine(engine: IndexEngine, engines: readonly IndexEngine[]): void {
  if (engines.includes(engine)) return
  throw new AppError(
    'invalid_input',
    localizable`${engine} has no address: set ${engine}.urls first.`,
  )
}

/** Finds by id first, then by name. Throws `conflict` if several have the name. */
async function findCollection(
  collections: CollectionLookup,
  idOrName: string,
): Promise<Collection | undefined> {
  const found = await collections.findById(idOrName)
  if (found || idOrName === '') return found
  const named = (await collections.list()).filter(({ name }) => name === idOrName)
  if (named.length <= 1) return named[0]
  throw new AppError(
    'conflict',
    localizable`${named.length} collections are called ${idOrName}: ${named.map(({ id }) => id).join(', ')}. Give the id of one.`,
    { about: idOrName },
  )
}

function requireVisible(id: string, found: Collection | undefined): Collection {
  if (found && !found.hidden) return found
  throw new AppError('not_found', localizable`There is no collection with the id or name ${id}.`, {
    subject: 'collection',
    about: id,
  })
}

/** Returns whether a collection of `findOrPlan` is not stored yet. */
export function isPlanned({ id }: Collection): boolean {
  return id === ''
}
