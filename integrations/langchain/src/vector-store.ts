import { Document, type DocumentInterface } from '@langchain/core/documents'
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import { maximalMarginalRelevance } from '@langchain/core/utils/math'
import { type MaxMarginalRelevanceSearchOptions, VectorStore } from '@langchain/core/vectorstores'
import {
  type Filter,
  type Hit,
  PassimError,
  Service,
  type ServiceOptions,
  toDocument,
} from './service.js'

/** Most ids that the service deletes in one request; keeps one answer below 1 MiB. */
const BATCH = 1_000

const POLL_MS = 100

export type PassimVectorStoreOptions = ServiceOptions & {
  /** Name or id. The first text makes a collection that does not exist. Default: `default`. */
  readonly collection?: string
  /** Milliseconds to wait until texts can be found (default 600,000). */
  readonly indexingTimeoutMs?: number
}

export type AddOptions = { readonly ids?: readonly string[]; readonly signal?: AbortSignal }

/** Exactly one of them. */
export type Deletion = { readonly ids?: readonly string[]; readonly filter?: Filter }

type Metadata = Record<string, unknown>

type Embeddings = { readonly data: readonly { readonly embedding: number[] }[] }

/** The service embeds, so that nothing here does. */
const EMBEDDINGS: EmbeddingsInterface = {
  embedQuery: async () => refuseVectors(),
  embedDocuments: async () => refuseVectors(),
}

/**
 * A collection of a Passim service, which embeds the texts. A text is a document under the caller's id: the same id again
 * replaces it. The metadata become attributes (at most 16), nested ones under names such as `loc.lines.from`.
 */
export class PassimVectorStore extends VectorStore {
  declare FilterType: Filter & (object | string)
  override lc_namespace = ['passim', 'vectorstores']
  readonly #service: Service
  readonly #collection: string
  readonly #indexingTimeoutMs: number

  constructor(options: PassimVectorStoreOptions = {}) {
    super(EMBEDDINGS, {})
    this.#service = new Service(options)
    this.#collection = options.collection ?? 'default'
    this.#indexingTimeoutMs = options.indexingTimeoutMs ?? 600_000
  }

  static override lc_name(): string {
    return 'PassimVectorStore'
  }

  /** `embeddings` has no effect: the service embeds. */
  static override async fromTexts(
    texts: string[],
    metadatas: object | object[],
    embeddings: EmbeddingsInterface | undefined,
    options: PassimVectorStoreOptions & AddOptions = {},
  ): Promise<PassimVectorStore> {
    const documents = texts.map((pageContent, index) => {
      const metadata = Array.isArray(metadatas) ? metadatas[index] : metadatas
      return new Document({ pageContent, metadata })
    })
    return await PassimVectorStore.fromDocuments(documents, embeddings, options)
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    _embeddings: EmbeddingsInterface | undefined,
    options: PassimVectorStoreOptions & AddOptions = {},
  ): Promise<PassimVectorStore> {
    const store = new PassimVectorStore(options)
    await store.addDocuments(documents, options)
    return store
  }

  _vectorstoreType(): string {
    return 'passim'
  }

  /** Returns the ids when all texts can be found. Throws for a text that the service refuses or cannot index. */
  async addDocuments(
    documents: DocumentInterface[],
    { ids, signal }: AddOptions = {},
  ): Promise<string[]> {
    if (ids && ids.length !== documents.length)
      throw new Error(`There are ${documents.length} documents and ${ids.length} ids.`)
    const named = documents.map(({ id, pageContent, metadata }, index) => ({
      id: ids?.[index] ?? id ?? crypto.randomUUID(),
      text: pageContent,
      attributes: flatten(metadata),
    }))
    for (const batch of divide(named)) await this.#addLines(batch, signal)
    const deadline = Date.now() + this.#indexingTimeoutMs
    for (const { id } of named) await this.#waitFor(id, deadline, signal)
    return named.map(({ id }) => id)
  }

  /** Deletes texts, which can be restored for a week (`passim restore`). */
  override async delete({ ids, filter }: Deletion): Promise<void> {
    if ((ids === undefined) === (filter === undefined))
      throw new Error('Name the ids or the filter of the texts to delete.')
    for (const batch of divide(ids ?? [])) await this.#deleteSome({ ids: batch })
    while (filter !== undefined && (await this.#deleteSome({ filter }))) {}
  }

  override async similaritySearch(
    query: string,
    k = 4,
    filter?: this['FilterType'],
  ): Promise<Document[]> {
    return (await this.similaritySearchWithScore(query, k, filter)).map(([document]) => document)
  }

  /** Returns the best passages by words and meaning with their scores, which are comparable within one search. */
  override async similaritySearchWithScore(
    query: string,
    k = 4,
    filter?: this['FilterType'],
  ): Promise<[Document, number][]> {
    const collections = [this.#collection]
    const hits = await this.#service.search({ query, collections, limit: k, filter })
    return hits.map(hit => [toStoredDocument(hit), hit.score])
  }

  /** Returns `k` of the `fetchK` best passages that differ: `lambda` is 1 for relevance alone, 0 for difference. */
  override async maxMarginalRelevanceSearch(
    query: string,
    { k, fetchK = 20, lambda = 0.5, filter }: MaxMarginalRelevanceSearchOptions<this['FilterType']>,
  ): Promise<Document[]> {
    const found = await this.similaritySearch(query, fetchK, filter)
    if (found.length === 0) return []
    const [target = []] = await this.#embed({ input: query, input_type: 'query' })
    const vectors = await this.#embed({ input: found.map(({ pageContent }) => pageContent) })
    const chosen = maximalMarginalRelevance(target, vectors, lambda, k)
    return chosen.flatMap(index => found[index] ?? [])
  }

  async addVectors(): Promise<never> {
    return refuseVectors()
  }

  async similaritySearchVectorWithScore(): Promise<never> {
    return refuseVectors()
  }

  get #route(): string {
    return `/api/collections/${encodeURIComponent(this.#collection)}/documents`
  }

  async #addLines(batch: readonly object[], signal: AbortSignal | undefined): Promise<void> {
    const lines = batch.map(document => JSON.stringify(document)).join('\n')
    const options = { type: 'application/x-ndjson', signal }
    for (const answer of (await this.#service.post(this.#route, lines, options)).split('\n')) {
      const { error } = answer === '' ? {} : JSON.parse(answer)
      if (error) throw new PassimError(200, error.message, error.code)
    }
  }

  async #waitFor(id: string, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const route = `${this.#route}/${encodeURIComponent(id)}`
      const { status, error } = JSON.parse(await this.#service.get(route, signal))
      if (status === 'completed') return
      if (status !== 'in_progress')
        throw new Error(`The text ${id} was not indexed: ${error?.message ?? status}`)
      if (Date.now() > deadline)
        throw new Error(`The text ${id} was not indexed within ${this.#indexingTimeoutMs} ms.`)
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  }

  async #embed(request: object): Promise<number[][]> {
    const body = JSON.stringify({ model: 'passim-embedder', ...request })
    const answer: Embeddings = JSON.parse(await this.#service.post('/v1/embeddings', body))
    return answer.data.map(({ embedding }) => embedding)
  }

  /** Returns whether more texts match. */
  async #deleteSome(selection: Deletion): Promise<boolean> {
    const answer = await this.#service.post(`${this.#route}/delete`, JSON.stringify(selection))
    return JSON.parse(answer).hasMore
  }
}

function refuseVectors(): never {
  throw new Error('Passim embeds texts itself: use addDocuments and similaritySearch.')
}

function* divide<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH)
}

/** Splitters add nested metadata, and an attribute is a text, a number or a boolean. */
function flatten(metadata: Metadata, prefix = ''): Metadata {
  const flat: Metadata = {}
  for (const [name, value] of Object.entries(metadata)) {
    if (value === null || value === undefined) continue
    const isNested = typeof value === 'object' && !Array.isArray(value)
    if (isNested) Object.assign(flat, flatten({ ...value }, `${prefix}${name}.`))
    else flat[`${prefix}${name}`] = value
  }
  return flat
}

/** Has the id and the metadata that the caller gave, and the place of the passage beside them. */
function toStoredDocument(hit: Hit): Document {
  const { metadata, pageContent } = toDocument(hit)
  const id = hit.source.startsWith('id:') ? hit.source.slice('id:'.length) : hit.chunkId
  return new Document({ id, pageContent, metadata: { ...metadata, ...hit.attributes } })
}
