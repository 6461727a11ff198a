import { posix } from 'node:path'
import { readHead } from '../../../system/disk.ts'
import { decode } from '../../parse/detection/charset.ts'
import type { Remedy } from '../../parse/refused-formats.ts'
import type { Collection } from '../../store/catalog/collections.ts'
import type { DocumentSettings } from '../../store/catalog/document.ts'
import type { RequestedDocument } from '../../store/catalog/documents.ts'
import type { Versions } from '../../store/catalog/versions.ts'
import type { Statements } from '../../store/catalog.ts'
import type { ContentStore } from '../../store/contents/content.ts'
import type { StagedBytes } from '../../store/contents/staging.ts'
import {
  type Change,
  Changes,
  type ChangesDeps,
  type CompareOptions,
  createSkipped,
} from '../change.ts'
import type { Fetched, Fetcher } from './fetcher.ts'

type WebPagesDeps = ChangesDeps & {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly versions: Versions
  /** Detects the media type by content, and kinds of text by name. Throws for damaged files. */
  readonly detect: (path: string, name: string) => Promise<string>
  readonly findRefusal: (mediaType: string) => Remedy | undefined
}

type Seen = {
  readonly kind: 'seen'
  readonly change: Change
  readonly url: URL
  readonly links: readonly URL[]
}

export type PageVisit =
  | Seen
  | { readonly kind: 'gone'; readonly message: string }
  /** It redirects to a URL that is not accepted. */
  | { readonly kind: 'elsewhere'; readonly url: URL }

export type VisitOptions = CompareOptions & {
  readonly collection: Collection
  readonly fetcher: Fetcher
  /** The user named it, so any format is indexed. */
  readonly isNamed: boolean
  /** Returns whether a page that redirects to this URL is indexed under it. */
  readonly accepts?: ((finalUrl: URL) => boolean) | undefined
}

type Page = Fetched & { readonly kind: 'page' }

/** Links per page. Protects memory. */
const MAX_LINKS = 5_000
/** Bytes searched for links. Protects memory. */
const MAX_LINK_BYTES = 4 * 2 ** 20
/** Bounded, so that a malicious page takes no longer than another. */
const TAG = /<(a|area|base)\s([^<>]{1,4000})>/gi
const HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
/** Length of a name, so that lists stay readable. */
const MAX_NAME_CHARS = 200

export class WebPages {
  readonly #deps: WebPagesDeps
  readonly #changes: Changes

  constructor(deps: WebPagesDeps) {
    this.#deps = deps
    this.#changes = new Changes(deps)
  }

  /** Throws if the page cannot be fetched; the existing document stays. */
  async visit(url: URL, options: VisitOptions): Promise<PageVisit> {
    const { signal, collection, force, accepts } = options
    const existing = await this.#deps.documents.findBySource(collection.id, url.href)
    const isStored = existing !== undefined && (await this.#deps.content.has(existing.sha256))
    const validators = isStored && !force ? existing.validators : undefined
    const fetched = await options.fetcher.get(url, { validators, signal })
    if (fetched.kind === 'gone') return fetched
    if (fetched.kind === 'unchanged') {
      if (!existing) throw new Error('Only a known document has validators.')
      const change = await this.#compareUnchanged(existing, options)
      const links = await this.#readStoredLinks(existing, fetched.url)
      return { kind: 'seen', change, url: fetched.url, links }
    }
    if (accepts && !accepts(fetched.url)) {
      fetched.body.destroy()
      return { kind: 'elsewhere', url: fetched.url }
    }
    const source = accepts ? fetched.url : url
    const hasMoved =
      existing !== undefined && (await this.#move(existing, source, fetched, options))
    const take = (staged: StagedBytes) => this.#queueStaged(source, fetched, staged, options)
    const visit = await this.#deps.content.stageStream(fetched.body, take, signal)
    return hasMoved && visit.change.kind === 'unchanged'
      ? { ...visit, change: { ...visit.change, kind: 'moved' } }
      : visit
  }

  /** The redirect stays within the site. */
  async #move(
    existing: RequestedDocument,
    source: URL,
    page: Page,
    { collection, dryRun }: VisitOptions,
  ): Promise<boolean> {
    const { documents } = this.#deps
    if (
      existing.source === source.href ||
      dryRun ||
      (await documents.findBySource(collection.id, source.href))
    )
      return false
    await documents.move(existing, source.href, chooseName(page.url, page.fileName))
    return true
  }

  async #queueStaged(
    source: URL,
    page: Page,
    staged: StagedBytes,
    options: VisitOptions,
  ): Promise<Seen> {
    const name = chooseName(page.url, page.fileName)
    const mediaType = await this.#detect(staged.path, name + (ENDINGS[page.mediaType] ?? ''))
    const links = mediaType === 'text/html' ? await readLinks(staged.path, page.url) : []
    const change = await this.#compare({ source, page, staged, name, mediaType }, options)
    return { kind: 'seen', change, url: page.url, links }
  }

  async #compare(item: Item, options: VisitOptions): Promise<Change> {
    const { source, page, staged, name, mediaType } = item
    const { collection, isNamed, dryRun } = options
    const existing = await this.#deps.documents.findBySource(collection.id, source.href)
    const declared = (await this.#detect(staged.path, name)) === mediaType ? undefined : mediaType
    const settings = withMediaType(options.settings, declared)
    if (existing && existing.sha256 === staged.sha256) {
      if (!dryRun) await this.#deps.documents.setValidators(existing.id, page.validators)
      const change = await this.#changes.compareSame(collection, existing, { ...options, settings })
      if (change) return change
    }
    const isMeant = existing || isNamed || mediaType === undefined
    const refusal = isMeant ? undefined : this.#deps.findRefusal(mediaType)
    if (refusal) return createSkipped(source.href, refusal)
    const kind =
      existing && (await this.#deps.versions.findPublished(existing.id)) ? 'changed' : 'new'
    if (dryRun) return { source: source.href, kind, ...(existing && { documentId: existing.id }) }
    const requested = {
      collectionId: collection.id,
      source: source.href,
      name,
      settings,
      validators: page.validators,
    }
    return { source: source.href, kind, documentId: await this.#deps.queue.add(requested, staged) }
  }

  /** Other settings may still require indexing it again. */
  async #compareUnchanged(existing: RequestedDocument, options: VisitOptions): Promise<Change> {
    const { collection, dryRun } = options
    const settings = withMediaType(options.settings, existing.settings.mediaType)
    const change = await this.#changes.compareSame(collection, existing, { ...options, settings })
    if (change) return change
    if (!dryRun) await this.#deps.documents.requeueWith(existing.id, settings)
    const kind = (await this.#deps.versions.findPublished(existing.id)) ? 'changed' : 'new'
    return { source: existing.source, kind, documentId: existing.id }
  }

  async #readStoredLinks({ sha256 }: RequestedDocument, url: URL): Promise<readonly URL[]> {
    const { content } = this.#deps
    await content.download(sha256, 'original')
    const file = content.getOriginalPath(sha256)
    return (await content.has(sha256)) && (await this.#detect(file, 'page.html')) === 'text/html'
      ? await readLinks(file, url)
      : []
  }

  /** Returns undefined for damaged or empty bytes, which the document reports. */
  async #detect(path: string, name: string): Promise<string | undefined> {
    return await this.#deps.detect(path, name).catch(() => undefined)
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

async function readLinks(path: string, url: URL): Promise<readonly URL[]> {
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
  const rawName = fileName ?? decodeOrKeep(posix.basename(url.pathname))
  const name = posix
    .basename(rawName.replaceAll('\\', '/'))
    .replace(/\p{Cc}/gu, '')
    .trim()
  return (name || url.hostname).slice(0, MAX_NAME_CHARS)
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
