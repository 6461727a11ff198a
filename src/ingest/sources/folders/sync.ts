import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { withMessage } from '../../../errors/localizable.ts'
import { type Failure, isOfStore, toFailure } from '../../../errors.ts'
import { hashBytes, hashFile, readSmallFile } from '../../../system/digest.ts'
import type { Foreground } from '../../../system/foreground.ts'
import type { Content } from '../../parse/detection/detection.ts'
import type { Remedy } from '../../parse/refused-formats.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { DocumentSettings } from '../../store/catalog/document.ts'
import type { RequestedDocument } from '../../store/catalog/documents.ts'
import type { Versions } from '../../store/catalog/versions.ts'
import type { ContentStore } from '../../store/contents/content.ts'
import type { Files } from '../../store/contents/files.ts'
import type { Queued } from '../../work/queue.ts'
import {
  type Change,
  Changes,
  type ChangesDeps,
  type CompareOptions,
  createSkipped,
} from '../change.ts'
import { Intake } from './intake.ts'
import { openMisnamed, toBytes } from './misnamed.ts'
import {
  createUnreadableError,
  type Found,
  findSourceKind,
  isUnreadable,
  liesInStore,
  type WalkOptions,
  walk,
} from './source.ts'

type SyncDeps = ChangesDeps & {
  readonly content: ContentStore
  readonly files: Files
  readonly versions: Versions
  readonly foreground: Foreground
  readonly home: string
  /** Returns undefined for a file that can be read. */
  readonly findRefusal: (
    path: string,
    settings: DocumentSettings,
    content?: Content,
  ) => Promise<Remedy | undefined>
}

/** Smaller files are read once, to be compared and stored. Protects memory. */
const SMALL_BYTES = 1024 * 1024

/** Compares by content, and queues the differences. */
export class Sync {
  readonly #deps: SyncDeps
  readonly #changes: Changes

  constructor(deps: SyncDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
  }

  /** A dry run queues nothing. */
  async *compare(
    collection: Collection,
    root: string,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const kind = await findSourceKind(root).catch(toFailure)
    if (typeof kind !== 'string') {
      yield* this.#changes.reportMissing(collection, root, kind, options)
      return
    }
    if (await liesInStore(this.#deps.home, root)) {
      yield { source: root, kind: 'failed', error: OWN }
      return
    }
    const found: Found[] = []
    if (kind === 'file') found.push({ path: root })
    const { home: without } = this.#deps
    if (kind === 'folder')
      for await (const file of walk(root, { ...options, without })) found.push(file)
    if (found.length === 0 && !(await hasFiles(root, { without, signal: options.signal }))) {
      yield* this.#changes.reportMissing(collection, root, undefined, options)
      return
    }
    const before = await this.#deps.documents.listUnder(collection.id, root)
    const existing = new Map(before.map(document => [document.source, document]))
    const { only = () => true } = options
    const missing = new MissingDocuments(
      findGone(before, found, options).filter(document => only(document.source)),
    )
    const compared = found.filter(file => only(file.path))
    yield* this.#compareFiles(
      collection,
      compared,
      { existing, missing, isNamed: kind === 'file' },
      options,
    )
    if (options.keep) return
    for (const document of missing.listUnclaimed())
      yield await this.#changes.remove(document, options)
  }

  /** Yields each difference once it is queued. */
  async *#compareFiles(
    collection: Collection,
    found: readonly Found[],
    compared: Omit<Context, 'intake'>,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const intake = new Intake(this.#deps.content, this.#deps.queue)
    let changes: Change[] = []
    try {
      for (const [index, file] of found.entries()) {
        await this.#deps.foreground.yieldToRequests()
        changes.push(await this.#tryCompare(collection, file, { ...compared, intake }, options))
        if (!intake.isEmpty && !intake.isDue && index < found.length - 1) continue
        const queued = await intake.commit()
        for (const change of changes) yield withDocument(change, queued.get(change.source))
        changes = []
      }
    } finally {
      await intake.close()
    }
  }

  async #tryCompare(
    collection: Collection,
    file: Found,
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    if (file.error) return { source: file.path, kind: 'failed', error: file.error }
    if (file.skipped) return { source: file.path, kind: 'skipped', error: file.skipped }
    try {
      return await this.#compareFile(collection, file.path, context, options)
    } catch (error) {
      options.signal?.throwIfAborted()
      const failure = toFailure(
        isUnreadable(file.path, error) ? createUnreadableError(file.path, error) : error,
      )
      if (isOfStore(failure.code)) throw error
      return { source: file.path, kind: 'failed', error: failure }
    }
  }

  async #compareFile(
    collection: Collection,
    source: string,
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    options.signal?.throwIfAborted()
    const misnamed = await openMisnamed(source)
    try {
      const file = misnamed ? `/proc/self/fd/${misnamed.fd}` : source
      return await this.#compareOpened(collection, { source, file }, context, options)
    } finally {
      await misnamed?.close()
    }
  }

  async #compareOpened(
    collection: Collection,
    { source, file }: { readonly source: string; readonly file: string },
    context: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const digested = await readAndDigest(file, options.signal)
    const { bytes, sha256, size } = digested
    const existing = context.existing.get(source)
    const same =
      existing?.sha256 === sha256
        ? await this.#compareSame(collection, existing, { file, bytes: size }, options)
        : undefined
    if (same) return same
    const moved = existing ? undefined : context.missing.claim(sha256)
    if (!moved) return await this.#add(collection, { source, file, ...digested }, context, options)
    return await this.#move(collection, { moved, source, from: bytes ?? file }, context, options)
  }

  async #add(
    collection: Collection,
    { source, file, bytes, sha256, size }: Opened,
    { existing: documents, isNamed, intake }: Context,
    options: CompareOptions,
  ): Promise<Change> {
    const existing = documents.get(source)
    const content = bytes && { sha256, bytes }
    const refusal =
      existing || isNamed
        ? undefined
        : await this.#deps.findRefusal(content ? source : file, options.settings, content)
    if (refusal) return createSkipped(source, refusal)
    const kind =
      existing && (await this.#deps.versions.findPublished(existing.id)) ? 'changed' : 'new'
    if (options.dryRun) return { source, kind, ...(existing && { documentId: existing.id }) }
    const requested = {
      collectionId: collection.id,
      source,
      name: path.basename(source),
      settings: options.settings,
    }
    const seen = { revision: existing?.revision }
    await intake.add(requested, bytes ?? file, { seen, signal: options.signal })
    return { source, kind, bytes: size }
  }

  /** Copies the bytes again if the store has lost them. */
  async #compareSame(
    collection: Collection,
    existing: RequestedDocument,
    { file, bytes }: { readonly file: string; readonly bytes: number },
    options: CompareOptions,
  ) {
    const { content, files } = this.#deps
    const isStored =
      options.dryRun || (await content.isComplete({ sha256: existing.sha256, bytes }))
    if (!isStored) await files.restore(existing.sha256, file, options.signal)
    return await this.#changes.compareSame(collection, existing, options)
  }

  async #move(
    collection: Collection,
    { moved, source, from }: Move,
    { intake }: Context,
    options: CompareOptions,
  ) {
    const change = { source, documentId: moved.id, kind: 'moved' } as const
    if (options.dryRun) return change
    const name = path.basename(source)
    const same = await this.#changes.compareSame(collection, moved, options)
    await this.#deps.documents.move(moved, source, name)
    if (same) return change
    await intake.add(
      { collectionId: collection.id, source, name, settings: options.settings },
      from,
      {
        signal: options.signal,
      },
    )
    return change
  }
}

const OWN: Failure = withMessage(
  { code: 'forbidden_source' },
  'It is part of the store, which contains copies and settings, not documents. Name the documents.',
)

type Opened = Awaited<ReturnType<typeof readAndDigest>> & {
  readonly source: string
  /** Path to read from. */
  readonly file: string
}

type Move = {
  readonly moved: RequestedDocument
  readonly source: string
  /** Bytes, or the path of the file. */
  readonly from: Buffer | string
}

type Context = {
  /** Keyed by source. */
  readonly existing: ReadonlyMap<string, RequestedDocument>
  readonly missing: MissingDocuments
  readonly isNamed: boolean
  readonly intake: Intake
}

function withDocument(change: Change, queued: Queued | undefined): Change {
  if (!queued) return change
  return { documentId: queued.id, ...change, ...(queued.isAlreadyQueued && { kind: 'waiting' }) }
}

/** Ignores the filters. */
async function hasFiles(folder: string, options: WalkOptions): Promise<boolean> {
  const { done } = await walk(folder, options).next()
  return !done
}

async function readAndDigest(source: string, signal?: AbortSignal) {
  const bytes = await readSmallFile(source, SMALL_BYTES)
  if (bytes) return { bytes, sha256: hashBytes(bytes), size: bytes.length }
  return { bytes, sha256: await hashFile(source, signal), size: (await stat(source)).size }
}

class MissingDocuments {
  readonly #bySha256 = new Map<string, RequestedDocument[]>()

  constructor(documents: readonly RequestedDocument[]) {
    for (const document of documents) {
      const same = this.#bySha256.get(document.sha256)
      if (same) same.push(document)
      else this.#bySha256.set(document.sha256, [document])
    }
  }

  /** Takes out a document with these bytes, whose file was found again. */
  claim(sha256: string): RequestedDocument | undefined {
    return this.#bySha256.get(sha256)?.shift()
  }

  listUnclaimed(): readonly RequestedDocument[] {
    return [...this.#bySha256.values()].flat()
  }
}

function findGone(
  documents: readonly RequestedDocument[],
  found: readonly Found[],
  { include, exclude }: WalkOptions,
): readonly RequestedDocument[] {
  const isFiltered = Boolean(include?.length || exclude?.length)
  const present = new Set(found.map(file => file.path))
  const unreadable = found.filter(file => file.error).map(file => file.path + path.sep)
  return documents.filter(({ source }) => {
    if (present.has(source) || unreadable.some(folder => source.startsWith(folder))) return false
    return !isFiltered || !existsSync(toBytes(source) ?? source)
  })
}
