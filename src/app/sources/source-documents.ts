import type { Settings } from '../../config.ts'
import { getSourceRoot } from '../../ingest/sources/connectors/server-source.ts'
import type { RequestedDocument } from '../../ingest/store/catalog/documents.ts'
import type { SourceRun } from '../../ingest/store/catalog/source-runs.ts'
import type { Retention } from '../documents/collection-admin.ts'
import type { openIngesting } from '../indexing/ingesting.ts'
import type { Store } from '../stores/store.ts'

type RemovalDeps = {
  readonly store: Store
  readonly sources: Settings['sources']
  readonly retention: Retention
  readonly ingesting: Pick<ReturnType<typeof openIngesting>, 'removal' | 'ingest'>
}

export async function removeSourceDocuments(
  { store, sources, retention, ingesting }: RemovalDeps,
  { name, collectionId }: Pick<SourceRun, 'name' | 'collectionId'>,
  signal?: AbortSignal,
): Promise<number> {
  const collection = await store.collections.findById(collectionId)
  if (!collection) return 0
  const others = Object.entries(sources)
    .filter(([other, settings]) => other !== name && settings.collection === collection.name)
    .map(([other, settings]) => getFolder(other, settings))
  const isOfOther = ({ source }: RequestedDocument) =>
    others.some(root => source === root || source.startsWith(root.replace(/\/?$/, '/')))
  const all = await store.documents.listUnder(collectionId, getFolder(name, sources[name]))
  const documents = all.filter(document => !isOfOther(document))
  for (const { id } of documents) {
    signal?.throwIfAborted()
    await ingesting.removal.removeDocument(id, retention({}))
  }
  if (documents.length > 0) await ingesting.ingest.cleanUp(collection)
  return documents.length
}

/** A source that the settings lack by now was a server's. */
function getFolder(name: string, settings: Settings['sources'][string] | undefined): string {
  if (settings?.type === 'folder') return settings.path
  if (settings?.type !== 'site') return getSourceRoot(name)
  return settings.crawl === undefined ? settings.url : new URL('.', settings.url).href
}
