import path from 'node:path'
import type { Settings } from '../../config.ts'
import { GitRepository } from '../../ingest/sources/connectors/git-repository.ts'
import { ImapFolder } from '../../ingest/sources/connectors/imap-folder.ts'
import { getSourceRoot, type ListedSync } from '../../ingest/sources/connectors/listed-sync.ts'
import { S3Bucket } from '../../ingest/sources/connectors/s3-bucket.ts'
import type { Source } from '../../ingest/sources/connectors/source.ts'
import { WebDavFolder } from '../../ingest/sources/connectors/webdav-folder.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { S3Client } from '../../ingest/store/blobs/s3-client.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { IndexResult } from '../../wire/indexing.ts'
import type { IndexDocuments, IndexOptions } from '../indexing/index-documents.ts'

export type SourceSettings = Settings['sources'][string]

/** Sources that compare themselves, by content or by HTTP. */
type OwnSettings = Extract<SourceSettings, { type: 'folder' | 'site' }>
type ListedSettings = Exclude<SourceSettings, OwnSettings>

type SourceWork = {
  readonly name: string
  readonly settings: SourceSettings
  readonly collection: Collection
}

type SourceRunnerDeps = {
  readonly indexDocuments: IndexDocuments
  readonly listedSync: ListedSync
  /** For copies that are made anew if they are lost. */
  readonly cache: string
  /** Per document. */
  readonly maxBytes: number
  readonly createFetcher: (allowPrivate: boolean | undefined) => Fetcher
}

/** Compares a source with its collection, and indexes the differences. */
export class SourceRunner {
  readonly #deps: SourceRunnerDeps

  constructor(deps: SourceRunnerDeps) {
    this.#deps = deps
  }

  async run({ name, settings, collection }: SourceWork, options: IndexOptions) {
    const { include, exclude } = settings
    const all = { ...options, include, exclude }
    if (isOwn(settings))
      return await this.#deps.indexDocuments.run(collection, [getRoot(name, settings)], {
        ...all,
        ...(settings.type === 'site' && pickSiteOptions(settings)),
      })
    return await this.#runListed({ name, settings, collection }, all)
  }

  async #runListed(
    { name, settings, collection }: SourceWork & { readonly settings: ListedSettings },
    options: IndexOptions,
  ): Promise<IndexResult> {
    const { listedSync, indexDocuments, createFetcher } = this.#deps
    const fetcher = createFetcher(settings.allowPrivate)
    const url = new URL(settings.url)
    if (url.protocol !== 'file:') await fetcher.requireAllowed(url, options.signal)
    const source = this.#open(name, settings, fetcher)
    const named = { name, source, maxItems: settings.maxItems }
    const root: Root = {
      name: getRoot(name, settings),
      compare: (into, how) => listedSync.compare(into, named, how),
    }
    try {
      return await indexDocuments.run(collection, [root], options)
    } finally {
      await source.close?.()
    }
  }

  #open(name: string, settings: ListedSettings, fetcher: Fetcher): Source {
    if (settings.type === 'webdav') return new WebDavFolder(settings, fetcher)
    if (settings.type === 'imap')
      return new ImapFolder({ ...settings, maxBytes: this.#deps.maxBytes })
    if (settings.type === 'git')
      return new GitRepository({ ...settings, cache: path.join(this.#deps.cache, name) })
    const owner = { settings: `sources.${name}`, code: 'fetch_failed' } as const
    return new S3Bucket(new S3Client(settings, owner), settings.prefix)
  }
}

type Root = Exclude<Parameters<IndexDocuments['run']>[1][number], string>

function isOwn(settings: SourceSettings): settings is OwnSettings {
  return settings.type === 'folder' || settings.type === 'site'
}

function pickSiteOptions({ crawl, maxPages, allowPrivate }: OwnSettings & { type: 'site' }) {
  return { crawl, maxPages, allowPrivate }
}

/** Returns the source of a failure that is about all documents. */
export function getRoot(name: string, settings: SourceSettings): string {
  if (settings.type === 'folder') return settings.path
  return settings.type === 'site' ? settings.url : getSourceRoot(name)
}
