import { getMessages, localizable, withMessage } from '../../errors/localizable.ts'
import type { Failure } from '../../errors.ts'
import type { Remedy } from '../parse/refused-formats.ts'
import type { Collection } from '../store/catalog/collections.ts'
import type { RemovalOptions } from '../store/catalog/deletions.ts'
import type { DocumentSettings } from '../store/catalog/document.ts'
import type { Documents, RequestedDocument } from '../store/catalog/documents.ts'
import type { Queue } from '../work/queue.ts'
import type { Removal } from '../work/removal.ts'

export type Change = {
  readonly source: string
  readonly documentId?: string
  readonly kind:
    | 'new'
    | 'changed'
    | 'unchanged'
    | 'waiting'
    | 'moved'
    | 'removed'
    | 'failed'
    | 'skipped'
  /** Known only for a source to be indexed. */
  readonly bytes?: number
  readonly error?: Failure
}

export type CompareOptions = {
  readonly settings: DocumentSettings
  /** Compare only these sources. Default: all. */
  readonly only?: ((source: string) => boolean) | undefined
  readonly force?: boolean | undefined
  readonly keep?: boolean | undefined
  /** Remove the documents of a root that is missing or empty. */
  readonly prune?: boolean | undefined
  readonly password?: string | undefined
  readonly dryRun?: boolean | undefined
  /** Default: removed documents cannot be restored. */
  readonly retention?: RemovalOptions | undefined
  readonly signal?: AbortSignal | undefined
}

export type ChangesDeps = {
  readonly documents: Documents
  readonly queue: Queue
  readonly removal: Removal
  readonly failureKey: (sha256: string, settings: DocumentSettings) => string
}

export class Changes {
  readonly #deps: ChangesDeps

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  async compareSame(
    collection: Collection,
    existing: RequestedDocument,
    { settings, password, force }: Pick<CompareOptions, 'settings' | 'password' | 'force'>,
  ): Promise<Change | undefined> {
    const { id: documentId, source } = existing
    if (force && existing.status !== 'in_progress') return undefined
    const isFinal = existing.error?.code !== 'encrypted' || password === undefined
    if (
      existing.status === 'failed' &&
      isFinal &&
      existing.failedStages === this.#deps.failureKey(existing.sha256, settings)
    ) {
      return {
        source,
        documentId,
        kind: 'failed',
        ...(existing.error && { error: existing.error }),
      }
    }
    if (
      existing.status === 'in_progress' &&
      JSON.stringify(existing.settings) === JSON.stringify(settings)
    ) {
      return { source, documentId, kind: 'waiting', bytes: existing.bytes }
    }
    const isCurrent = await this.#deps.queue.isCurrent(collection, existing, settings)
    return isCurrent ? { source, documentId, kind: 'unchanged' } : undefined
  }

  async remove(document: RequestedDocument, options: CompareOptions): Promise<Change> {
    if (!options.dryRun) await this.#deps.removal.removeDocument(document.id, options.retention)
    return { source: document.source, documentId: document.id, kind: 'removed' }
  }

  async *reportMissing(
    collection: Collection,
    root: string,
    failure: Failure | undefined,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const documents = await this.#deps.documents.listUnder(collection.id, root)
    if (options.prune) {
      for (const document of documents) yield await this.remove(document, options)
      if (documents.length > 0) return
    }
    if (!failure && documents.length === 0) return
    const error: Failure =
      failure ??
      withMessage({ code: 'not_found' }, localizable`There are no files in ${root} any more.`)
    const isOne = documents.length === 1
    const { message: reason } = getMessages(error)
    const warning = withMessage(
      { code: error.code },
      isOne
        ? localizable`${reason} Its document remains in the collection.`
        : localizable`${reason} Its ${documents.length} documents remain in the collection.`,
      isOne
        ? 'To remove it, index again with --prune.'
        : 'To remove them, index again with --prune.',
    )
    yield { source: root, kind: 'failed', error: documents.length > 0 ? warning : error }
  }
}

export function createSkipped(source: string, { message, advice }: Remedy): Change {
  const sentence = localizable`${source} has a format that cannot be read. ${message}`
  const error = withMessage({ code: 'unsupported_format' }, sentence, advice)
  return { source, kind: 'skipped', error }
}
