import path from 'node:path'
import { isLabelFor, labelDocuments, type NamedSource } from '../../agent/messages/source-labels.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { looksLikeUrl, parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import { type Collection, isExpired } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import { EXTERNAL_PREFIX } from '../../ingest/store/catalog/external-id.ts'
import type { CollectionLookup } from '../../ingest/store/catalog/searched-collections.ts'
import { type Filter, foldText, matchFilter } from '../../search/filter.ts'

/** Used without a name. */
export const DEFAULT_COLLECTION = 'default'

const SEE_LIST = 'See passim list.'

/** Keeps an error readable. */
const MAX_NAMED = 20

const NONE_PENDING: UnfinishedCount = { unfound: 0, byWords: 0 }

export class Scope {
  readonly #collections: CollectionLookup
  readonly #documents: Documents

  constructor(collections: CollectionLookup, documents: Documents) {
    this.#collections = collections
    this.#documents = documents
  }

  /** Finds visible ones, and an id before a name. Throws `not_found` with the existing names. */
  async findCollection(nameOrId: string): Promise<Collection> {
    const found =
      (await this.#collections.findById(nameOrId)) ?? (await this.#collections.findByName(nameOrId))
    if (found && !found.hidden) return found
    const names = (await this.#collections.list()).map(collection => collection.name)
    const listed = names.slice(0, MAX_NAMED)
    const more = names.length - listed.length
    const some =
      more > 0
        ? localizable`There are: ${listed}, and ${more} more.`
        : localizable`There are: ${listed}.`
    const there = names.length > 0 ? some : 'There are none yet: index something first.'
    throw new AppError('not_found', localizable`There is no collection ${nameOrId}. ${there}`, {
      subject: 'collection',
      about: nameOrId,
    })
  }

  /** Returns by default the default collection, or all if it does not exist. */
  async findCollections(namesOrIds: readonly string[] = []): Promise<readonly Collection[]> {
    if (namesOrIds.length > 0)
      return await Promise.all(
        [...new Set(namesOrIds)].map(async name => await this.findCollection(name)),
      )
    const usual = await this.#collections.findByName(DEFAULT_COLLECTION)
    if (usual) return [usual]
    const all = (await this.#collections.list()).filter(collection => !isExpired(collection))
    return all.length > 0 ? all : [await this.findCollection(DEFAULT_COLLECTION)]
  }

  /** Counts documents that are not found yet, or by keyword only. */
  async countPending(
    collections: readonly Collection[],
    documentIds?: readonly string[],
  ): Promise<UnfinishedCount> {
    if (documentIds) return await this.#documents.countUnfinished({ documentIds })
    const counts = await Promise.all(
      collections.map(
        async ({ id }) => await this.#documents.countUnfinished({ collectionId: id }),
      ),
    )
    return counts.reduce((sum, { unfound, byWords }) => {
      return { unfound: sum.unfound + unfound, byWords: sum.byWords + byWords }
    }, NONE_PENDING)
  }

  async areWorkedOn(collections: readonly Collection[]): Promise<boolean> {
    return await this.#documents.areWorkedOn(collections.map(({ id }) => id))
  }

  /** Searches visible collections. Throws `not_found`. */
  async findDocumentById(id: string): Promise<Document> {
    const found = await this.#documents.find(id)
    if (found && (await this.#collections.findById(found.collectionId))?.hidden === false)
      return found
    throw new AppError('not_found', localizable`There is no document with the id ${id}.`, {
      about: id,
    })
  }

  /**
   * Finds by id, source (relative path, any spelling of a URL), base name, or a tool's label,
   * else ignoring case. Throws `not_found`, `conflict`.
   */
  async findDocument(reference: string, collections: readonly Collection[]): Promise<Document> {
    const called = await this.#listCalled(reference, collections)
    const [first, ...others] = called
    if (!first)
      throw new AppError('not_found', localizable`There is no document ${reference}.`, {
        about: reference,
        advice: SEE_LIST,
      })
    if (others.length === 0) return first
    const named = called.slice(0, MAX_NAMED)
    const places = await Promise.all(
      named.map(async document => `${document.id} in ${await this.#getName(document)}`),
    )
    const more = called.length > MAX_NAMED ? ', …' : ''
    throw new AppError(
      'conflict',
      localizable`${called.length} documents are called ${reference}: ${places.join(', ')}${more}. Give the id, the collection or the path.`,
      {
        about: reference,
        advice: localizable`The paths: ${named.map(({ source }) => source).join(', ')}${more}.`,
      },
    )
  }

  async findDocumentIds(
    references: readonly string[],
    collections: readonly Collection[],
  ): Promise<readonly string[]> {
    const documents = await Promise.all(
      references.map(async reference => await this.#findNamed(reference, collections)),
    )
    return [...new Set(documents.flat().map(({ id }) => id))]
  }

  /** Finds a document or those below a folder. Throws as `findDocument`. */
  async #findNamed(
    reference: string,
    collections: readonly Collection[],
  ): Promise<readonly Document[]> {
    if ((await this.#listCalled(reference, collections)).length > 0)
      return [await this.findDocument(reference, collections)]
    const folder: Filter = { type: 'or', filters: listPaths(reference).map(toFolderFilter) }
    const all = await this.#listAll(collections)
    const below = all.filter(({ source }) => matchFilter(folder, { source }))
    if (below.length > 0) return below
    const message = localizable`There is no document and no folder of documents ${reference}.`
    throw new AppError('not_found', message, { about: reference, advice: SEE_LIST })
  }

  async #listCalled(
    reference: string,
    collections: readonly Collection[],
  ): Promise<readonly Document[]> {
    const byId = await this.#documents.find(reference)
    if (byId && collections.some(collection => collection.id === byId.collectionId)) return [byId]
    const source = looksLikeUrl(reference) ? parseWebUrl(reference).href : path.resolve(reference)
    const external = EXTERNAL_PREFIX + reference
    const name = path.posix.basename(reference)
    const all = (
      await Promise.all(
        collections.map(
          async ({ id }) =>
            await this.#documents.findByName(id, [reference, source, external, name]),
        ),
      )
    ).flat()
    const bySource = [reference, source, external].map(source =>
      all.filter(document => document.source === source),
    )
    const byName = all.filter(document => document.name === reference)
    const byLabel = all.filter(document => isLabelFor(reference, document.source))
    const called = [...bySource, byName, byLabel].find(documents => documents.length > 0)
    return called ?? (await this.#listSpelled([reference, source], collections))
  }

  async #listSpelled(
    references: readonly string[],
    collections: readonly Collection[],
  ): Promise<readonly Document[]> {
    const folded = new Set(references.map(foldText))
    const all = await this.#listAll(collections)
    return all.filter(({ name, source }) =>
      [name, source].some(spelling => folded.has(foldText(spelling))),
    )
  }

  async #listAll(collections: readonly Collection[]): Promise<readonly Document[]> {
    return (
      await Promise.all(collections.map(async ({ id }) => await this.#documents.list(id)))
    ).flat()
  }

  async #getName({ collectionId }: Document): Promise<string> {
    return (await this.#collections.findById(collectionId))?.name ?? collectionId
  }
}

function listPaths(reference: string): readonly string[] {
  return looksLikeUrl(reference) ? [reference] : [reference, path.resolve(reference)]
}

function toFolderFilter(value: string): Filter {
  return { type: 'under', key: 'source', value }
}

export async function findLabels(
  documents: Pick<Documents, 'findByName'>,
  collections: readonly Pick<Collection, 'id'>[],
  labelled: readonly NamedSource[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(labelled.map(({ name }) => name))]
  return labelDocuments(
    labelled,
    (
      await Promise.all(collections.map(async ({ id }) => await documents.findByName(id, names)))
    ).flat(),
  )
}
