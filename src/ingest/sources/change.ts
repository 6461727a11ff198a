import type { Failure } from '../../errors.ts'
import type { Collection } from '../store/catalog/collections.ts'
import type { DocumentSettings } from '../store/catalog/document.ts'
import type { Documents, WantedDocument } from '../store/catalog/documents.ts'
import type { Queue } from '../work/queue.ts'
import type { Removal } from '../work/removal.ts'

/** What a run finds out about one source before anything is indexed. */
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
  /** Of what is to be indexed, where it is known before. */
  readonly bytes?: number
  readonly error?: Failure
}

export type CompareOptions = {
  readonly settings: DocumentSettings
  /** Only sources that match one of these globs (.gitignore syntax, relative to the root); all when empty. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Only sources of files for which this holds are looked at; the others are as they were. All when absent. */
  readonly only?: ((source: string) => boolean) | undefined
  /** Index again what is unchanged. */
  readonly force?: boolean | undefined
  /** Leave documents whose source is gone. */
  readonly keep?: boolean | undefined
  /** Remove documents of a root that is missing or empty. */
  readonly prune?: boolean | undefined
  /** Opens encrypted files; it is handed to their parser and written down nowhere. */
  readonly password?: string | undefined
  /** Only say what would change. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export type ChangesParts = {
  readonly documents: Documents
  readonly queue: Queue
  readonly removal: Removal
  readonly failureKey: (sha256: string, settings: DocumentSettings) => string
}

/** What becomes of known documents, wherever they come from. */
export class Changes {
  readonly #parts: ChangesParts

  constructor(parts: ChangesParts) {
    this.#parts = parts
  }

  /** Same bytes under the same source: undefined where it is to be indexed anew. What waits already is, whoever asked first. */
  async same(
    collection: Collection,
    known: WantedDocument,
    { settings, password, force }: Pick<CompareOptions, 'settings' | 'password' | 'force'>,
  ): Promise<Change | undefined> {
    const { id: documentId, source } = known
    if (force && known.status !== 'in_progress') return undefined
    const isFinal = known.error?.code !== 'encrypted' || password === undefined
    if (
      known.status === 'failed' &&
      isFinal &&
      known.failedStages === this.#parts.failureKey(known.sha256, settings)
    ) {
      return { source, documentId, kind: 'failed', ...(known.error && { error: known.error }) }
    }
    if (
      known.status === 'in_progress' &&
      JSON.stringify(known.settings) === JSON.stringify(settings)
    ) {
      return { source, documentId, kind: 'waiting', bytes: known.bytes }
    }
    const isCurrent = await this.#parts.queue.isCurrent(collection, known, settings)
    return isCurrent ? { source, documentId, kind: 'unchanged' } : undefined
  }

  async remove(document: WantedDocument, options: CompareOptions): Promise<Change> {
    if (!options.dryRun) await this.#parts.removal.document(document.id)
    return { source: document.source, documentId: document.id, kind: 'removed' }
  }

  /** A root that is missing, or empty where it held documents, removes nothing unless told to. */
  async *missing(
    collection: Collection,
    root: string,
    failure: Failure | undefined,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const documents = await this.#parts.documents.under(collection.id, root)
    if (options.prune) {
      for (const document of documents) yield await this.remove(document, options)
      if (documents.length > 0) return
    }
    if (!failure && documents.length === 0) return
    const { code, message } = failure ?? {
      code: 'not_found' as const,
      message: `There are no files in ${root} any more.`,
    }
    const held = `It held ${documents.length} documents, which stay: --prune removes them.`
    yield {
      source: root,
      kind: 'failed',
      error: { code, message: documents.length > 0 ? `${message} ${held}` : message },
    }
  }
}

/** Of a source that nobody asked for by name. */
export function skipped(source: string): Change {
  const message = `${source} is of no format that can be read.`
  return { source, kind: 'skipped', error: { code: 'unsupported_format', message } }
}
