import ignore from 'ignore'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, isOfStore, toFailure } from '../../../errors.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { RequestedDocument } from '../../store/catalog/documents.ts'
import { type Change, Changes, type ChangesDeps, type CompareOptions } from '../change.ts'
import type { Fetcher } from './fetcher.ts'
import { Site } from './site.ts'
import type { PageVisit, VisitOptions, WebPages } from './web-pages.ts'
import { parseWebUrl, redactUrl } from './web-url.ts'

export type WebOptions = CompareOptions & {
  /** Index also pages of its sitemap, or within this number of links. */
  readonly crawl?: 'sitemap' | number | undefined
  /** Per site. Default: a setting. */
  readonly maxPages?: number | undefined
  /** Allow addresses that are not public. Default: a setting. */
  readonly allowPrivate?: boolean | undefined
}

type WebSyncDeps = ChangesDeps & {
  readonly pages: WebPages
  readonly createFetcher: (allowPrivate: boolean | undefined) => Fetcher
  /** Pause between requests to one site. */
  readonly delayMs: number
  readonly maxPages: number
}

type Run = {
  readonly collection: Collection
  readonly fetcher: Fetcher
  readonly options: WebOptions
}

/** Protects memory from an endless site. */
const WAITING_PER_PAGE = 100

export class WebSync {
  readonly #deps: WebSyncDeps
  readonly #changes: Changes

  constructor(deps: WebSyncDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
  }

  async *compare(
    collection: Collection,
    address: string,
    options: WebOptions,
  ): AsyncGenerator<Change> {
    try {
      const run = { collection, fetcher: this.#deps.createFetcher(options.allowPrivate), options }
      if (options.crawl === undefined) yield* this.#visitNamed(parseWebUrl(address), run)
      else yield* this.#crawl(parseWebUrl(address), options.crawl, run)
    } catch (error) {
      yield createFailed(redactUrl(address), error, options)
    }
  }

  /** Reports a missing page instead of removing it: the site may have moved. */
  async *#visitNamed(url: URL, run: Run): AsyncGenerator<Change, PageVisit> {
    const { collection, options } = run
    const visit = await this.#deps.pages.visit(url, { ...options, ...run, isNamed: true })
    if (visit.kind === 'seen') yield visit.change
    if (visit.kind === 'gone') {
      yield* this.#changes.reportMissing(
        collection,
        url.href,
        withMessage({ code: 'fetch_failed' }, visit.message),
        options,
      )
    }
    return visit
  }

  async *#crawl(startUrl: URL, crawl: 'sitemap' | number, run: Run): AsyncGenerator<Change> {
    const { signal } = run.options
    const startSite = await this.#open(startUrl, run)
    if (!startSite.allows(startUrl))
      throw new AppError('forbidden_source', describeDisallowed(startUrl))
    await startSite.pause(signal)
    const first = yield* this.#visitNamed(startUrl, run)
    if (first.kind !== 'seen') return
    const start = first.url
    const site = start.origin === startUrl.origin ? startSite : await this.#open(start, run)
    const maxPages = run.options.maxPages ?? this.#deps.maxPages
    const maxDepth = crawl === 'sitemap' ? 1 : crawl
    const frontier = new Frontier({ ...run.options, start, maxDepth, maxPages: maxPages - 1 })
    for (const url of [startUrl, start]) frontier.markSeen(url)
    if (crawl === 'sitemap') yield* this.#addSitemap(site, start, frontier, maxPages, run)
    else frontier.add(first.links, 1)
    yield* this.#walk(site, frontier, run)
    if (frontier.isCut) yield createCut(start, maxPages)
    if (!run.options.keep) yield* this.#visitUnlinked(start, site, frontier, run)
  }

  #open(url: URL, { fetcher, options }: Run): Promise<Site> {
    return Site.open(fetcher, url, this.#deps.delayMs, options.signal)
  }

  async *#addSitemap(
    site: Site,
    start: URL,
    frontier: Frontier,
    maxPages: number,
    { options }: Run,
  ) {
    try {
      frontier.add(await site.listSitemapPages(maxPages, options.signal), 1)
    } catch (error) {
      yield createFailed(new URL('/sitemap.xml', start).href, error, options)
    }
  }

  async *#walk(site: Site, frontier: Frontier, run: Run): AsyncGenerator<Change> {
    for (let step = frontier.take(); step; step = frontier.take()) {
      const { visit, change } = await this.#visit(step.url, site, frontier, run)
      if (visit?.kind === 'seen') frontier.add(visit.links, step.depth + 1)
      if (change) yield change
    }
  }

  async #visit(
    url: URL,
    site: Site,
    frontier: Frontier,
    run: Run,
  ): Promise<{ visit?: PageVisit; change?: Change }> {
    const { collection, options } = run
    try {
      if (!site.allows(url)) return { change: createDisallowed(url) }
      await site.pause(options.signal)
      const accepts = (finalUrl: URL) =>
        finalUrl.href === url.href ||
        (frontier.isInReach(finalUrl) && site.allows(finalUrl) && frontier.markSeen(finalUrl))
      const visit = await this.#deps.pages.visit(url, {
        ...options,
        ...run,
        isNamed: false,
        accepts,
      } satisfies VisitOptions)
      if (visit.kind === 'seen') return { visit, change: visit.change }
      const existing = await this.#deps.documents.findBySource(collection.id, url.href)
      const isGone = visit.kind === 'gone' || frontier.hasSeen(visit.url.href)
      if (existing && isGone && !options.keep)
        return { visit, change: await this.#changes.remove(existing, options) }
      if (visit.kind === 'elsewhere') return { visit }
      return {
        visit,
        change: {
          source: url.href,
          kind: 'skipped',
          error: withMessage({ code: 'fetch_failed' }, visit.message),
        },
      }
    } catch (error) {
      return { change: createFailed(url.href, error, options) }
    }
  }

  /** Requests documents that no link led to; removes those that are gone. */
  async *#visitUnlinked(
    start: URL,
    site: Site,
    frontier: Frontier,
    run: Run,
  ): AsyncGenerator<Change> {
    const folder = new URL(getFolder(start), start).href
    const existing: readonly RequestedDocument[] = await this.#deps.documents.listUnder(
      run.collection.id,
      folder,
    )
    for (const { source } of existing) {
      const url = new URL(source)
      if (frontier.hasSeen(source) || !frontier.isInReach(url)) continue
      const { change } = await this.#visit(url, site, frontier, run)
      if (change) yield change
    }
  }
}

function createFailed(source: string, error: unknown, { signal }: WebOptions): Change {
  signal?.throwIfAborted()
  const failure = toFailure(error)
  if (isOfStore(failure.code) || !(error instanceof AppError)) throw error
  return { source, kind: 'failed', error: failure }
}

function createDisallowed(url: URL): Change {
  const message = describeDisallowed(url)
  return {
    source: url.href,
    kind: 'skipped',
    error: withMessage({ code: 'forbidden_source' }, message),
  }
}

function describeDisallowed({ href, host }: URL): string {
  return `${href} is left alone, as the robots.txt of ${host} asks.`
}

function createCut(start: URL, maxPages: number): Change {
  const source = `${new URL(getFolder(start), start).href}*`
  const message = localizable`${source} has more than ${maxPages} pages; the others were left out.`
  const advice = 'To read more, raise --max-pages.'
  return { source, kind: 'skipped', error: withMessage({ code: 'too_large' }, message, advice) }
}

type Step = { readonly url: URL; readonly depth: number }

type FrontierOptions = {
  /** Only pages of its origin and folder are in reach. */
  readonly start: URL
  readonly maxDepth: number
  readonly maxPages: number
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** Pages to request: each once, nearest first. */
export class Frontier {
  readonly #options: FrontierOptions
  readonly #isIncluded: (relative: string) => boolean
  readonly #seen = new Set<string>()
  readonly #waiting: Step[] = []
  #next = 0

  constructor(options: FrontierOptions) {
    this.#options = options
    const include = options.include?.length ? ignore().add([...options.include]) : undefined
    const exclude = ignore().add([...(options.exclude ?? [])])
    this.#isIncluded = relative =>
      (include?.ignores(relative) ?? true) && !exclude.ignores(relative)
  }

  get isCut(): boolean {
    return this.#next >= this.#options.maxPages && this.#next < this.#waiting.length
  }

  add(urls: readonly URL[], depth: number): void {
    const limit = this.#options.maxPages * WAITING_PER_PAGE
    if (depth > this.#options.maxDepth) return
    for (const url of urls) {
      if (this.#waiting.length >= limit) return
      if (this.isInReach(url) && this.markSeen(url)) this.#waiting.push({ url, depth })
    }
  }

  markSeen({ href }: URL): boolean {
    return this.#seen.size < this.#seen.add(href).size
  }

  hasSeen(href: string): boolean {
    return this.#seen.has(href)
  }

  take(): Step | undefined {
    return this.#next < this.#options.maxPages ? this.#waiting[this.#next++] : undefined
  }

  isInReach(url: URL): boolean {
    const { start } = this.#options
    const relative = url.pathname.replace(/^\/+/, '') // globs are relative
    if (url.origin !== start.origin || !url.pathname.startsWith(getFolder(start))) return false
    return relative === '' || (ignore.isPathValid(relative) && this.#isIncluded(relative))
  }
}

/** Returns `/docs/` for `/docs/` and for `/docs/intro.html`. */
function getFolder({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}
