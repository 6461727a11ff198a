import { localizable, withMessage } from '../../errors/localizable.ts'
import type { Foreground } from '../../system/foreground.ts'
import type { Collection } from '../store/catalog/collections.ts'
import type { Queued } from '../work/queue.ts'
import { type Change, Changes, type CompareOptions } from './change.ts'
import { Intake } from './intake.ts'
import { type ItemRun, ItemSync, type ItemSyncDeps, keepPath, toItemFailure } from './item-sync.ts'
import { createListedCheck, MissingDocuments } from './missing-documents.ts'
import type { Listed, SourceItem, SourceRoot } from './source.ts'

type SourceSyncDeps = ItemSyncDeps & { readonly foreground: Foreground }

/** Few, so that a server that is away does not delay the other sources. */
const MAX_FAILURES_IN_ROW = 20

/** Failures of one document, after which the source is still there. */
const ANSWERED: ReadonlySet<string> = new Set([
  'unauthorized',
  'not_found',
  'too_large',
  'forbidden_source',
])

/** Decides what is new, changed, moved and gone in any source, and queues the differences. */
export class SourceSync {
  readonly #deps: SourceSyncDeps
  readonly #changes: Changes
  readonly #items: ItemSync

  constructor(deps: SourceSyncDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
    this.#items = new ItemSync(deps)
  }

  /** An empty or incomplete list removes nothing. A dry run queues nothing. */
  async *compare(
    collection: Collection,
    place: SourceRoot,
    compareOptions: CompareOptions,
  ): AsyncGenerator<Change> {
    const options = { ...compareOptions, retention: place.retention }
    try {
      if (place.source.isCrawled) yield* this.#compareCrawled(collection, place, options)
      else yield* this.#compareListed(collection, place, options)
    } catch (error) {
      const failure = toItemFailure(error, options)
      if (failure.code === 'not_found')
        yield* this.#changes.reportMissing(collection, place.root, failure, options)
      else yield { source: place.root, kind: 'failed', error: failure }
    }
  }

  async *#compareCrawled(
    collection: Collection,
    place: SourceRoot,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const { documents } = this.#deps
    const listStored = async (folder: string) => {
      const stored = options.keep ? [] : await documents.listUnder(collection.id, folder)
      return stored.map(({ source }) => source)
    }
    const find = async (source: string) => await documents.findBySource(collection.id, source)
    const missing = new MissingDocuments([])
    const items = place.source.list(options.signal, listStored)
    yield* this.#compareItems(
      items,
      { collection, place, find, missing, skipped: new Map() },
      options,
    )
  }

  async *#compareListed(
    collection: Collection,
    place: SourceRoot,
    options: CompareOptions,
  ): AsyncGenerator<Change> {
    const { root, source, name, toSource = keepPath } = place
    const { only = () => true, signal } = options
    const listed: Listed[] = []
    for await (const item of source.list(signal)) listed.push(item)
    if (listed.length === 0 && ((await source.isEmpty?.(signal)) ?? true)) {
      yield* this.#changes.reportMissing(collection, root, undefined, options)
      return
    }
    const before = await this.#deps.documents.listUnder(collection.id, root)
    const existing = new Map(before.map(document => [document.source, document]))
    const isListed = createListedCheck(listed, toSource)
    const missing = new MissingDocuments(
      before.filter(
        document =>
          only(document.source) && !isListed(document.source) && !source.has?.(document.source),
      ),
    )
    const skipped = name === undefined ? new Map() : await this.#deps.skips.list(name)
    const find = async (path: string) => existing.get(path)
    const run = { collection, place, find, missing, skipped }
    const items = listed.filter(({ path }) => only(toSource(path)))
    if (!(yield* this.#compareItems(items, run, options))) return
    if (name !== undefined) await this.#forgetSkips(name, skipped, listed)
    if (options.keep) return
    for (const document of missing.listUnclaimed())
      yield await this.#changes.remove(document, options)
  }

  async #forgetSkips(
    name: string,
    skipped: ItemRun['skipped'],
    listed: readonly Listed[],
  ): Promise<void> {
    const paths = new Set(listed.map(({ path }) => path))
    const gone = [...skipped.keys()].filter(path => !paths.has(path))
    await this.#deps.skips.remove(name, gone)
  }

  /** Yields changes once they are queued. Returns false if too many failed one after another. */
  async *#compareItems(
    items: AsyncIterable<Listed> | Iterable<Listed>,
    run: Omit<ItemRun, 'intake'>,
    options: CompareOptions,
  ): AsyncGenerator<Change, boolean> {
    const intake = new Intake(this.#deps.content, this.#deps.queue)
    let changes: Change[] = []
    const failures = new FailuresInRow(item => this.#items.isThere(item, run.place, options))
    const commit = async () => {
      const queued = await intake.commit()
      const committed = changes.map(change => withDocument(change, queued.get(change.source)))
      changes = []
      return committed
    }
    try {
      for await (const item of items) {
        await this.#deps.foreground.yieldToRequests()
        const compared = await this.#items.compare(item, { ...run, intake }, options)
        changes.push(...compared)
        if (intake.isEmpty || intake.isDue) yield* await commit()
        if (!(await failures.isAwayAfter(item, compared))) continue
        yield* await commit()
        yield createBroken(run.place)
        return false
      }
      yield* await commit()
      return true
    } finally {
      await intake.close()
    }
  }
}

/** After a number of failures, an item that was read before tells whether the source is away. */
class FailuresInRow {
  readonly #isThere: (item: SourceItem) => Promise<boolean>
  #count = 0
  #readItem: SourceItem | undefined

  constructor(isThere: (item: SourceItem) => Promise<boolean>) {
    this.#isThere = isThere
  }

  async isAwayAfter(item: Listed, changes: readonly Change[]): Promise<boolean> {
    if ('error' in item || 'skipped' in item) return false
    const hasFailed = changes.some(isOfServer)
    if (!hasFailed) this.#readItem = item
    this.#count = hasFailed ? this.#count + 1 : 0
    if (this.#count < MAX_FAILURES_IN_ROW) return false
    this.#count = 0
    return !(this.#readItem && (await this.#isThere(this.#readItem)))
  }
}

function withDocument(change: Change, queued: Queued | undefined): Change {
  if (!queued) return change
  return { documentId: queued.id, ...change, ...(queued.isAlreadyQueued && { kind: 'waiting' }) }
}

function isOfServer({ kind, documentId, error }: Change): boolean {
  return kind === 'failed' && !documentId && !ANSWERED.has(error?.code ?? '')
}

/** The root of a crawl is a document of its own. */
function createBroken({ root, source }: SourceRoot): Change {
  const message = localizable`${MAX_FAILURES_IN_ROW} documents in a row could not be fetched. The others wait for the next run.`
  const error = withMessage({ code: 'fetch_failed' }, message)
  return { source: source.isCrawled ? `${root}*` : root, kind: 'failed', error }
}
