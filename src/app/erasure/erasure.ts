import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { findNaming, listAllTurns, removeHits } from '../../conversations/naming.ts'
import type { ConversationService } from '../../conversations/service.ts'
import { AppError } from '../../errors.ts'
import {
  type Collection,
  parseEngine,
  toIndexTable,
} from '../../ingest/store/catalog/collections.ts'
import type { Deletion } from '../../ingest/store/catalog/deletions.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import {
  countErasable,
  type Erasable,
  type Erased,
  findErasable,
} from '../../ingest/store/catalog/erasable.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { ORIGINAL, PAGE_PICTURES } from '../../ingest/store/contents/content.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { DeletionPlace, DeletionReportJson, Unproved } from '../../wire/deletion.ts'
import { type Store, VIEWS } from '../stores/store.ts'
import { scanHome } from './home-scan.ts'
import { collectTraces } from './traces.ts'

type ErasureDeps = {
  readonly store: Store
  readonly ingest: Pick<Ingest, 'erase'>
  readonly removal: Removal
  readonly index: ChunkIndex
  readonly conversationService: Pick<ConversationService, 'delete' | 'deleteResponse'>
  readonly isDatabase: boolean
}

type EraseOptions = { readonly signal?: AbortSignal | undefined }

type Counts = ReadonlyMap<DeletionPlace, number>

type Work = Erasable & {
  readonly kind: DeletionReportJson['kind']
  readonly ids: readonly string[]
  readonly sources: readonly string[]
  readonly remove: () => Promise<void>
}

export class Erasure {
  readonly #deps: ErasureDeps

  constructor(deps: ErasureDeps) {
    this.#deps = deps
  }

  async eraseDocuments(
    documents: readonly Pick<Document, 'id' | 'source'>[],
    options?: EraseOptions,
  ): Promise<DeletionReportJson> {
    const parts = documents.map(({ id }) => ({ kind: 'document', id }) as const)
    const remove = async () => {
      for (const { id } of documents) await this.#deps.removal.removeDocument(id)
    }
    const sources = documents.map(({ source }) => source)
    return await this.#eraseParts({ kind: 'document', parts, sources, remove }, options)
  }

  async eraseFile(id: string, options?: EraseOptions): Promise<DeletionReportJson> {
    const file = await this.#deps.store.files.find(id)
    const remove = async () => {
      if (file) await this.#deps.removal.removeFile(file)
    }
    const parts = [{ kind: 'file', id } as const]
    return await this.#eraseParts({ kind: 'file', parts, sources: [], remove }, options)
  }

  async eraseCollection(
    { id }: Pick<Collection, 'id'>,
    options?: EraseOptions,
  ): Promise<DeletionReportJson> {
    const { store, removal } = this.#deps
    const found = await store.collections.findById(id)
    const sources = found ? (await store.documents.list(id)).map(({ source }) => source) : []
    const remove = async () => {
      if (found) await removal.removeCollection(found)
    }
    const parts = [{ kind: 'collection', id } as const]
    return await this.#eraseParts({ kind: 'collection', parts, sources, remove }, options)
  }

  async eraseDeleted(
    { kind, subjectId, source }: Deletion,
    options?: EraseOptions,
  ): Promise<DeletionReportJson> {
    const parts = [{ kind, id: subjectId }]
    const sources = source === undefined ? [] : [source]
    return await this.#eraseParts({ kind, parts, sources, remove: async () => {} }, options)
  }

  async eraseStore(options?: EraseOptions): Promise<DeletionReportJson> {
    const { store, removal } = this.#deps
    const collections = await store.collections.listAll()
    const uploaded = await store.files.listUploaded()
    const deleted = await store.deletions.list()
    const parts: readonly Erased[] = [
      ...collections.map(({ id }) => ({ kind: 'collection', id }) as const),
      ...uploaded.map(({ id }) => ({ kind: 'file', id }) as const),
      ...deleted.map(({ kind, subjectId }) => ({ kind, id: subjectId })),
    ]
    const remove = async () => {
      for (const collection of collections) await removal.removeCollection(collection)
      for (const file of uploaded) await removal.removeFile(file)
    }
    return await this.#eraseParts({ kind: 'store', parts, sources: [], remove }, options)
  }

  async #eraseParts(
    {
      parts,
      remove,
      ...about
    }: Pick<Work, 'kind' | 'sources' | 'remove'> & { readonly parts: readonly Erased[] },
    options?: EraseOptions,
  ): Promise<DeletionReportJson> {
    const { store, removal } = this.#deps
    const found: Erasable[] = []
    for (const part of parts) found.push(await findErasable(store.catalog, part))
    const join = (select: (erasable: Erasable) => readonly string[]) => [
      ...new Set(found.flatMap(select)),
    ]
    const work: Work = {
      ...about,
      ids: about.kind === 'store' ? [] : parts.map(({ id }) => id),
      documents: join(erasable => erasable.documents),
      files: join(erasable => erasable.files),
      contents: join(erasable => erasable.contents),
      collections: join(erasable => erasable.collections),
      remove: async () => {
        await remove()
        for (const { kind, id } of parts) await store.deletions.end({ kind, subjectId: id })
        await removal.forgetDeleted()
      },
    }
    return await this.#erase(work, options)
  }

  async #erase(work: Work, { signal }: EraseOptions = {}): Promise<DeletionReportJson> {
    const { store, ingest } = this.#deps
    const collections = (await store.collections.listAll()).filter(({ id }) =>
      work.collections.includes(id),
    )
    const traces = await collectTraces(store.content, work.contents, signal)
    const count = await this.#prepareCount(work, collections, signal)
    const before = await count()
    await work.remove()
    for (const collection of collections) await ingest.erase(collection, signal)
    await store.jobs.forget(work.documents)
    const conversations = await this.#eraseConversations(work, signal)
    await removeViews(store.home, collections)
    const events = await store.events.redact(work.documents)
    const isLogEmpty = await store.catalog.erase(signal)
    const after = await count()
    const places = [...before].map(([place, had]) => {
      const remaining = after.get(place) ?? 0
      return { place, removed: Math.max(0, had - remaining), left: remaining }
    })
    const scan = await scanHome(store.home, { traces, contents: work.contents }, signal)
    const redacted = { place: 'events', removed: events, left: 0 } as const
    const all = [...places, redacted, ...conversations.places]
    return {
      kind: work.kind,
      ids: work.ids,
      at: new Date().toISOString(),
      proved: isLogEmpty && all.every(({ left }) => left === 0) && scan.found.length === 0,
      places: all,
      conversations: conversations.ids,
      scan,
      unproved: this.#listUnproved(work, collections, isLogEmpty),
    }
  }

  async #prepareCount(
    work: Work,
    collections: readonly Collection[],
    signal: AbortSignal | undefined,
  ): Promise<() => Promise<Counts>> {
    const { catalog, content, home } = this.#deps.store
    const blobs: string[] = []
    for (const sha256 of work.contents) {
      const place = await content.locateShared(sha256)
      if (place !== undefined) blobs.push(place)
    }
    const versions = new Set((await countErasable(catalog, work)).versions)
    return async () => {
      const { documents, jobs, files } = await countErasable(catalog, work)
      const names = await Promise.all(
        work.contents.map(sha256 => listNames(content.getFolder(sha256))),
      )
      return new Map<DeletionPlace, number>([
        ['documents', documents],
        ['jobs', jobs],
        ['files', files],
        ...countParts(names.flat()),
        ['index', await this.#countRows(collections, versions)],
        ['bucket', await content.countBlobs(blobs, signal)],
        ['caches', await countFiles(path.join(home, 'cache'))],
      ])
    }
  }

  async #countRows(
    collections: readonly Collection[],
    versions: ReadonlySet<number>,
  ): Promise<number> {
    let rows = 0
    for (const collection of collections) {
      const counts = await this.#deps.index.countVersions(toIndexTable(collection))
      for (const [version, count] of counts) if (versions.has(version)) rows += count
    }
    return rows
  }

  async #eraseConversations(work: Work, signal: AbortSignal | undefined) {
    const { store, conversationService } = this.#deps
    const ids = new Set([...work.documents, ...work.files])
    const find = async () =>
      work.kind === 'store'
        ? await listAllTurns(store.catalog)
        : await findNaming(store.catalog, ids, signal)
    const found = await find()
    for (const id of found.conversations) await ignoreMissing(conversationService.delete(id))
    for (const id of found.responses) await ignoreMissing(conversationService.deleteResponse(id))
    for (const id of found.runs) await eraseRun(store, id)
    await removeHits(store.catalog, found.hits, ids)
    const remaining = await find()
    const kinds = ['conversations', 'responses', 'runs'] as const
    const places = kinds.map(place => {
      return {
        place,
        removed: found[place].size - remaining[place].size,
        left: remaining[place].size,
      }
    })
    const hits = { place: 'hits', removed: found.hits.length, left: remaining.hits.length } as const
    return { ids: [...found.conversations], places: [...places, hits] }
  }

  #listUnproved(
    { sources }: Work,
    collections: readonly Collection[],
    isLogEmpty: boolean,
  ): readonly Unproved[] {
    const { store, isDatabase } = this.#deps
    const isWeaviate = collections.some(({ tableId }) => parseEngine(tableId) === 'weaviate')
    const unproved: readonly (readonly [Unproved, boolean])[] = [
      ['disk', true],
      ['backups', true],
      ['outside', true],
      ['retries', true],
      ['source', sources.some(source => path.isAbsolute(source) && existsSync(source))],
      ['log', !isLogEmpty],
      ['database', isDatabase],
      ['bucket', store.content.hasBucket],
      ['machines', isDatabase],
      ['weaviate', isWeaviate],
    ]
    return unproved.flatMap(([what, isSo]) => (isSo ? [what] : []))
  }
}

async function eraseRun({ runs }: Pick<Store, 'runs'>, id: string): Promise<void> {
  const run = await runs.find(id)
  if (run?.conversationId === undefined) await runs.delete(id)
  else await runs.forgetEvents(id)
}

/** Views copy rows again with their next search. */
async function removeViews(home: string, collections: readonly Collection[]): Promise<void> {
  const views = path.join(home, VIEWS)
  for (const view of await listNames(views)) {
    const tables = path.join(views, view, 'index')
    for (const name of await listNames(tables)) {
      if (collections.some(({ tableId }) => name.startsWith(`${tableId}.`)))
        await rm(path.join(tables, name), { recursive: true, force: true })
    }
  }
}

function countParts(names: readonly string[]): readonly (readonly [DeletionPlace, number])[] {
  const count = (matches: (name: string) => boolean) => names.filter(matches).length
  return [
    ['originals', count(name => name === ORIGINAL)],
    ['texts', count(name => /^(parsed|chunks)-/.test(name))],
    ['vectors', count(name => /^(vectors|pieces)-/.test(name))],
    ['pictures', count(name => name === PAGE_PICTURES)],
  ]
}

async function listNames(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? await readdir(folder) : []
}

async function countFiles(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter(entry => entry.isFile()).length
}

async function ignoreMissing(deletion: Promise<void>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
}
