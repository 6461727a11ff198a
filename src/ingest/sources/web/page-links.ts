import { readHead } from '../../../system/disk.ts'
import { decode } from '../../parse/detection/charset.ts'

/** Links per page. Protects memory. */
const MAX_LINKS = 5_000
/** Bytes searched for links. Protects memory. */
const MAX_LINK_BYTES = 4 * 2 ** 20
/** Bounded, so that a malicious page takes no longer than another. */
const TAG = /<(a|area|base)\s([^<>]{1,4000})>/gi
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

export async function readLinks(path: string, url: URL): Promise<readonly URL[]> {
  return parseLinks(decode(await readHead(path, MAX_LINK_BYTES)).text, url)
}

function parseLinks(html: string, pageUrl: URL): readonly URL[] {
  const links = new Map<string, URL>()
  let base = pageUrl
  for (const [, name = '', attributes = ''] of html.matchAll(TAG)) {
    const url = parseLink(HREF.exec(attributes)?.slice(1).find(Boolean), base)
    if (!url) continue
    if (name.toLowerCase() === 'base') base = url
    else links.set(url.href, url)
    if (links.size >= MAX_LINKS) break
  }
  return [...links.values()]
}

function parseLink(written: string | undefined, base: URL): URL | undefined {
  const address = written
    ?.trim()
    .replace(/&amp;/gi, '&')
    .replace(/&#0*38;/g, '&')
  if (!address || !URL.canParse(address, base.href)) return undefined
  const url = new URL(address, base)
  url.hash = ''
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
