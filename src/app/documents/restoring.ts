import path from 'node:path'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { looksLikeUrl, parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection, Collections } from '../../ingest/store/catalog/collections.ts'
import type { Deletion, Deletions } from '../../ingest/store/catalog/deletions.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import type { DrainOptions, Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Retention } from './collection-admin.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export function createRetention({ deleting: { keepDays } }: Settings): Retention {
  return ({ now = false }) => (now || keepDays === 0 ? {} : { keepMs: keepDays * DAY_MS })
}

/** Document or file by id, source or base name, or a collection. */
type DeletionReference = {
  readonly document?: string | undefined
  readonly collection?: string | undefined
}

type RestoreOptions = Omit<DrainOptions, 'isPointless'> & {
  readonly as?: string | undefined
}

type RestoringDeps = {
  readonly collections: Collections
  readonly documents: Documents
  readonly deletions: Deletions
  readonly ingest: Pick<Ingest, 'drain'>
  readonly removal: Pick<Removal, 'forgetDeleted'>
}

export class Restoring {
  readonly #deps: RestoringDeps

  constructor(deps: RestoringDeps) {
    this.#deps = deps
  }

  /** Newest first. */
  async list(): Promise<readonly Deletion[]> {
    return await this.#deps.deletions.list()
  }

  /** Returns the newest. Throws `not_found`, or `conflict` for an ambiguous name. */
  async find({ document, collection }: DeletionReference): Promise<Deletion> {
    const found =
      document === undefined
        ? (await this.list()).filter(
            deletion => deletion.kind === 'collection' && isDeletionFrom(deletion, collection),
          )
        : await this.#findByName(document, collection)
    const [first] = found
    const named = document ?? localizable`collection ${collection}`
    if (!first) {
      throw new AppError('not_found', localizable`No deletion of ${named} can be undone.`, {
        advice:
          'To list what can be restored, run passim restore. A backup is read by passim import.',
      })
    }
    const others = found.filter(
      deletion => deletion.source !== first.source || deletion.collectionId !== first.collectionId,
    )
    if (document === undefined || others.length === 0) return first
    const places = [first, ...others].map(
      deletion => `${deletion.source ?? deletion.subjectId} of ${deletion.name} (${deletion.id})`,
    )
    const message = localizable`Several deleted documents have the name ${document}: ${places.join(', ')}. Give the path, the collection or the id.`
    throw new AppError('conflict', message)
  }

  /** Makes searchable from stored data. */
  async run(deletion: Deletion, { as, ...options }: RestoreOptions = {}): Promise<void> {
    for (const collection of await this.start(deletion, as)) await this.finish(collection, options)
  }

  async start(deletion: Deletion, as?: string): Promise<readonly Collection[]> {
    const { collections, deletions } = this.#deps
    const touched = await deletions.restore(deletion, as)
    return (await Promise.all(touched.map(async id => await collections.findById(id)))).filter(
      collection => collection !== undefined,
    )
  }

  async finish(collection: Collection, options: Omit<RestoreOptions, 'as'> = {}): Promise<void> {
    const { ingest } = this.#deps
    const isPointless = async () => !(await this.isUnfinished(collection))
    await ingest.drain(collection, { ...options, isPointless })
  }

  async isUnfinished({ id }: Pick<Collection, 'id'>): Promise<boolean> {
    return (await this.#deps.documents.countQueued(id)) > 0
  }

  async forget(deletion: Deletion): Promise<void> {
    const { deletions, removal } = this.#deps
    await deletions.end(deletion)
    await removal.forgetDeleted()
  }

  async #findByName(
    reference: string,
    collection: string | undefined,
  ): Promise<readonly Deletion[]> {
    const all = (await this.list()).filter(
      deletion =>
        deletion.kind !== 'collection' &&
        (collection === undefined || isDeletionFrom(deletion, collection)),
    )
    const source = looksLikeUrl(reference) ? parseWebUrl(reference).href : path.resolve(reference)
    const ways: readonly ((deletion: Deletion) => boolean)[] = [
      deletion => deletion.id === reference || deletion.subjectId === reference,
      deletion => deletion.source === reference || deletion.source === source,
      deletion =>
        path.posix.basename(deletion.source ?? '') === reference ||
        (deletion.kind === 'file' && deletion.name === reference),
    ]
    return ways.map(isMeant => all.filter(isMeant)).find(found => found.length > 0) ?? []
  }
}

function isDeletionFrom({ name, collectionId }: Deletion, collection: string | undefined): boolean {
  return name === collection || collectionId === collection
}
