import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { Fetched, Fetcher } from './fetcher.ts'
import { MAX_ROBOTS_BYTES, Robots } from './robots.ts'
import { MAX_SITEMAP_BYTES, readSitemap } from './sitemap.ts'

/** Sitemaps that an index may lead to. */
const MAX_SITEMAPS = 50

/** A site as its owner wants it read: what robots.txt allows, one request at a time with a pause between. */
export class Site {
  readonly #fetcher: Fetcher
  readonly #origin: string
  readonly #robots: Robots
  readonly #delayMs: number
  #askedAt = 0

  private constructor(fetcher: Fetcher, origin: string, robots: Robots, delayMs: number) {
    this.#fetcher = fetcher
    this.#origin = origin
    this.#robots = robots
    this.#delayMs = Math.max(delayMs, robots.delayMs)
  }

  /** Reads robots.txt. A site without one allows everything; one that cannot tell is left alone: `fetch_failed`. */
  static async open(fetcher: Fetcher, { origin }: URL, delayMs: number, signal?: AbortSignal): Promise<Site> {
    const fetched = await fetcher.get(new URL('/robots.txt', origin), { signal, refusalIsGone: true })
    const text = fetched.kind === 'page' ? (await head(fetched, MAX_ROBOTS_BYTES)).toString('utf8') : ''
    return new Site(fetcher, origin, new Robots(text), delayMs)
  }

  allows(url: URL): boolean {
    return this.#robots.allows(url)
  }

  /** Wait until the next request is polite. */
  async pause(signal?: AbortSignal): Promise<void> {
    const waitMs = this.#askedAt + this.#delayMs - Date.now()
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
    this.#askedAt = Date.now()
  }

  /** The pages that the site's sitemaps list, of its own origin, at most so many. Throws `fetch_failed` without one. */
  async sitemapPages(maxPages: number, signal?: AbortSignal): Promise<readonly URL[]> {
    const stated = this.#own(this.#robots.sitemaps)
    const waiting = stated.length > 0 ? [...stated] : [new URL('/sitemap.xml', this.#origin)]
    const pages = new Map<string, URL>()
    for (let read = 0; read < waiting.length && read < MAX_SITEMAPS && pages.size < maxPages; read++) {
      const { kind, locations } = await this.#sitemap(waiting[read]!, maxPages, signal) // within its length
      if (kind === 'index') waiting.push(...this.#own(locations))
      else for (const url of this.#own(locations)) if (pages.size < maxPages) pages.set(url.href, url)
    }
    return [...pages.values()]
  }

  async #sitemap(url: URL, maxPages: number, signal?: AbortSignal) {
    await this.pause(signal)
    const fetched = await this.#fetcher.get(url, { signal })
    if (fetched.kind === 'page') return readSitemap(await head(fetched, MAX_SITEMAP_BYTES), url, maxPages)
    throw new AppError('fetch_failed', `There is no sitemap ${url.href}. Use --crawl with a depth instead.`)
  }

  #own(locations: readonly string[]): readonly URL[] {
    const urls = locations.filter(location => URL.canParse(location, this.#origin))
    return urls.map(location => new URL(location, this.#origin)).filter(url => url.origin === this.#origin)
  }
}

/** The first bytes of a page. */
async function head({ body }: Fetched & { readonly kind: 'page' }, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}
