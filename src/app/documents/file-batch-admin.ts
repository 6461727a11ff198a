import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document, DocumentStatus } from '../../ingest/store/catalog/document.ts'
import type { FileBatch } from '../../ingest/store/catalog/file-batches.ts'
import type { Store } from '../stores/store.ts'
import type { CollectionAdmin, FileEntry } from './collection-admin.ts'

export type FileBatchState = {
  readonly batch: FileBatch
  readonly status: 'in_progress' | 'completed' | 'cancelled' | 'failed'
  /** Removed files count as cancelled. */
  readonly counts: Readonly<Record<DocumentStatus, number>>
}

export class FileBatchAdmin {
  readonly #store: Store
  readonly #collections: CollectionAdmin

  constructor(store: Store, collections: CollectionAdmin) {
    this.#store = store
    this.#collections = collections
  }

  /** Adds all files or none. Throws `not_found`. */
  async create(collection: Collection, entries: readonly FileEntry[]): Promise<FileBatch> {
    const documents = await this.#collections.addFiles(collection, entries)
    const ids = documents.map(document => document.id)
    return await this.#store.fileBatches.add(collection.id, ids)
  }

  async get(collection: Collection, id: string): Promise<FileBatch> {
    const batch = await this.#store.fileBatches.find(collection.id, id)
    if (batch) return batch
    throw new AppError(
      'not_found',
      localizable`There is no file batch ${id} in collection ${collection.id}.`,
      { about: id },
    )
  }

  async listDocuments(batch: FileBatch): Promise<readonly Document[]> {
    return await this.#store.documents.findAll(batch.documentIds)
  }

  async state(batch: FileBatch): Promise<FileBatchState> {
    const counts = { in_progress: 0, completed: 0, failed: 0, cancelled: 0 }
    const documents = await this.listDocuments(batch)
    for (const { status } of documents) counts[status]++
    counts.cancelled += batch.documentIds.length - documents.length
    return { batch, counts, status: toStatus(batch, counts) }
  }

  async cancel(batch: FileBatch): Promise<FileBatchState> {
    const { fileBatches, jobs } = this.#store
    await jobs.cancelDocuments(batch.documentIds)
    await fileBatches.cancel(batch.id)
    return await this.state({ ...batch, cancelled: true })
  }
}

function toStatus(
  { cancelled, documentIds }: FileBatch,
  { in_progress, failed }: FileBatchState['counts'],
): FileBatchState['status'] {
  if (cancelled) return 'cancelled'
  if (in_progress > 0) return 'in_progress'
  return failed === documentIds.length ? 'failed' : 'completed'
}
