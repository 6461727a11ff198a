import path from 'node:path'
import type { Settings } from '../../config.ts'
import { GitRepository } from '../../ingest/sources/connectors/git-repository.ts'
import { ImapFolder } from '../../ingest/sources/connectors/imap-folder.ts'
import { S3Bucket } from '../../ingest/sources/connectors/s3-bucket.ts'
import { getSourceRoot, openServerRoot } from '../../ingest/sources/connectors/server-source.ts'
import { WebDavFolder } from '../../ingest/sources/connectors/webdav-folder.ts'
import type { Source, SourceRoot } from '../../ingest/sources/source.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import { S3Client } from '../../ingest/store/blobs/s3-client.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { RemovalOptions } from '../../ingest/store/catalog/deletions.ts'
import type { Move } from '../../ingest/store/catalog/moved-documents.ts'
import type { IndexResult } from '../../wire/indexing.ts'
import type { IndexDocuments, IndexOptions, OpenRoot } from '../indexing/index-documents.ts'

export type SourceSettings = Settings['sources'][string]

type ServerSettings = Exclude<SourceSettings, { type: 'folder' | 'site' }>

type Connection = { readonly fetcher: Fetcher; readonly address: string | undefined }

type SourceWork = {
  readonly name: string
  readonly settings: SourceSettings
  readonly collection: Collection
  readonly move: Move | undefined
}

type SourceRunnerDeps = {
  readonly indexDocuments: IndexDocuments
  readonly openRoot: OpenRoot
  readonly retention: RemovalOptions
  readonly cache: string
  readonly maxBytes: number
  readonly createFetcher: (allowPrivate: boolean | undefined) => Fetcher
}

export class SourceRunner {
  readonly #deps: SourceRunnerDeps

  constructor(deps: SourceRunnerDeps) {
    this.#deps = deps
  }

  async run(
    { name, settings, collection, move }: SourceWork,
    options: IndexOptions,
  ): Promise<IndexResult> {
    const { indexDocuments, retention } = this.#deps
    const place = await this.#open(name, settings, options.signal)
    try {
      return await indexDocuments.run(collection, [{ ...place, retention, move }], options)
    } finally {
      await place.source.close?.()
    }
  }

  async *watch(name: string, settings: SourceSettings, signal: AbortSignal): AsyncGenerator<void> {
    const { source } = await this.#open(name, settings, signal)
    try {
      if (source.watch) yield* source.watch(signal)
    } finally {
      await source.close?.()
    }
  }

  async #open(name: string, settings: SourceSettings, signal?: AbortSignal): Promise<SourceRoot> {
    const { openRoot, createFetcher } = this.#deps
    if (settings.type === 'folder') return openRoot(settings.path, settings)
    if (settings.type === 'site') return openRoot(settings.url, settings)
    const fetcher = createFetcher(settings.allowPrivate)
    const url = new URL(settings.url)
    const address = url.protocol === 'file:' ? undefined : await fetcher.resolveAllowed(url, signal)
    return openServerRoot(name, this.#openServer(name, settings, { fetcher, address }), settings)
  }

  #openServer(name: string, settings: ServerSettings, { fetcher, address }: Connection): Source {
    if (settings.type === 'webdav') return new WebDavFolder(settings, fetcher)
    if (settings.type === 'imap')
      return new ImapFolder({ ...settings, maxBytes: this.#deps.maxBytes, lookup: fetcher.lookup })
    if (settings.type === 'git')
      return new GitRepository({ ...settings, address, cache: path.join(this.#deps.cache, name) })
    const owner = { settings: `sources.${name}`, code: 'fetch_failed' } as const
    return new S3Bucket(new S3Client(settings, owner, fetcher.lookup), settings.prefix)
  }
}

/** Returns the sources of a failure that is about all documents. */
export function listRoots(name: string, settings: SourceSettings): readonly string[] {
  if (settings.type === 'folder') return [settings.path]
  if (settings.type !== 'site') return [getSourceRoot(name)]
  return [settings.url, parseWebUrl(settings.url).href]
}
