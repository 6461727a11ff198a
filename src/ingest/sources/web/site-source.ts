import { posix } from 'node:path'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, isOfStore, toFailure } from '../../../errors.ts'
import { decodePercent } from '../../../system/data-uri.ts'
import type { Fetched, FetchOptions, Listed, Source, SourceItem } from '../source.ts'
import type { Fetcher } from './fetcher.ts'
import { Frontier, getFolder } from './frontier.ts'
import { readLinks } from './page-links.ts'
import { Site } from './site.ts'
import { parseWebUrl } from './web-url.ts'

export type SiteOptions = {
  readonly crawl?: 'sitemap' | number
  readonly maxPages: number
  readonly delayMs: number
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

type SiteDeps = {
  readonly fetcher: Fetcher
  /** Detects the media type by content, and kinds of text by name. Throws for damaged files. */
  readonly detect: (path: string, name: string) => Promise<string>
}

type Visit = { readonly url: URL; links: readonly URL[] }

type Crawl = { readonly site: Site; readonly frontier: Frontier }

/** Length of a name, so that lists stay readable. */
const MAX_NAME_CHARS = 200

/** A page, or a site that is crawled from it; paths are URLs, and requests conditional. */
export class SiteSource implements Source {
  readonly isCrawled = true
  readonly #address: string
  readonly #deps: SiteDeps
  readonly #options: SiteOptions
  #site: Site | undefined
  #crawl: Crawl | undefined
  #visit: Visit | undefined

  constructor(address: string, deps: SiteDeps, options: SiteOptions) {
    this.#address = address
    this.#deps = deps
    this.#options = options
  }

  async *list(
    signal: AbortSignal | undefined,
    listStored: (folder: string) => Promise<readonly string[]>,
  ): AsyncGenerator<Listed> {
    const { crawl, maxPages } = this.#options
    const startUrl = parseWebUrl(this.#address)
    const named = { path: startUrl.href, isNamed: true }
    if (crawl === undefined) {
      yield named
      return
    }
    this.#site = await this.#open(startUrl, signal)
    if (!this.#site.allows(startUrl))
      throw new AppError('forbidden_source', describeDisallowed(startUrl))
    yield named
    const visit = this.#readVisit()
    if (!visit) return
    const { url: start, links } = visit
    if (start.origin !== startUrl.origin) this.#site = await this.#open(start, signal)
    const maxDepth = crawl === 'sitemap' ? 1 : crawl
    const limits = { start, maxDepth, maxPages: maxPages - 1 }
    const frontier = new Frontier({ ...this.#options, ...limits })
    this.#crawl = { site: this.#site, frontier }
    for (const url of [startUrl, start]) frontier.markSeen(url)
    if (crawl === 'sitemap') yield* this.#addSitemap(this.#crawl, start, signal)
    else frontier.add(links, 1)
    yield* this.#listReached(this.#crawl)
    if (frontier.isCut) yield createCut(start, maxPages)
    for (const path of await listStored(new URL(getFolder(start), start).href)) {
      const url = new URL(path)
      if (!frontier.hasSeen(path) && frontier.isInReach(url)) yield this.#toItem(url)
    }
  }

  async fetch({ path, isNamed }: SourceItem, options: FetchOptions): Promise<Fetched> {
    const url = new URL(path)
    this.#visit = undefined
    await this.#site?.pause(options.signal)
    const fetched = await this.#deps.fetcher.get(url, options)
    if (fetched.kind === 'gone') return fetched
    if (fetched.kind === 'page' && !isNamed && !this.#mayFollow(url, fetched.url)) {
      fetched.body.destroy()
      const isSeen = this.#crawl?.frontier.hasSeen(fetched.url.href)
      return { kind: isSeen ? 'gone' : 'elsewhere' }
    }
    const visit = { url: fetched.url, links: [] }
    this.#visit = visit
    if (fetched.kind === 'unchanged')
      return { kind: 'unchanged', inspect: file => this.#inspect(file, 'page.html', visit) }
    const { body: bytes, validators, fileName, mediaType } = fetched
    const name = chooseName(fetched.url, fileName)
    const inspect = async (file: string) => {
      const declared = await this.#inspect(file, name + (ENDINGS[mediaType] ?? ''), visit)
      return (await this.#detect(file, name)) === declared ? undefined : declared
    }
    const source = isNamed ? url.href : fetched.url.href
    return { kind: 'stream', bytes, name, path: source, validators, inspect }
  }

  #open(url: URL, signal: AbortSignal | undefined): Promise<Site> {
    return Site.open(this.#deps.fetcher, url, this.#options.delayMs, signal)
  }

  async *#addSitemap(
    { site, frontier }: Crawl,
    start: URL,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Listed> {
    try {
      frontier.add(await site.listSitemapPages(this.#options.maxPages, signal), 1)
    } catch (error) {
      signal?.throwIfAborted()
      const failure = toFailure(error)
      if (isOfStore(failure.code) || !(error instanceof AppError)) throw error
      yield { path: new URL('/sitemap.xml', start).href, error: failure }
    }
  }

  async *#listReached({ frontier }: Crawl): AsyncGenerator<Listed> {
    for (let step = frontier.take(); step; step = frontier.take()) {
      this.#visit = undefined
      yield this.#toItem(step.url)
      frontier.add(this.#readVisit()?.links ?? [], step.depth + 1)
    }
  }

  #readVisit(): Visit | undefined {
    return this.#visit
  }

  #toItem(url: URL): Listed {
    if (this.#site?.allows(url)) return { path: url.href }
    const message = describeDisallowed(url)
    return { path: url.href, skipped: withMessage({ code: 'forbidden_source' }, message) }
  }

  #mayFollow(url: URL, finalUrl: URL): boolean {
    if (finalUrl.href === url.href || !this.#crawl) return true
    const { site, frontier } = this.#crawl
    return frontier.isInReach(finalUrl) && site.allows(finalUrl) && frontier.markSeen(finalUrl)
  }

  async #inspect(file: string, name: string, visit: Visit): Promise<string | undefined> {
    const mediaType = await this.#detect(file, name)
    if (mediaType === 'text/html') visit.links = await readLinks(file, visit.url)
    return mediaType
  }

  /** Returns undefined for damaged or empty bytes, which the document reports. */
  async #detect(path: string, name: string): Promise<string | undefined> {
    return await this.#deps.detect(path, name).catch(() => undefined)
  }
}

function describeDisallowed({ href, host }: URL): string {
  return `${href} is left alone, as the robots.txt of ${host} asks.`
}

function createCut(start: URL, maxPages: number): Listed {
  const source = `${new URL(getFolder(start), start).href}*`
  const message = localizable`${source} has more than ${maxPages} pages; the others were left out.`
  const advice = 'To read more, raise --max-pages.'
  return { path: source, skipped: withMessage({ code: 'too_large' }, message, advice) }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'application/geo+json': '.json',
  'application/x-ndjson': '.jsonl',
  'application/jsonl': '.jsonl',
  'message/rfc822': '.eml',
}

export function chooseName(url: URL, fileName: string | undefined): string {
  const rawName = fileName ?? decodePercent(posix.basename(url.pathname))
  const name = posix
    .basename(rawName.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  return (name || url.hostname).slice(0, MAX_NAME_CHARS)
}
