import { posix } from 'node:path'
import { readHead } from '../../../system/disk.ts'
import { decode } from '../../parse/detection/charset.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { DocumentSettings } from '../../store/catalog/document.ts'
import type { WantedDocument } from '../../store/catalog/documents.ts'
import type { Versions } from '../../store/catalog/versions.ts'
import type { Statements } from '../../store/catalog.ts'
import type { ContentStore } from '../../store/contents/content.ts'
import type { StagedBytes } from '../../store/contents/staging.ts'
import { type Change, Changes, type ChangesParts, type CompareOptions, skipped } from '../change.ts'
import type { Fetched, Fetcher } from './fetcher.ts'

type WebPagesParts = ChangesParts & {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly versions: Versions
  /** What bytes are, by content; the name decides between kinds of text. Throws for what is damaged. */
  readonly detect: (path: string, name: string) => Promise<string>
  readonly isReadable: (mediaType: string) => boolean
}

/** A page that was there. */
type Seen = {
  readonly kind: 'seen'
  readonly change: Change
  readonly url: URL
  readonly links: readonly URL[]
}

/** One page looked at: what it is to the collection, where it really is, and what it links to. */
export type Visit =
  | Seen
  | { readonly kind: 'gone'; readonly message: string }
  /** It lies elsewhere, where nobody wants to go. */
  | { readonly kind: 'elsewhere'; readonly url: URL }

export type VisitOptions = CompareOptions & {
  readonly collection: Collection
  readonly fetcher: Fetcher
  /** Asked for by name, and not found by a link: then it is a document whatever it holds. */
  readonly isNamed: boolean
  /** Whether a page that redirects here is to be taken, as a document of this address. */
  readonly accepts?: ((finalUrl: URL) => boolean) | undefined
}

type Page = Fetched & { readonly kind: 'page' }

/** No page has more for a reader. */
const MAX_LINKS = 5_000
/** As much of a page as links are looked for in. */
const MAX_LINK_BYTES = 4 * 2 ** 20
/** An opening tag with its attributes; bounded, so that a page made to do harm takes no longer than another. */
const TAG = /<(a|area|base)\s([^<>]{1,4000})>/gi
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const MAX_NAME_CHARS = 200

/** Takes pages of the web in: asks only for what has changed, and compares what comes by content. */
export class WebPages {
  readonly #parts: WebPagesParts
  readonly #changes: Changes

  constructor(parts: WebPagesParts) {
    this.#parts = parts
    this.#changes = new Changes(parts)
  }

  /** Throws what kept the page from being fetched; the document that is there stays as it is. */
  async visit(url: URL, options: VisitOptions): Promise<Visit> {
    const { signal, collection, force, accepts } = options
    const known = await this.#parts.documents.bySource(collection.id, url.href)
    const isStored = known !== undefined && (await this.#parts.content.has(known.sha256))
    const validators = isStored && !force ? known.validators : undefined
    const fetched = await options.fetcher.get(url, { validators, signal })
    if (fetched.kind === 'gone') return fetched
    if (fetched.kind === 'unchanged') {
      const change = await this.#again(known!, options) // validators come from a known document only
      return {
        kind: 'seen',
        change,
        url: fetched.url,
        links: await this.#storedLinks(known!, fetched.url),
      } // as above
    }
    if (accepts && !accepts(fetched.url)) {
      fetched.body.destroy()
      return { kind: 'elsewhere', url: fetched.url }
    }
    const source = accepts ? fetched.url : url
    const hasMoved = known !== undefined && (await this.#move(known, source, fetched, options))
    const take = (staged: StagedBytes) => this.#take(source, fetched, staged, options)
    const visit = await this.#parts.content.stageStream(fetched.body, take, signal)
    return hasMoved && visit.change.kind === 'unchanged'
      ? { ...visit, change: { ...visit.change, kind: 'moved' } }
      : visit
  }

  /** A document whose page redirects within its site goes along. */
  async #move(
    known: WantedDocument,
    source: URL,
    page: Page,
    { collection, dryRun }: VisitOptions,
  ): Promise<boolean> {
    const { documents } = this.#parts
    if (
      known.source === source.href ||
      dryRun ||
      (await documents.bySource(collection.id, source.href))
    )
      return false
    await documents.move(known, source.href, pageName(page.url, page.fileName))
    return true
  }

  async #take(source: URL, page: Page, staged: StagedBytes, options: VisitOptions): Promise<Seen> {
    const name = pageName(page.url, page.fileName)
    const mediaType = await this.#detect(staged.path, nameForDetection(name, page.mediaType))
    const links = mediaType === 'text/html' ? await linksIn(staged.path, page.url) : []
    const change = await this.#compare({ source, page, staged, name, mediaType }, options)
    return { kind: 'seen', change, url: page.url, links }
  }

  async #compare(item: Item, options: VisitOptions): Promise<Change> {
    const { source, page, staged, name, mediaType } = item
    const { collection, isNamed, dryRun } = options
    const known = await this.#parts.documents.bySource(collection.id, source.href)
    const declared = (await this.#detect(staged.path, name)) === mediaType ? undefined : mediaType
    const settings = withMediaType(options.settings, declared)
    if (known && known.sha256 === staged.sha256) {
      if (!dryRun) await this.#parts.documents.setValidators(known.id, page.validators)
      const change = await this.#changes.same(collection, known, { ...options, settings })
      if (change) return change
    }
    if (!known && !isNamed && mediaType !== undefined && !this.#parts.isReadable(mediaType))
      return skipped(source.href)
    const kind = known && (await this.#parts.versions.published(known.id)) ? 'changed' : 'new'
    if (dryRun) return { source: source.href, kind, ...(known && { documentId: known.id }) }
    const wanted = {
      collectionId: collection.id,
      source: source.href,
      name,
      settings,
      validators: page.validators,
    }
    return { source: source.href, kind, documentId: await this.#parts.queue.want(wanted, staged) }
  }

  /** The server says that the bytes are the same; the settings may still ask for something else to be made of them. */
  async #again(known: WantedDocument, options: VisitOptions): Promise<Change> {
    const { collection, dryRun } = options
    const settings = withMediaType(options.settings, known.settings.mediaType)
    const change = await this.#changes.same(collection, known, { ...options, settings })
    if (change) return change
    if (!dryRun) await this.#parts.documents.requeueWith(known.id, settings)
    const kind = (await this.#parts.versions.published(known.id)) ? 'changed' : 'new'
    return { source: known.source, kind, documentId: known.id }
  }

  async #storedLinks({ sha256 }: WantedDocument, url: URL): Promise<readonly URL[]> {
    const { content } = this.#parts
    await content.bring(sha256, 'original')
    const file = content.original(sha256)
    return (await content.has(sha256)) && (await this.#detect(file, 'page.html')) === 'text/html'
      ? await linksIn(file, url)
      : []
  }

  /** Undefined for bytes that are damaged or empty: the document will say so. */
  async #detect(path: string, name: string): Promise<string | undefined> {
    return await this.#parts.detect(path, name).catch(() => undefined)
  }
}

type Item = {
  readonly source: URL
  readonly page: Page
  readonly staged: StagedBytes
  readonly name: string
  readonly mediaType: string | undefined
}

function withMediaType(
  settings: DocumentSettings,
  mediaType: string | undefined,
): DocumentSettings {
  return mediaType === undefined ? settings : { ...settings, mediaType }
}

async function linksIn(path: string, url: URL): Promise<readonly URL[]> {
  return pageLinks(decode(await readHead(path, MAX_LINK_BYTES)).text, url)
}

/** The addresses that an HTML page links to, as URLs without fragments, in order, each once. */
function pageLinks(html: string, pageUrl: URL): readonly URL[] {
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

/** Declared types of text that look like other text, and the ending that says the same. */
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

/** What a page is called in lists and citations: the download's own name, else the end of its path, else its host. */
export function pageName(url: URL, fileName: string | undefined): string {
  const given = fileName ?? decoded(posix.basename(url.pathname))
  const name = posix
    .basename(given.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  return (name || url.hostname).slice(0, MAX_NAME_CHARS)
}

/** The name by which the kind of text is found out: what a server declares counts for more than the end of a path. */
function nameForDetection(name: string, mediaType: string): string {
  return name + (ENDINGS[mediaType] ?? '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
