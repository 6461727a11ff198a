import type { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { type Filter, Service, type ServiceOptions, toDocument } from './service.js'

export type PassimRetrieverOptions = BaseRetrieverInput &
  ServiceOptions & {
    /** Names or ids of the collections to search. Default: the collection `default`. */
    readonly collections?: readonly string[]
    /** Maximum number of passages to return (1 to 1,000, default 10). */
    readonly k?: number
    /** How to search: by words, by meaning, or by both. Default: `hybrid`. */
    readonly mode?: 'hybrid' | 'keyword' | 'vector'
    readonly filter?: Filter
    /** Minimum confidence of a passage (0 to 1, default 0). Hits that are weak have at most 0.03. */
    readonly minConfidence?: number
  }

/**
 * Finds passages of documents that a Passim service has indexed. Their metadata say where they are, how likely they answer
 * the question (`confidence`, 0 to 1), and have the attributes of their documents.
 */
export class PassimRetriever extends BaseRetriever {
  lc_namespace = ['passim', 'retrievers']
  readonly #options: PassimRetrieverOptions
  readonly #service: Service

  static override lc_name(): string {
    return 'PassimRetriever'
  }

  constructor(options: PassimRetrieverOptions = {}) {
    super(options)
    this.#options = options
    this.#service = new Service(options)
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { collections, k = 10, mode, filter, minConfidence = 0 } = this.#options
    const hits = await this.#service.search({ query, collections, limit: k, mode, filter })
    return hits.filter(({ confidence = 0 }) => confidence >= minConfidence).map(toDocument)
  }
}
