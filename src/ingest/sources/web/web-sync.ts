import ignore from 'ignore'
import { AppError, isOfStore, toFailure } from '../../../errors.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { WantedDocument } from '../../store/catalog/documents.ts'
import { type Change, Changes, type ChangesParts, type CompareOptions } from '../change.ts'
import type { Fetcher } from './fetcher.ts'
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

type WebSyncParts = ChangesParts & {
  readonly pages: WebPages
  readonly fetcherFor: (allowPrivate: boolean | undefined) => Fetcher
  /** Between two requests to one site, in milliseconds. */
  readonly delayMs: number
  readonly maxPages: number
}

type Run = {
  readonly collection: Collection
  readonly fetcher: Fetcher
  readonly options: WebOptions
}

/** Addresses kept per page that may be asked for, so that an endless site takes bounded memory. */
const WAITING_PER_PAGE = 100

/** Compares pages of the web with the documents of a collection, and queues what differs. */
export class WebSync {
  readonly #parts: WebSyncParts
  readonly #changes: Changes

  constructor(parts: WebSyncParts) {
    this.#parts = parts
    this.#changes = new Changes(parts)
  }

  /** The difference at one URL, or of the site it begins, queued as it is found unless this is a dry run. */
  async *compare(
    collection: Collection,
    given: string,
    options: WebOptions,
  ): AsyncGenerator<Change> {
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
      yield* this.#changes.missing(
        collection,
        url.href,
        { code: 'fetch_failed', message: visit.message },
        options,
      )
    }
    return visit
  }

  async *#site(given: URL, crawl: 'sitemap' | number, run: Run): AsyncGenerator<Change> {
    const { signal } = run.options
    const asked = await this.#open(given, run)
    if (!asked.allows(given))
      throw new AppError('forbidden_source', disallowed(given).error!.message) // it always has one
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

  async *#addSitemap(
    site: Site,
    start: URL,
    frontier: Frontier,
    maxPages: number,
    { options }: Run,
  ) {
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

  async #page(
    url: URL,
    site: Site,
    frontier: Frontier,
    run: Run,
  ): Promise<{ visit?: Visit; change?: Change }> {
    const { collection, options } = run
    try {
      if (!site.allows(url)) return { change: disallowed(url) }
      await site.pause(options.signal)
      const accepts = (finalUrl: URL) =>
        finalUrl.href === url.href ||
        (frontier.isInReach(finalUrl) && site.allows(finalUrl) && frontier.see(finalUrl))
      const visit = await this.#parts.pages.visit(url, {
        ...options,
        ...run,
        isNamed: false,
        accepts,
      } satisfies VisitOptions)
      if (visit.kind === 'seen') return { visit, change: visit.change }
      const known = await this.#parts.documents.bySource(collection.id, url.href)
      const isGone = visit.kind === 'gone' || frontier.hasSeen(visit.url.href)
      if (known && isGone && !options.keep)
        return { visit, change: await this.#changes.remove(known, options) }
      if (visit.kind === 'elsewhere') return { visit }
      return {
        visit,
        change: {
          source: url.href,
          kind: 'skipped',
          error: { code: 'fetch_failed', message: visit.message },
        },
      }
    } catch (error) {
      return { change: failed(url.href, error, options) }
    }
  }

  /** Documents that no link led to any more are asked for: only what the server says is gone is removed. */
  async *#gone(start: URL, site: Site, frontier: Frontier, run: Run): AsyncGenerator<Change> {
    const folder = new URL(folderOf(start), start).href
    const known: readonly WantedDocument[] = await this.#parts.documents.under(
      run.collection.id,
      folder,
    )
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
  if (isOfStore(failure.code) || !(error instanceof AppError)) throw error
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

/** A page to be asked for, and how many links it is from the start. */
type Step = { readonly url: URL; readonly depth: number }

type FrontierOptions = {
  /** The page that the crawl began at; only pages of its origin, in its folder, are in reach. */
  readonly start: URL
  readonly maxDepth: number
  readonly maxPages: number
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/** The pages of a site that are still to be asked for: each once, nearest first, bounded. */
export class Frontier {
  readonly #options: FrontierOptions
  readonly #isWanted: (relative: string) => boolean
  readonly #seen = new Set<string>()
  readonly #waiting: Step[] = []
  #next = 0

  constructor(options: FrontierOptions) {
    this.#options = options
    const include = options.include?.length ? ignore().add([...options.include]) : undefined
    const exclude = ignore().add([...(options.exclude ?? [])])
    this.#isWanted = relative => (include?.ignores(relative) ?? true) && !exclude.ignores(relative)
  }

  /** Whether pages were left out because there are too many. */
  get isCut(): boolean {
    return this.#next >= this.#options.maxPages && this.#next < this.#waiting.length
  }

  add(urls: readonly URL[], depth: number): void {
    const limit = this.#options.maxPages * WAITING_PER_PAGE
    if (depth > this.#options.maxDepth) return
    for (const url of urls) {
      if (this.#waiting.length >= limit) return
      if (this.isInReach(url) && this.see(url)) this.#waiting.push({ url, depth })
    }
  }

  /** False when the page is known already. */
  see({ href }: URL): boolean {
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
    const relative = url.pathname.replace(/^\/+/, '') // globs are relative, however many slashes a link begins with
    if (url.origin !== start.origin || !url.pathname.startsWith(folderOf(start))) return false
    return relative === '' || (ignore.isPathValid(relative) && this.#isWanted(relative))
  }
}

/** `/docs/` of `/docs/` and of `/docs/intro.html`. */
function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}
