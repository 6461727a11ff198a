import type { Settings } from '../../config.ts'
import { getSourceRoot } from '../../ingest/sources/connectors/server-source.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Attributes } from '../../ingest/store/catalog/document.ts'
import type { RequestedDocument } from '../../ingest/store/catalog/documents.ts'
import { queueDocument } from '../../ingest/store/catalog/queued-documents.ts'
import type { SourceRun } from '../../ingest/store/catalog/source-runs.ts'
import type { Retention } from '../documents/collection-admin.ts'
import type { openIngesting } from '../indexing/ingesting.ts'
import type { Store } from '../stores/store.ts'

type MoveOptions = {
  readonly to: Collection
  readonly hasUnread: boolean
  readonly signal?: AbortSignal | undefined
}

type RemovalDeps = {
  readonly store: Store
  readonly sources: Settings['sources']
  readonly retention: Retention
  readonly ingesting: Pick<ReturnType<typeof openIngesting>, 'removal' | 'ingest'>
}

export async function removeSourceDocuments(
  deps: RemovalDeps,
  { name, collectionId }: Pick<SourceRun, 'name' | 'collectionId'>,
  signal?: AbortSignal,
): Promise<number> {
  const { store, retention, ingesting } = deps
  const collection = await store.collections.findById(collectionId)
  if (!collection) return 0
  const documents = await listSourceDocuments(deps, name, collection)
  for (const { id } of documents) {
    signal?.throwIfAborted()
    await ingesting.removal.removeDocument(id, retention({}))
  }
  if (documents.length > 0) await ingesting.ingest.cleanUp(collection)
  return documents.length
}

/** Keeps attributes, and indexes stored bytes that the other collection lacks. */
export async function moveSourceDocuments(
  deps: RemovalDeps,
  { name, collectionId }: Pick<SourceRun, 'name' | 'collectionId'>,
  { to, hasUnread, signal }: MoveOptions,
): Promise<void> {
  const { store, ingesting } = deps
  const collection = await store.collections.findById(collectionId)
  if (!collection) return
  for (const document of await listSourceDocuments(deps, name, collection)) {
    signal?.throwIfAborted()
    const { fileId, source, settings, validators } = document
    const attributes = await readAttributes(store, document.id)
    const moved = await store.documents.findBySource(to.id, source)
    if (moved && Object.keys(await readAttributes(store, moved.id)).length === 0)
      await store.documents.setAttributes(moved.id, attributes)
    if (moved || !hasUnread) continue
    const copy = { collectionId: to.id, fileId, source, settings, attributes, name: document.name }
    await queueDocument(store.catalog, { ...copy, ...(validators && { validators }) })
  }
  if (hasUnread) await ingesting.ingest.drain(to, { signal })
}

async function readAttributes(store: Store, id: string): Promise<Attributes> {
  return (await store.documents.find(id))?.attributes ?? {}
}

async function listSourceDocuments(
  { store, sources }: Pick<RemovalDeps, 'store' | 'sources'>,
  name: string,
  collection: Collection,
): Promise<readonly RequestedDocument[]> {
  const others = Object.entries(sources)
    .filter(([other, settings]) => other !== name && settings.collection === collection.name)
    .map(([other, settings]) => getFolder(other, settings))
  const isOfOther = ({ source }: RequestedDocument) =>
    others.some(root => source === root || source.startsWith(root.replace(/\/?$/, '/')))
  const all = await store.documents.listUnder(collection.id, getFolder(name, sources[name]))
  return all.filter(document => !isOfOther(document))
}

/** A source that the settings lack by now was a server's. */
function getFolder(name: string, settings: Settings['sources'][string] | undefined): string {
  if (settings?.type === 'folder') return settings.path
  if (settings?.type !== 'site') return getSourceRoot(name)
  return settings.crawl === undefined ? settings.url : new URL('.', settings.url).href
}
