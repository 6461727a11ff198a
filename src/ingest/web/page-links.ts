/** No page has more for a reader. */
const MAX_LINKS = 5_000

/** As much of a page as links are looked for in. */
export const MAX_LINK_BYTES = 4 * 2 ** 20

/** An opening tag with its attributes; bounded, so that a page made to do harm takes no longer than another. */
const TAG = /<(a|area|base)\s([^<>]{1,4000})>/gi
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** The addresses that an HTML page links to, as URLs without fragments, in order, each once. */
export function pageLinks(html: string, pageUrl: URL): readonly URL[] {
  const links = new Map<string, URL>()
  let base = pageUrl
  for (const [, name = '', attributes = ''] of html.matchAll(TAG)) {
    const url = urlOf(HREF.exec(attributes)?.slice(1).find(Boolean), base)
    if (!url) continue
    if (name.toLowerCase() === 'base') base = url
    else links.set(url.href, url)
    if (links.size >= MAX_LINKS) break
  }
  return [...links.values()]
}

function urlOf(written: string | undefined, base: URL): URL | undefined {
  const address = written
    ?.trim()
    .replace(/&amp;/gi, '&')
    .replace(/&#0*38;/g, '&')
  if (!address || !URL.canParse(address, base.href)) return undefined
  const url = new URL(address, base)
  url.hash = ''
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
