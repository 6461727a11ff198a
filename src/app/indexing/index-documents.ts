import path from 'node:path'
import {
  getMessages,
  type LocalizableMessage,
  localizable,
  withMessage,
} from '../../errors/localizable.ts'
import type { AppError, Failure } from '../../errors.ts'
import type { Detect } from '../../ingest/parse/detection/detection.ts'
import type { OcrMode, Warning } from '../../ingest/parse/parser.ts'
import type { Change, Changes, CompareOptions } from '../../ingest/sources/change.ts'
import type { SourceRoot } from '../../ingest/sources/source.ts'
import type { SourceSync } from '../../ingest/sources/source-sync.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { DocumentSettings } from '../../ingest/store/catalog/document.ts'
import type { Documents, RequestedDocument } from '../../ingest/store/catalog/documents.ts'
import type { Jobs } from '../../ingest/store/catalog/jobs.ts'
import type { LeaseWait } from '../../ingest/store/catalog/lease.ts'
import type { Versions } from '../../ingest/store/catalog/versions.ts'
import type { IngestEvent } from '../../ingest/work/indexing-run.ts'
import type { DrainOptions, Ingest } from '../../ingest/work/ingest.ts'
import type { IndexedDocument, IndexResult, IndexStatus } from '../../wire/indexing.ts'
import { AttachmentChanges } from './attachment-changes.ts'
import { explainUnread } from './unread-sources.ts'

/** A site. Defaults: settings. */
type CrawlOptions = {
  readonly crawl?: 'sitemap' | number | undefined
  readonly maxPages?: number | undefined
  readonly allowPrivate?: boolean | undefined
}

export type IndexOptions = Omit<CompareOptions, 'settings' | 'signal' | 'retention'> &
  CrawlOptions &
  LeaseWait & {
    /** Globs (.gitignore syntax, relative to the root). Default: all. */
    readonly include?: readonly string[] | undefined
    readonly exclude?: readonly string[] | undefined
    readonly withoutVectors?: boolean | undefined
    readonly ocr?: OcrMode | undefined
    readonly onEvent?: ((event: IndexEvent) => void) | undefined
  }

export type IndexEvent = IngestEvent | ({ readonly type: 'found' } & Change)

const OUTCOME_OF: Readonly<Record<Change['kind'], IndexStatus>> = {
  new: 'indexed',
  changed: 'replaced',
  waiting: 'indexed',
  unchanged: 'unchanged',
  moved: 'moved',
  removed: 'removed',
  failed: 'failed',
  skipped: 'skipped',
}

type Root = string | SourceRoot

export type OpenRoot = (
  root: string,
  options: Pick<IndexOptions, 'include' | 'exclude' | keyof CrawlOptions>,
) => SourceRoot

type Compared = { readonly changes: readonly Change[]; readonly warnings: Warning[] }

type IndexDocumentsDeps = {
  readonly sourceSync: SourceSync
  readonly openRoot: OpenRoot
  readonly ingest: Ingest
  readonly documents: Documents
  readonly versions: Versions
  readonly changes: Changes
  readonly jobs: Jobs
  readonly detect: Detect
}

export class IndexDocuments {
  readonly #deps: IndexDocumentsDeps

  constructor(deps: IndexDocumentsDeps) {
    this.#deps = deps
  }

  async explainUnread(
    planned: Collection,
    paths: readonly string[],
    options: IndexOptions,
  ): Promise<IndexResult | undefined> {
    const started = performance.now()
    const places = listRoots(paths).map(root => this.#deps.openRoot(root, options))
    const changes = await explainUnread(this.#deps, planned, places, {
      ...options,
      settings: toSettings(options),
    })
    if (!changes) return undefined
    for (const change of changes) options.onEvent?.({ type: 'found', ...change })
    const documents = await Promise.all(
      changes.map(async change => await this.#readOutcome(change, options)),
    )
    const seconds = (performance.now() - started) / 1000
    return { collection: planned.name, documents, totals: countTotals(documents), seconds }
  }

  async queue(collection: Collection, path: string, options: IndexOptions): Promise<Change> {
    const { changes } = await this.#compare(collection, [path], options)
    return changes[0]!
  }

  async run(
    collection: Collection,
    paths: readonly Root[],
    options: IndexOptions,
  ): Promise<IndexResult> {
    if (options.dryRun) return await this.#run(collection, paths, options)
    if (options.noWait) await this.#deps.ingest.requireFree(collection)
    const registration = await this.#deps.ingest.registerRun(collection)
    try {
      return await this.#run(collection, paths, options)
    } finally {
      await registration?.release()
    }
  }

  async #run(
    collection: Collection,
    paths: readonly Root[],
    options: IndexOptions,
  ): Promise<IndexResult> {
    const started = performance.now()
    const { changes, warnings } = await this.#compare(collection, paths, options)
    const hasOtherRuns = await this.#deps.ingest.hasOtherRuns(collection)
    const attachments = new AttachmentChanges(this.#deps, collection, changes)
    const ended = new Set<string>()
    const onReEmbedFailure = (error: AppError) => {
      const { message, advice } = getMessages(error)
      warnings.push(withMessage({ code: error.code }, message, advice))
    }
    if (!options.dryRun) {
      await attachments.compare({ settings: toSettings(options), password: options.password })
      await this.#drain(collection, changes, { ...options, onReEmbedFailure }, ended)
    }
    const attached = options.dryRun ? [] : await attachments.listOutcomes()
    const named = new Set(paths.map(root => path.resolve(getRootName(root))))
    const outcomes = await Promise.all(
      [...changes, ...attached].map(async change => {
        const counted = options.dryRun
          ? change
          : withOthers(change, hasOtherRuns ? new Set() : ended)
        return await this.#readOutcome(counted, options)
      }),
    )
    const documents = await Promise.all(
      outcomes.map(outcome => this.#skipBlankPicture(outcome, named)),
    )
    const seconds = (performance.now() - started) / 1000
    const notes = warnings.length > 0 ? { warnings } : {}
    return {
      collection: collection.name,
      documents,
      totals: countTotals(documents),
      ...notes,
      seconds,
    }
  }

  async #drain(
    collection: Collection,
    changes: readonly Change[],
    options: IndexOptions & DrainOptions,
    ended: Set<string>,
  ): Promise<void> {
    const { ingest, documents, jobs } = this.#deps
    const pending = new Set(changes.map(change => change.documentId).filter(id => id !== undefined))
    const unchanged = new Set<string | undefined>()
    for (const { documentId, kind } of changes)
      if (kind === 'unchanged' || kind === 'moved') unchanged.add(documentId)
    const reportSettled = async () => {
      for (const id of pending) {
        const settled = await this.#settle(id, pending)
        if (settled && !unchanged.has(id) && !ended.has(id))
          options.onEvent?.(toDoneElsewhere(settled))
      }
    }
    const isPointless = async () => {
      for (const { documentId, source, stage, done, total } of await jobs.listRunning(
        collection.id,
      )) {
        const size = total === undefined ? {} : { total }
        if (stage && documentId)
          options.onEvent?.({ type: 'progress', documentId, source, stage, done, ...size })
      }
      await reportSettled()
      return pending.size === 0
    }
    const isOurs = await ingest.drain(collection, { ...withNotes(ended, options), isPointless })
    await reportSettled()
    if (isOurs || options.password === undefined) return
    const locked: string[] = []
    for (const { documentId } of changes)
      if (documentId && (await this.#isLocked(documentId))) locked.push(documentId)
    await documents.requeue(locked)
    if (locked.length > 0) await ingest.drain(collection, options)
  }

  async #isLocked(documentId: string): Promise<boolean> {
    return (await this.#deps.documents.find(documentId))?.error?.code === 'encrypted'
  }

  async #settle(id: string, pending: Set<string>): Promise<RequestedDocument | undefined> {
    const { documents } = this.#deps
    const document = await documents.findRequested(id)
    if (document?.status === 'in_progress') return undefined
    pending.delete(id)
    for (const attached of await documents.listAttached(id))
      if (attached.status === 'in_progress') pending.add(attached.id)
    return document
  }

  async #compare(
    collection: Collection,
    paths: readonly Root[],
    options: IndexOptions,
  ): Promise<Compared> {
    const all = { ...options, settings: toSettings(options) }
    const changes = new Map<string, Change>()
    const warnings: Warning[] = []
    for (const root of listRoots(paths)) {
      let isEmpty = options.only === undefined // otherwise the others are unchanged
      const place = typeof root === 'string' ? this.#deps.openRoot(root, options) : root
      for await (const change of this.#deps.sourceSync.compare(collection, place, all)) {
        options.onEvent?.({ type: 'found', ...change })
        if (!changes.has(change.source)) changes.set(change.source, change)
        isEmpty = false
      }
      if (isEmpty) warnings.push(withMessage({ code: 'empty' }, toEmptyMessage(getRootName(root))))
    }
    return { changes: [...changes.values()], warnings }
  }

  /** Reports a picture without text in a folder as skipped: photographs lie beside documents. */
  async #skipBlankPicture(
    outcome: IndexedDocument,
    named: ReadonlySet<string>,
  ): Promise<IndexedDocument> {
    const { status, error, source, parentId } = outcome
    if (status !== 'failed' || error?.code !== 'no_text' || parentId || named.has(source))
      return outcome
    const mediaType = await this.#deps.detect(source, path.basename(source)).catch(() => undefined)
    return mediaType?.startsWith('image/') ? { ...outcome, status: 'skipped' } : outcome
  }

  async #readOutcome(change: Change, { dryRun }: IndexOptions): Promise<IndexedDocument> {
    const { source, error, documentId } = change
    const document = documentId && !dryRun ? await this.#deps.documents.find(documentId) : undefined
    const isCancelled = document?.status === 'cancelled'
    const status = isCancelled || document?.status === 'failed' ? 'failed' : OUTCOME_OF[change.kind]
    const failure = isCancelled ? toCancelled(source) : (document?.error ?? error)
    return {
      ...(documentId && { id: documentId }),
      source,
      ...(document?.parentId && { parentId: document.parentId }),
      status,
      ...(document?.pages !== undefined && { pages: document.pages }),
      chunks: document?.chunks ?? 0,
      tokens: document?.tokens ?? 0,
      warnings: document?.warnings ?? [],
      ...(failure && { error: failure }),
    }
  }
}

export function toEmptyMessage(folders: string): LocalizableMessage {
  return localizable`There are no files to read in ${folders}. Files of all formats that Passim knows are read, also in folders below it (PDF, Word, Excel, PowerPoint, HTML, e-mail, text, pictures and others), except those whose name begins with a dot, or that .gitignore, .passimignore, include or exclude leave out.`
}

function listRoots<Named extends Root>(roots: readonly Named[]): readonly (Named | string)[] {
  const resolve = (root: Named) =>
    typeof root !== 'string' || looksLikeUrl(root) ? root : path.resolve(root)
  return [...new Set(roots.map(resolve))]
}

function getRootName(root: Root): string {
  return typeof root === 'string' ? root : root.root
}

function withNotes(ended: Set<string>, options: IndexOptions): IndexOptions {
  return {
    ...options,
    onEvent: event => {
      if (event.type === 'done') ended.add(event.documentId)
      options.onEvent?.(event)
    },
  }
}

/** Only who queued a document counts it. */
function withOthers(change: Change, ended: ReadonlySet<string>): Change {
  const isTheirs =
    change.kind === 'waiting' && change.documentId !== undefined && !ended.has(change.documentId)
  return isTheirs ? { ...change, kind: 'unchanged' } : change
}

function toDoneElsewhere({ id, source, status, error }: RequestedDocument): IndexEvent {
  const outcome = status === 'completed' ? 'indexed' : 'failed'
  return { type: 'done', documentId: id, source, outcome, ...(error && { error }) }
}

function toSettings({ withoutVectors, ocr }: IndexOptions): DocumentSettings {
  return { ...(withoutVectors && { withoutVectors }), ...(ocr && { ocr }) }
}

function toCancelled(source: string): Failure {
  const advice = 'To resume it, run passim jobs retry; passim jobs lists what was cancelled.'
  return withMessage({ code: 'cancelled' }, localizable`Indexing ${source} was cancelled.`, advice)
}

function countTotals(documents: readonly IndexedDocument[]): IndexResult['totals'] {
  const totals = {
    indexed: 0,
    unchanged: 0,
    replaced: 0,
    moved: 0,
    removed: 0,
    failed: 0,
    skipped: 0,
    chunks: 0,
  }
  for (const { status, chunks } of documents) {
    totals[status]++
    totals.chunks += chunks
  }
  return totals
}
