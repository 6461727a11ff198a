import type { Settings } from '../../config.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { IndexResult } from '../../wire/indexing.ts'
import type { IndexDocuments, IndexOptions } from '../indexing/index-documents.ts'

type SourceSettings = Settings['sources'][string]

type SourceWork = {
  readonly name: string
  readonly settings: SourceSettings
  readonly collection: Collection
}

/** Compares a source with its collection, and indexes the differences. */
export class SourceRunner {
  readonly #indexDocuments: IndexDocuments

  constructor(indexDocuments: IndexDocuments) {
    this.#indexDocuments = indexDocuments
  }

  async run({ settings, collection }: SourceWork, options: IndexOptions): Promise<IndexResult> {
    const { include, exclude } = settings
    const path = settings.type === 'folder' ? settings.path : settings.url
    const site =
      settings.type === 'site'
        ? {
            crawl: settings.crawl,
            maxPages: settings.maxPages,
            allowPrivate: settings.allowPrivate,
          }
        : {}
    return await this.#indexDocuments.run(collection, [path], {
      ...options,
      ...site,
      include,
      exclude,
    })
  }

  /** Returns the source of a failure that is about all documents. */
  getRoot(_name: string, settings: SourceSettings): string {
    return settings.type === 'folder' ? settings.path : settings.url
  }
}
