import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { localizable, withMessage } from '../../errors/localizable.ts'
import { AppError, type Failure, isOfStore, toFailure } from '../../errors.ts'
import type { Content } from '../parse/detection/detection.ts'
import type { Remedy } from '../parse/refused-formats.ts'
import type { Collection } from '../store/catalog/collections.ts'
import type { DocumentSettings, Validators } from '../store/catalog/document.ts'
import type { RequestedDocument } from '../store/catalog/documents.ts'
import type { SourceSkips } from '../store/catalog/source-skips.ts'
import type { Versions } from '../store/catalog/versions.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { Files } from '../store/contents/files.ts'
import type { StagedBytes } from '../store/contents/staging.ts'
import type { QueueEntry } from '../work/queue.ts'
import {
  type Change,
  Changes,
  type ChangesDeps,
  type CompareOptions,
  createSkipped,
} from './change.ts'
import type { Intake } from './intake.ts'
import type { MissingDocuments } from './missing-documents.ts'
import type { Fetched, Listed, SourceItem, SourceRoot } from './source.ts'

export type ItemSyncDeps = ChangesDeps & {
  readonly content: ContentStore
  readonly files: Files
  readonly versions: Versions
  readonly skips: SourceSkips
  /** Per document of a server. */
  readonly maxBytes: number
  readonly findRefusal: (
    file: { readonly file: string; readonly name: string; readonly content?: Content | undefined },
    settings: DocumentSettings,
  ) => Promise<Remedy | undefined>
}

export class ItemSync {
  readonly #deps: ItemSyncDeps
  readonly #changes: Changes

  constructor(deps: ItemSyncDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
  }

  async compare(item: Listed, run: ItemRun, options: CompareOptions): Promise<readonly Change[]> {
    const { toSource = keepPath } = run.place
    const source = toSource(item.path)
    if ('error' in item) return [{ source, kind: 'failed', error: item.error }]
    if ('skipped' in item) return [{ source, kind: 'skipped', error: item.skipped }]
    try {
      options.signal?.throwIfAborted()
      return await this.#compareItem(item, source, run, options)
    } catch (error) {
      return [{ source, kind: 'failed', error: toItemFailure(error, options) }]
    }
  }

  async isThere(
    item: SourceItem,
    { source }: SourceRoot,
    { signal }: CompareOptions,
  ): Promise<boolean> {
    try {
      const fetched = await source.fetch(item, { signal })
      if (fetched.kind === 'stream') fetched.bytes.destroy()
      if (fetched.kind === 'file') await fetched.close()
      return true
    } catch {
      signal?.throwIfAborted()
      return false
    }
  }

  async #compareItem(
    item: SourceItem,
    source: string,
    run: ItemRun,
    options: CompareOptions,
  ): Promise<readonly Change[]> {
    const { force, signal } = options
    const existing = await run.find(source)
    const validators = force ? undefined : await this.#findValidators(existing)
    const isSame = item.version !== undefined && validators?.etag === item.version
    if (existing && isSame) return [await this.#compareStored(existing, run, options)]
    const skip = run.skipped.get(item.path)
    if (!existing && skip && !force && skip.key === this.#toSkipKey(item, options))
      return [{ source, kind: 'skipped', error: skip.error }]
    if ((item.bytes ?? 0) > this.#deps.maxBytes)
      return [createTooLarge(source, this.#deps.maxBytes)]
    const fetched = await run.place.source.fetch(item, { validators, signal })
    if (fetched.kind === 'elsewhere') return []
    if (fetched.kind === 'gone')
      return await this.#reportGone({ item, source, existing }, fetched, run, options)
    if (fetched.kind === 'unchanged') {
      if (!existing) throw new Error('Only a known document has validators.')
      await this.#inspectStored(existing, fetched)
      return [await this.#compareStored(existing, run, options)]
    }
    return [await this.#compareFetched({ item, source, existing }, fetched, run, options)]
  }

  async #findValidators(existing: RequestedDocument | undefined): Promise<Validators | undefined> {
    if (!existing?.validators) return undefined
    return (await this.#deps.content.has(existing.sha256)) ? existing.validators : undefined
  }

  /** A named item is reported instead of removed: it may have moved. */
  async #reportGone(
    { item, source, existing }: Compared,
    { message }: Fetched & { readonly kind: 'gone' },
    { collection }: ItemRun,
    options: CompareOptions,
  ): Promise<readonly Change[]> {
    const error = withMessage({ code: 'fetch_failed' }, message ?? '')
    if (item.isNamed) {
      const changes: Change[] = []
      const missing = this.#changes.reportMissing(collection, source, error, options)
      for await (const change of missing) changes.push(change)
      return changes
    }
    if (existing && !options.keep) return [await this.#changes.remove(existing, options)]
    return message === undefined ? [] : [{ source, kind: 'skipped', error }]
  }

  async #inspectStored(
    { sha256 }: RequestedDocument,
    { inspect }: Fetched & { readonly kind: 'unchanged' },
  ): Promise<void> {
    const { content } = this.#deps
    if (!inspect) return
    await content.download(sha256, 'original')
    if (await content.has(sha256)) await inspect(content.getOriginalPath(sha256))
  }

  /** Indexes stored bytes again if other stages or settings are in effect. */
  async #compareStored(
    existing: RequestedDocument,
    { collection }: ItemRun,
    options: CompareOptions,
  ): Promise<Change> {
    const { id: documentId, source } = existing
    const settings = withMediaType(options.settings, existing.settings.mediaType)
    const same = await this.#changes.compareSame(collection, existing, { ...options, settings })
    if (same) return same
    if (!options.dryRun) await this.#deps.documents.requeueWith(documentId, settings)
    return { source, kind: await this.#chooseKind(existing), documentId }
  }

  async #compareFetched(
    listed: Compared,
    fetched: Fetched & { readonly kind: 'stream' | 'file' },
    run: ItemRun,
    options: CompareOptions,
  ): Promise<Change> {
    const { item } = listed
    const { toSource = keepPath } = run.place
    if (fetched.kind === 'file') {
      const { file, name, bytes, sha256, size, close } = fetched
      const content = bytes && { sha256, bytes }
      const read = { file, sha256, size, content, from: bytes ?? file, name }
      return await this.#compareBytes({ ...listed, ...read }, run, options).finally(close)
    }
    const { name = toName(item.path), validators = toValidators(item), path = item.path } = fetched
    const source = toSource(path)
    const bytes = limitBytes(fetched.bytes, source, this.#deps.maxBytes)
    const staged = await run.intake.receive(bytes, options.signal)
    const { path: file, sha256, bytes: size } = staged
    const hasMoved =
      source !== listed.source && (await this.#follow(listed, { source, name }, run, options))
    const existing = source === listed.source ? listed.existing : await run.find(source)
    const mediaType = await fetched.inspect?.(file)
    const read = { item, source, existing, name, validators, mediaType, file, sha256, size }
    const change = await this.#compareBytes({ ...read, from: staged }, run, options)
    return hasMoved && change.kind === 'unchanged' ? { ...change, kind: 'moved' } : change
  }

  async #follow(
    { existing }: Compared,
    { source, name }: { readonly source: string; readonly name: string },
    { find }: ItemRun,
    { dryRun }: CompareOptions,
  ): Promise<boolean> {
    if (!existing || dryRun || (await find(source))) return false
    await this.#deps.documents.move(existing, source, name)
    return true
  }

  async #compareBytes(read: Read, run: ItemRun, options: CompareOptions): Promise<Change> {
    const { existing, source, sha256 } = read
    const all = { ...options, settings: withMediaType(options.settings, read.mediaType) }
    if (existing?.sha256 === sha256) {
      if (!options.dryRun) await this.#refresh(existing, read, options)
      const same = await this.#changes.compareSame(run.collection, existing, all)
      if (same) return same
    }
    const moved = existing ? undefined : run.missing.claim(sha256)
    if (moved) return await this.#move(moved, read, run, all)
    const refusal = await this.#findRefusal(read, run, all)
    if (refusal) return refusal
    const kind = await this.#chooseKind(existing)
    if (options.dryRun) return { source, kind, ...(existing && { documentId: existing.id }) }
    await this.#queue(read, run, all, { revision: existing?.revision })
    return { source, kind, bytes: read.size }
  }

  /** Copies the bytes again if the store has lost them. */
  async #refresh(
    { id }: RequestedDocument,
    { sha256, size, file, validators }: Read,
    { signal }: CompareOptions,
  ): Promise<void> {
    const { content, files, documents } = this.#deps
    const isStored = await content.isComplete({ sha256, bytes: size })
    if (!isStored) await files.restore(sha256, file, signal)
    if (validators) await documents.setValidators(id, validators)
  }

  async #move(
    moved: RequestedDocument,
    read: Read,
    run: ItemRun,
    options: CompareOptions,
  ): Promise<Change> {
    const { source, name, validators } = read
    const change = { source, documentId: moved.id, kind: 'moved' } as const
    if (options.dryRun) return change
    const same = await this.#changes.compareSame(run.collection, moved, options)
    await this.#deps.documents.move(moved, source, name)
    if (same && validators) await this.#deps.documents.setValidators(moved.id, validators)
    if (!same) await this.#queue(read, run, options)
    return change
  }

  async #findRefusal(
    { item, source, existing, name, file, content }: Read,
    { place }: ItemRun,
    options: CompareOptions,
  ): Promise<Change | undefined> {
    if (existing || item.isNamed) return undefined
    const found = { file: content ? source : file, name, content }
    const refusal = await this.#deps.findRefusal(found, options.settings)
    if (!refusal) return undefined
    const change = createSkipped(source, refusal)
    const key = this.#toSkipKey(item, options)
    if (place.name !== undefined && item.version !== undefined && change.error)
      await this.#deps.skips.save(place.name, item.path, { key, error: change.error })
    return change
  }

  async #queue(
    { source, name, validators, from }: Read,
    { collection, intake, place: { move } }: ItemRun,
    { settings, signal }: CompareOptions,
    seen?: QueueEntry['seen'],
  ): Promise<void> {
    const requested = { collectionId: collection.id, source, name, settings }
    await intake.add({ ...requested, ...(validators && { validators }) }, from, {
      seen,
      move,
      signal,
    })
  }

  async #chooseKind(existing: RequestedDocument | undefined): Promise<'new' | 'changed'> {
    return existing && (await this.#deps.versions.findPublished(existing.id)) ? 'changed' : 'new'
  }

  /** Another set of parsers may read it. */
  #toSkipKey({ version = '' }: SourceItem, { settings }: CompareOptions): string {
    return this.#deps.failureKey(version, settings)
  }
}

export type ItemRun = {
  readonly collection: Collection
  readonly place: SourceRoot
  readonly find: (source: string) => Promise<RequestedDocument | undefined>
  readonly missing: MissingDocuments
  readonly skipped: Awaited<ReturnType<SourceSkips['list']>>
  readonly intake: Intake
}

type Compared = {
  readonly item: SourceItem
  readonly source: string
  readonly existing: RequestedDocument | undefined
}

type Read = Compared & {
  readonly name: string
  readonly file: string
  readonly sha256: string
  readonly size: number
  readonly from: Buffer | string | StagedBytes
  readonly content?: Content | undefined
  readonly validators?: Validators | undefined
  readonly mediaType?: string | undefined
}

export function keepPath(path: string): string {
  return path
}

function toName(path: string): string {
  return posix.basename(path.replaceAll('\\', '/')).trim() || 'document'
}

function toValidators({ version }: SourceItem): Validators {
  return version === undefined ? {} : { etag: version }
}

function withMediaType(
  settings: DocumentSettings,
  mediaType: string | undefined,
): DocumentSettings {
  return mediaType === undefined ? settings : { ...settings, mediaType }
}

/** Throws an abort, and errors of the store, which end the run. */
export function toItemFailure(error: unknown, { signal }: CompareOptions): Failure {
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
