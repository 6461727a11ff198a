import type { Attributes, Document } from '../../ingest/store/catalog/document.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import { CatalogCache } from '../../ingest/store/catalog/until-written.ts'
import { filterAttributes } from '../../ingest/store/filter-attributes.ts'
import { type Filter, matchFilter } from '../../search/filter.ts'
import type { Store } from '../stores/store.ts'

/** Limits what a reader sees. All parts must hold; an absent part allows everything. */
export type Access = {
  readonly collections?: readonly string[] | undefined
  readonly filter?: Filter | undefined
  /** Names of the reader, such as `user:ann` or `group:hr`, one of which a document must list. */
  readonly readers?: readonly string[] | undefined
}

const READERS = 'readers'

const EVERYONE = '*'

type VisibleStore = Pick<Store, 'catalog' | 'collections' | 'documents' | 'events'>

/** Ids of what a reader may see. Reads all documents of its collections after each write. */
export class VisibleDocuments {
  readonly #store: VisibleStore
  readonly #access: Access
  #last: { readonly state: string; readonly ids: Promise<string> } | undefined

  constructor(store: VisibleStore, access: Access) {
    this.#store = store
    this.#access = access
  }

  async listIds(): Promise<string> {
    const state = await this.#store.catalog.state()
    if (this.#last?.state === state) return await this.#last.ids
    const last = { state, ids: this.#readIds() }
    this.#last = last
    last.ids.catch(() => {
      if (this.#last === last) this.#last = undefined
    })
    return await last.ids
  }

  /** Omits collections without a visible document, which hidden ones may have created. */
  async #readIds(): Promise<string> {
    const { collections: names, filter, readers } = this.#access
    const seesAll = filter === undefined && readers === undefined
    const collections = (await this.#store.collections.list()).filter(
      ({ id, name }) => !names || names.includes(id) || names.includes(name),
    )
    const ids: string[] = []
    for (const { id } of collections) {
      const documents = await this.#store.documents.list(id)
      const byId = new Map(documents.map(document => [document.id, document]))
      const visible = documents.filter(document =>
        listFacts(findRoot(document, byId)).every(facts => isVisible(facts, this.#access)),
      )
      if (seesAll || visible.length > 0) ids.push(id, ...visible.map(document => document.id))
    }
    const collectionIds = new Set(collections.map(({ id }) => id))
    for (const deleted of await this.#store.events.listDeletedDocuments())
      if (collectionIds.has(deleted.collectionId) && isVisible(deleted.attributes, this.#access))
        ids.push(deleted.id)
    return JSON.stringify(ids)
  }
}

function findRoot(document: Document, byId: ReadonlyMap<string, Document>): Document {
  const parent = document.parentId === undefined ? undefined : byId.get(document.parentId)
  return parent ? findRoot(parent, byId) : document
}

function isVisible(attributes: Attributes, { filter, readers }: Access): boolean {
  if (filter && !matchFilter(filter, attributes)) return false
  if (!readers) return true
  const listed = splitReaders(String(attributes[READERS] ?? ''))
  return listed.some(name => name === EVERYONE || readers.includes(name))
}

export function isForEveryone(document: Document): boolean {
  return listFacts(document).every(
    ({ [READERS]: listed }) =>
      listed === undefined || splitReaders(String(listed)).includes(EVERYONE),
  )
}

function listFacts(document: Document): readonly Attributes[] {
  const facts = filterAttributes(document)
  return [facts, document.earlierFacts ?? facts]
}

function splitReaders(text: string): readonly string[] {
  return text.split(/[\s,]+/)
}

/** Names of readers in a store, so that users who see the same documents share one view. */
export class NamedReaders {
  readonly #documents: Pick<Documents, 'listReaders'>
  readonly #names: CatalogCache<'names', ReadonlySet<string>>

  constructor({ catalog, documents }: Pick<Store, 'catalog' | 'documents'>) {
    this.#documents = documents
    this.#names = new CatalogCache(catalog)
  }

  async narrow(access: Access): Promise<Access> {
    if (!access.readers) return access
    const names = await this.#names.get(
      'names',
      async () => new Set((await this.#documents.listReaders()).flatMap(splitReaders)),
    )
    return { ...access, readers: access.readers.filter(name => names.has(name)).toSorted() }
  }
}
