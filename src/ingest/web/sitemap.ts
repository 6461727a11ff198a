import { gunzipSync } from 'node:zlib'
import { AppError } from '../../errors.ts'

/** The protocol's own limit of a sitemap, inflated. */
export const MAX_SITEMAP_BYTES = 50 * 2 ** 20

/** A sitemap lists pages, or other sitemaps. */
export type Sitemap = { readonly kind: 'pages' | 'index'; readonly locations: readonly string[] }

const LOCATION = /<loc>\s{0,200}(?:<!\[CDATA\[)?\s{0,200}([^<>\]\s]{1,2048})/gi
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads a sitemap (sitemaps.org) as XML, gzipped XML, or one URL a line. Throws `fetch_failed` for anything else. */
export function readSitemap(bytes: Buffer, url: URL, maxLocations: number): Sitemap {
  const text = plain(bytes, url).toString('utf8')
  if (/<(\w+:)?sitemapindex[\s>]/i.test(text)) return { kind: 'index', locations: locations(text, maxLocations) }
  if (/<(\w+:)?urlset[\s>]/i.test(text)) return { kind: 'pages', locations: locations(text, maxLocations) }
  const lines = text.split(/\r?\n/, maxLocations).map(line => line.trim())
  if (lines.some(line => /^https?:\/\//.test(line))) return { kind: 'pages', locations: lines.filter(Boolean) }
  throw new AppError('fetch_failed', `${url.href} is no sitemap. Use --crawl with a depth instead.`)
}

function plain(bytes: Buffer, url: URL): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
  } catch (error) {
    throw new AppError('fetch_failed', `Cannot read the sitemap ${url.href}: ${String(error)}.`, { cause: error })
  }
}

function locations(text: string, maxLocations: number): readonly string[] {
  const found: string[] = []
  for (const [, location = ''] of text.matchAll(LOCATION)) {
    if (found.length >= maxLocations) break
    found.push(location.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity]!)) // one of the five
  }
  return found
}
