import { posix } from 'node:path'
import { Readable } from 'node:stream'
import ignore from 'ignore'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, type Failure, isOfStore, toFailure } from '../../../errors.ts'
import type { Foreground } from '../../../system/foreground.ts'
import type { Remedy } from '../../parse/refused-formats.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { DocumentSettings } from '../../store/catalog/document.ts'
import type { RequestedDocument } from '../../store/catalog/documents.ts'
import type { SourceSkips } from '../../store/catalog/source-skips.ts'
import type { Versions } from '../../store/catalog/versions.ts'
import type { ContentStore } from '../../store/contents/content.ts'
import type { StagedBytes } from '../../store/contents/staging.ts'
import {
  type Change,
  Changes,
  type ChangesDeps,
  type CompareOptions,
  createSkipped,
} from '../change.ts'
import type { Source, SourceItem, UnlistedPart } from './source.ts'

type ListedSyncDeps = ChangesDeps & {
  readonly content: ContentStore
  readonly versions: Versions
  readonly skips: SourceSkips
  readonly foreground: Foreground
  /** Per item. */
  readonly maxBytes: number
  /** Returns undefined for bytes that can be read. */
  readonly findRefusal: (
    path: string,
    settings: DocumentSettings,
    name: string,
  ) => Promise<Remedy | undefined>
}

export type NamedSource = {
  readonly name: string
  readonly source: Source
  readonly maxItems: number
}

/** Few, so that a server that is away does not delay the other sources. */
const MAX_FAILURES_IN_ROW = 20

/** Failures of one document, after which the server is still there. */
const ANSWERED: ReadonlySet<string> = new Set(['unauthorized', 'not_found', 'too_large'])

/** Characters of a path, so that lists stay readable. */
const MAX_PATH_CHARS = 1_024

/** Characters of a version, so that a server cannot fill the catalog. */
const MAX_VERSION_CHARS = 1_000

/** Compares versions, and fetches only what is new or changed. */
export class ListedSync {
  readonly #deps: ListedSyncDeps
  readonly #changes: Changes

  constructor(deps: ListedSyncDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
  }

  /** An empty or incomplete list removes nothing. */
  async *compare(
    collection: Collection,
    named: NamedSource,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const root = getSourceRoot(named.name)
    const listed = await list(named, options).catch((error: unknown) =>
      toItemFailure(error, options),
    )
    if ('code' in listed) {
      yield { source: root, kind: 'failed', error: listed }
      return
    }
    if (listed.items.length === 0) {
      yield* this.#changes.reportMissing(collection, root, undefined, options)
      return
    }
    const documents = await this.#deps.documents.listUnder(collection.id, root)
    const existing = new Map(documents.map(document => [document.source, document]))
    const skipped = await this.#deps.skips.list(named.name)
    const context = { collection, named, existing, skipped }
    if (!(yield* this.#compareItems(listed.items, context, options))) return
    const paths = new Set(listed.items.map(({ path }) => path))
    await this.#deps.skips.remove(
      named.name,
      [...skipped.keys()].filter(path => !paths.has(path)),
    )
    if (options.keep) return
    const kept = listKept(root, listed)
    for (const document of documents)
      if (!kept(document.source)) yield await this.#changes.remove(document, options)
  }

  /** Returns false if too many failed one after another. */
  async *#compareItems(
    items: readonly (SourceItem | UnlistedPart)[],
    context: Context,
    options: CompareOptions,
  ): AsyncGenerator<Change, boolean> {
    let failuresInRow = 0
    for (const item of items) {
      await this.#deps.foreground.yieldToRequests()
      const change = await this.#tryCompare(item, context, options)
      failuresInRow = isOfServer(change) ? failuresInRow + 1 : 0
      yield change
      if (failuresInRow < MAX_FAILURES_IN_ROW) continue
      const message = localizable`${MAX_FAILURES_IN_ROW} documents in a row could not be fetched. The others wait for the next run.`
      const error = withMessage({ code: 'fetch_failed' }, message)
      yield { source: getSourceRoot(context.named.name), kind: 'failed', error }
      return false
    }
    return true
  }

  async #tryCompare(
    item: SourceItem | UnlistedPart,
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const source = toItemSource(context.named.name, item.path)
    if ('error' in item) return { source, kind: 'failed', error: item.error }
    try {
      return await this.#compareItem(item, source, context, options)
    } catch (error) {
      return { source, kind: 'failed', error: toItemFailure(error, options) }
    }
  }

  async #compareItem(
    item: SourceItem,
    source: string,
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const { signal, force } = options
    signal?.throwIfAborted()
    const { collection, named, skipped } = context
    const existing = context.existing.get(source)
    const isSame = item.version !== '' && existing?.validators?.etag === item.version
    if (existing && isSame && !force && (await this.#deps.content.has(existing.sha256)))
      return await this.#compareSame(collection, existing, options)
    const skip = skipped.get(item.path)
    if (!existing && skip && !force && skip.key === this.#toSkipKey(item, options))
      return { source, kind: 'skipped', error: skip.error }
    const { maxBytes } = this.#deps
    if ((item.bytes ?? 0) > maxBytes) return createTooLarge(source, maxBytes)
    const bytes = limitBytes(await named.source.fetch(item, signal), source, maxBytes)
    const queue = (staged: StagedBytes) =>
      this.#queueStaged({ item, source, existing, staged }, context, options)
    return await this.#deps.content.stageStream(bytes, queue, signal)
  }

  async #queueStaged(
    { item, source, existing, staged }: Fetched,
    { collection, named }: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const { documents, queue, versions, skips, findRefusal } = this.#deps
    const { settings } = options
    const validators = item.version === '' ? {} : { etag: item.version }
    if (existing?.sha256 === staged.sha256) {
      await documents.setValidators(existing.id, validators)
      const same = await this.#changes.compareSame(collection, existing, options)
      if (same) return same
    }
    const name = toName(item.path)
    const refusal = existing ? undefined : await findRefusal(staged.path, settings, name)
    if (refusal) {
      const change = createSkipped(source, refusal)
      const key = this.#toSkipKey(item, options)
      if (change.error && item.version !== '')
        await skips.save(named.name, item.path, { key, error: change.error })
      return change
    }
    const kind = existing && (await versions.findPublished(existing.id)) ? 'changed' : 'new'
    const requested = { collectionId: collection.id, source, name, settings, validators }
    return { source, kind, documentId: await queue.add(requested, staged), bytes: staged.bytes }
  }

  /** Indexes stored bytes again if other stages or settings are in effect. */
  async #compareSame(
    collection: Collection,
    existing: RequestedDocument,
    options: CompareOptions,
  ): Promise<Change> {
    const { documents, versions } = this.#deps
    const { id: documentId, source } = existing
    const same = await this.#changes.compareSame(collection, existing, options)
    if (same) return same
    await documents.requeueWith(documentId, options.settings)
    const kind = (await versions.findPublished(documentId)) ? 'changed' : 'new'
    return { source, kind, documentId }
  }

  /** Another set of parsers may read it. */
  #toSkipKey({ version }: SourceItem, { settings }: CompareOptions): string {
    return this.#deps.failureKey(version, settings)
  }
}

type Skips = Awaited<ReturnType<SourceSkips['list']>>

type Context = {
  readonly collection: Collection
  readonly named: NamedSource
  /** Keyed by source. */
  readonly existing: ReadonlyMap<string, RequestedDocument>
  /** Keyed by path. */
  readonly skipped: Skips
}

type Fetched = {
  readonly item: SourceItem
  readonly source: string
  readonly existing: RequestedDocument | undefined
  readonly staged: StagedBytes
}

export function getSourceRoot(name: string): string {
  return `sync:${name}`
}

/** Escapes `#`, which begins the name of an attachment. */
function toItemSource(name: string, path: string): string {
  return `${getSourceRoot(name)}/${path.replaceAll('%', '%25').replaceAll('#', '%23')}`
}

type Listed = { readonly items: readonly (SourceItem | UnlistedPart)[] }

async function list(
  { source, maxItems }: NamedSource,
  { include, exclude, signal }: CompareOptions,
): Promise<Listed> {
  const included = include?.length ? ignore().add([...include]) : undefined
  const excluded = ignore().add([...(exclude ?? [])])
  const isIncluded = (path: string) =>
    ignore.isPathValid(path)
      ? (included?.ignores(path) ?? true) && !excluded.ignores(path)
      : included === undefined
  const items = new Map<string, SourceItem | UnlistedPart>()
  for await (const item of source.list(signal)) {
    if (!('error' in item) && !isIncluded(item.path)) continue
    if (items.size >= maxItems) throw createTooMany(maxItems)
    items.set(item.path, hasReadablePath(item) ? limitVersion(item) : createUnnamed(item))
  }
  return { items: [...items.values()] }
}

function hasReadablePath({ path }: SourceItem | UnlistedPart): boolean {
  return path !== '' && path.length <= MAX_PATH_CHARS && !/[\p{Cc}\p{Cs}]/u.test(path)
}

function limitVersion(item: SourceItem | UnlistedPart): SourceItem | UnlistedPart {
  const isLong = 'version' in item && item.version.length > MAX_VERSION_CHARS
  return isLong ? { ...item, version: '' } : item
}

function isOfServer({ kind, documentId, error }: Change): boolean {
  return kind === 'failed' && !documentId && !ANSWERED.has(error?.code ?? '')
}

function createUnnamed({ path }: SourceItem | UnlistedPart): UnlistedPart {
  const shown = path.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD').slice(0, MAX_PATH_CHARS)
  const message = localizable`The name ${shown} has control characters or is longer than ${MAX_PATH_CHARS} characters.`
  return { path: shown, error: withMessage({ code: 'invalid_input' }, message) }
}

function listKept(root: string, { items }: Listed): (source: string) => boolean {
  const name = root.slice(getSourceRoot('').length)
  const sources = new Set(items.map(({ path }) => toItemSource(name, path)))
  const unlisted = items
    .filter(item => 'error' in item)
    .map(({ path }) => `${toItemSource(name, path).replace(/\/+$/, '')}/`)
  return source => sources.has(source) || unlisted.some(folder => source.startsWith(folder))
}

/** Throws an abort, and errors of the store, which end the run. */
function toItemFailure(error: unknown, { signal }: CompareOptions): Failure {
  signal?.throwIfAborted()
  const failure = toFailure(error)
  if (isOfStore(failure.code)) throw error
  return failure
}

function limitBytes(bytes: Readable, source: string, maxBytes: number): Readable {
  const limit = async function* () {
    let total = 0
    for await (const part of bytes) {
      total += part.length
      if (total > maxBytes) throw createTooLargeError(source, maxBytes)
      yield part
    }
  }
  return Readable.from(limit(), { objectMode: false })
}

function createTooLarge(source: string, maxBytes: number): Change {
  return { source, kind: 'skipped', error: toFailure(createTooLargeError(source, maxBytes)) }
}

function createTooLargeError(source: string, maxBytes: number): AppError {
  return new AppError('too_large', localizable`${source} has more than ${maxBytes} bytes.`, {
    advice: 'To read it, raise fetching.maxBytes.',
  })
}

function createTooMany(maxItems: number): AppError {
  const message = localizable`The source has more than ${maxItems} documents. Nothing was changed.`
  return new AppError('too_large', message, {
    advice: 'Raise its maxItems, or choose with include and exclude.',
  })
}

function toName(path: string): string {
  return posix.basename(path.replaceAll('\\', '/')).trim() || 'document'
}
