import { AppError, toFailure } from '../../errors.ts'
import type { Collection } from '../catalog/collections.ts'
import type { WantedDocument } from '../catalog/documents.ts'
import { type Change, Changes, type ChangesParts, type CompareOptions } from '../sync/change.ts'
import type { Fetcher } from './fetcher.ts'
import { Frontier, folderOf } from './frontier.ts'
import { Site } from './site.ts'
import type { Visit, VisitOptions, WebPages } from './web-pages.ts'
import { shown, webUrl } from './web-url.ts'

export type WebOptions = CompareOptions & {
  /** Also other pages of the site: those of its sitemap, or those at most so many links away. */
  readonly crawl?: 'sitemap' | number | undefined
  /** Of one site; a setting by default. */
  readonly maxPages?: number | undefined
  /** Also addresses that are not public; a setting by default. */
  readonly allowPrivate?: boolean | undefined
}

export type WebSyncParts = ChangesParts & {
  readonly pages: WebPages
  readonly fetcherFor: (allowPrivate: boolean | undefined) => Fetcher
  /** Between two requests to one site, in milliseconds. */
  readonly delayMs: number
  readonly maxPages: number
}

type Run = { readonly collection: Collection; readonly fetcher: Fetcher; readonly options: WebOptions }

/** Compares pages of the web with the documents of a collection, and queues what differs. */
export class WebSync {
  readonly #parts: WebSyncParts
  readonly #changes: Changes

  constructor(parts: WebSyncParts) {
    this.#parts = parts
    this.#changes = new Changes(parts)
  }

  /** The difference at one URL, or of the site it begins, queued as it is found unless this is a dry run. */
  async *compare(collection: Collection, given: string, options: WebOptions): AsyncGenerator<Change> {
    try {
      const run = { collection, fetcher: this.#parts.fetcherFor(options.allowPrivate), options }
      if (options.crawl === undefined) yield* this.#named(webUrl(given), run)
      else yield* this.#site(webUrl(given), options.crawl, run)
    } catch (error) {
      yield failed(shown(given), error, options)
    }
  }

  /** A page asked for by name. One that is gone is not removed without a word: perhaps the site has moved. */
  async *#named(url: URL, run: Run): AsyncGenerator<Change, Visit> {
    const { collection, options } = run
    const visit = await this.#parts.pages.visit(url, { ...options, ...run, isNamed: true })
    if (visit.kind === 'seen') yield visit.change
    if (visit.kind === 'gone') {
      yield* this.#changes.missing(collection, url.href, { code: 'fetch_failed', message: visit.message }, options)
    }
    return visit
  }

  async *#site(given: URL, crawl: 'sitemap' | number, run: Run): AsyncGenerator<Change> {
    const { signal } = run.options
    const asked = await this.#open(given, run)
    if (!asked.allows(given)) throw new AppError('forbidden_source', disallowed(given).error!.message) // it always has one
    await asked.pause(signal)
    const first = yield* this.#named(given, run)
    if (first.kind !== 'seen') return
    const start = first.url
    const site = start.origin === given.origin ? asked : await this.#open(start, run)
    const maxPages = run.options.maxPages ?? this.#parts.maxPages
    const maxDepth = crawl === 'sitemap' ? 1 : crawl
    const frontier = new Frontier({ ...run.options, start, maxDepth, maxPages: maxPages - 1 })
    for (const url of [given, start]) frontier.see(url)
    if (crawl === 'sitemap') yield* this.#addSitemap(site, start, frontier, maxPages, run)
    else frontier.add(first.links, 1)
    yield* this.#walk(site, frontier, run)
    if (frontier.isCut) yield cut(start, maxPages)
    if (!run.options.keep) yield* this.#gone(start, site, frontier, run)
  }

  #open(url: URL, { fetcher, options }: Run): Promise<Site> {
    return Site.open(fetcher, url, this.#parts.delayMs, options.signal)
  }

  async *#addSitemap(site: Site, start: URL, frontier: Frontier, maxPages: number, { options }: Run) {
    try {
      frontier.add(await site.sitemapPages(maxPages, options.signal), 1)
    } catch (error) {
      yield failed(new URL('/sitemap.xml', start).href, error, options)
    }
  }

  async *#walk(site: Site, frontier: Frontier, run: Run): AsyncGenerator<Change> {
    for (let step = frontier.take(); step; step = frontier.take()) {
      const { visit, change } = await this.#page(step.url, site, frontier, run)
      if (visit?.kind === 'seen') frontier.add(visit.links, step.depth + 1)
      if (change) yield change
    }
  }

  async #page(url: URL, site: Site, frontier: Frontier, run: Run): Promise<{ visit?: Visit; change?: Change }> {
    const { collection, options } = run
    try {
      if (!site.allows(url)) return { change: disallowed(url) }
      await site.pause(options.signal)
      const accepts = (finalUrl: URL) =>
        finalUrl.href === url.href || (frontier.isInReach(finalUrl) && site.allows(finalUrl) && frontier.see(finalUrl))
      const visit = await this.#parts.pages.visit(url, {
        ...options,
        ...run,
        isNamed: false,
        accepts,
      } satisfies VisitOptions)
      if (visit.kind === 'seen') return { visit, change: visit.change }
      const known = this.#parts.documents.bySource(collection.id, url.href)
      const isGone = visit.kind === 'gone' || frontier.hasSeen(visit.url.href)
      if (known && isGone && !options.keep) return { visit, change: await this.#changes.remove(known, options) }
      if (visit.kind === 'elsewhere') return { visit }
      return {
        visit,
        change: { source: url.href, kind: 'skipped', error: { code: 'fetch_failed', message: visit.message } },
      }
    } catch (error) {
      return { change: failed(url.href, error, options) }
    }
  }

  /** Documents that no link led to any more are asked for: only what the server says is gone is removed. */
  async *#gone(start: URL, site: Site, frontier: Frontier, run: Run): AsyncGenerator<Change> {
    const folder = new URL(folderOf(start), start).href
    const known: readonly WantedDocument[] = this.#parts.documents.under(run.collection.id, folder)
    for (const { source } of known) {
      const url = new URL(source)
      if (frontier.hasSeen(source) || !frontier.isInReach(url)) continue
      const { change } = await this.#page(url, site, frontier, run)
      if (change) yield change
    }
  }
}

/** An abort and a full disk end the run; anything else is that page's own failure. */
function failed(source: string, error: unknown, { signal }: WebOptions): Change {
  signal?.throwIfAborted()
  const failure = toFailure(error)
  if (failure.code === 'disk_full' || !(error instanceof AppError)) throw error
  return { source, kind: 'failed', error: failure }
}

function disallowed({ href, host }: URL): Change {
  const message = `${href} is left alone, as the robots.txt of ${host} asks.`
  return { source: href, kind: 'skipped', error: { code: 'forbidden_source', message } }
}

function cut(start: URL, maxPages: number): Change {
  const source = `${new URL(folderOf(start), start).href}*`
  const message = `${source} has more than ${maxPages} pages; the others were left out. Raise --max-pages.`
  return { source, kind: 'skipped', error: { code: 'too_large', message } }
}
