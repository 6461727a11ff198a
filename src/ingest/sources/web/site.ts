import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Fetched, Fetcher } from './fetcher.ts'
import { MAX_ROBOTS_BYTES, Robots } from './robots.ts'

/** Bounded, so that an index cannot lead to endless requests. */
const MAX_SITEMAPS = 50

/** Decompressed limit of the protocol: https://www.sitemaps.org. */
const MAX_SITEMAP_BYTES = 50 * 2 ** 20
const LOCATION = /<loc>\s{0,200}(?:<!\[CDATA\[)?\s{0,200}([^<>\]\s]{1,2048})/gi
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** Heeds robots.txt, and sends one request at a time, with pauses. */
export class Site {
  readonly #fetcher: Fetcher
  readonly #origin: string
  readonly #robots: Robots
  readonly #delayMs: number
  #requestedAt = 0

  private constructor(fetcher: Fetcher, origin: string, robots: Robots, delayMs: number) {
    this.#fetcher = fetcher
    this.#origin = origin
    this.#robots = robots
    this.#delayMs = Math.max(delayMs, robots.delayMs)
  }

  /** Allows everything without a robots.txt. Throws `fetch_failed`. */
  static async open(
    fetcher: Fetcher,
    { origin }: URL,
    delayMs: number,
    signal?: AbortSignal,
  ): Promise<Site> {
    const fetched = await fetcher.get(new URL('/robots.txt', origin), {
      signal,
      refusalIsGone: true,
    })
    const text =
      fetched.kind === 'page' ? (await readStart(fetched, MAX_ROBOTS_BYTES)).toString('utf8') : ''
    return new Site(fetcher, origin, new Robots(text), delayMs)
  }

  allows(url: URL): boolean {
    return this.#robots.allows(url)
  }

  async pause(signal?: AbortSignal): Promise<void> {
    const waitMs = this.#requestedAt + this.#delayMs - Date.now()
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
    this.#requestedAt = Date.now()
  }

  /** Lists pages of the site's own origin. Throws `fetch_failed` without a sitemap. */
  async listSitemapPages(maxPages: number, signal?: AbortSignal): Promise<readonly URL[]> {
    const stated = this.#filterOwn(this.#robots.sitemaps)
    const waiting = stated.length > 0 ? [...stated] : [new URL('/sitemap.xml', this.#origin)]
    const pages = new Map<string, URL>()
    let read = 0
    for (const sitemap of waiting) {
      if (read++ >= MAX_SITEMAPS || pages.size >= maxPages) break
      const { kind, locations } = await this.#fetchSitemap(sitemap, maxPages, signal)
      if (kind === 'index') waiting.push(...this.#filterOwn(locations))
      else
        for (const url of this.#filterOwn(locations))
          if (pages.size < maxPages) pages.set(url.href, url)
    }
    return [...pages.values()]
  }

  async #fetchSitemap(url: URL, maxPages: number, signal?: AbortSignal) {
    await this.pause(signal)
    const fetched = await this.#fetcher.get(url, { signal })
    if (fetched.kind === 'page')
      return readSitemap(await readStart(fetched, MAX_SITEMAP_BYTES), url, maxPages)
    throw new AppError(
      'fetch_failed',
      localizable`There is no sitemap ${url.href}. Use --crawl with a depth instead.`,
    )
  }

  #filterOwn(locations: readonly string[]): readonly URL[] {
    const urls = locations.filter(location => URL.canParse(location, this.#origin))
    return urls
      .map(location => new URL(location, this.#origin))
      .filter(url => url.origin === this.#origin)
  }
}

async function readStart(
  { body }: Fetched & { readonly kind: 'page' },
  maxBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  const read: AsyncIterable<Buffer> = body
  for await (const part of read) {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

type Sitemap = { readonly kind: 'pages' | 'index'; readonly locations: readonly string[] }

/** Reads XML, gzipped XML, or one URL per line (sitemaps.org). Throws `fetch_failed`. */
function readSitemap(bytes: Buffer, url: URL, maxLocations: number): Sitemap {
  const text = decompress(bytes, url).toString('utf8')
  if (/<(\w+:)?sitemapindex[\s>]/i.test(text))
    return { kind: 'index', locations: parseLocations(text, maxLocations) }
  if (/<(\w+:)?urlset[\s>]/i.test(text))
    return { kind: 'pages', locations: parseLocations(text, maxLocations) }
  const lines = text.split(/\r?\n/, maxLocations).map(line => line.trim())
  if (lines.some(line => /^https?:\/\//.test(line)))
    return { kind: 'pages', locations: lines.filter(Boolean) }
  throw new AppError(
    'fetch_failed',
    localizable`${url.href} is not a sitemap. Use --crawl with a depth instead.`,
  )
}

function decompress(bytes: Buffer, url: URL): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
  } catch (error) {
    throw new AppError(
      'fetch_failed',
      localizable`Cannot read the sitemap ${url.href}: ${String(error)}.`,
      {
        cause: error,
      },
    )
  }
}

function parseLocations(text: string, maxLocations: number): readonly string[] {
  const found: string[] = []
  for (const [, location = ''] of text.matchAll(LOCATION)) {
    if (found.length >= maxLocations) break
    found.push(
      location.replace(
        /&(amp|lt|gt|quot|apos);/g,
        (all, entity: string) => ENTITIES[entity] ?? all,
      ),
    )
  }
  return found
}
