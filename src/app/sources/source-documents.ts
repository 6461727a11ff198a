import type { Settings } from '../../config.ts'
import { type ChunkPlace, isSamePlace } from '../../ingest/chunk/chunk-edits.ts'
import { getSourceRoot } from '../../ingest/sources/connectors/server-source.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import { Documents, type RequestedDocument } from '../../ingest/store/catalog/documents.ts'
import {
  adoptAttributes,
  copyAttributes,
  type Move,
} from '../../ingest/store/catalog/moved-documents.ts'
import { queueDocument } from '../../ingest/store/catalog/queued-documents.ts'
import type { SourceRun } from '../../ingest/store/catalog/source-runs.ts'
import type { Statements } from '../../ingest/store/catalog.ts'
import type { Retention } from '../documents/collection-admin.ts'
import type { openIngesting } from '../indexing/ingesting.ts'
import type { Store } from '../stores/store.ts'

type MoveOptions = {
  readonly to: Collection
  readonly move: Move
  readonly hasUnread: boolean
  readonly signal?: AbortSignal
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
  {
    signal,
    copyFacts,
  }: {
    readonly signal?: AbortSignal | undefined
    readonly copyFacts?: (rootId: string) => Promise<void>
  } = {},
): Promise<number> {
  const { store, retention, ingesting } = deps
  const collection = await store.collections.findById(collectionId)
  if (!collection) return 0
  const documents = await listSourceDocuments(deps, name, collection)
  for (const { id } of documents) {
    signal?.throwIfAborted()
    await copyFacts?.(id)
    await ingesting.removal.removeDocument(id, retention({}))
  }
  if (documents.length > 0) await ingesting.ingest.cleanUp(collection)
  return documents.length
}

/** Indexes stored bytes that the other collection lacks. */
export async function moveSourceDocuments(
  deps: RemovalDeps,
  name: string,
  { to, move, hasUnread, signal }: MoveOptions,
): Promise<void> {
  const { store, ingesting } = deps
  const collection = hasUnread && (await store.collections.findById(move.fromId))
  for (const document of collection ? await listSourceDocuments(deps, name, collection) : []) {
    signal?.throwIfAborted()
    const { fileId, source, settings, validators } = document
    if (await store.documents.findBySource(to.id, source)) continue
    const copy = { collectionId: to.id, fileId, source, settings, name: document.name }
    await store.catalog.transaction(async inside => {
      const id = await queueDocument(inside, { ...copy, ...(validators && { validators }) })
      await adoptAttributes(inside, id, move)
    })
  }
  if (hasUnread) await ingesting.ingest.drain(to, { signal })
  await removeSourceDocuments(
    deps,
    { name, collectionId: move.fromId },
    { signal, copyFacts: async rootId => await copyAllFacts(store, rootId, { to, move }) },
  )
  await ingesting.ingest.drain(to, { signal })
}

/** The deepest first: each compares with what it inherited. */
async function copyAllFacts(
  { documents, catalog }: Pick<Store, 'documents' | 'catalog'>,
  rootId: string,
  options: Pick<MoveOptions, 'to' | 'move'>,
): Promise<void> {
  for (const id of [...(await documents.listIdsBelow(rootId)), rootId])
    await catalog.transaction(async inside => await copyFacts(inside, id, options))
}

async function copyFacts(
  inside: Statements,
  id: string,
  { to, move }: Pick<MoveOptions, 'to' | 'move'>,
): Promise<void> {
  const documents = new Documents(inside)
  const old = await documents.findRequested(id)
  const moved = old && (await documents.findBySource(to.id, old.source))
  if (!moved) return
  await copyAttributes(documents, { old, moved, move })
  const { chunkEdits = [] } = moved
  const isNew = (edit: ChunkPlace) => !chunkEdits.some(other => isSamePlace(edit, other))
  const added = (old.chunkEdits ?? []).filter(isNew)
  if (added.length > 0) await documents.setChunkEdits(moved.id, [...chunkEdits, ...added])
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
