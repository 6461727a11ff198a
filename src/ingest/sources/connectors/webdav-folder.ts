import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, type ErrorCode, type Failure, toFailure } from '../../../errors.ts'
import { decodePercent } from '../../../system/data-uri.ts'
import { parseXmlEvents, type XmlEvent } from '../../parse/parsers/office/xml.ts'
import type { Fetched, FetchOptions, Listed, Source, SourceItem } from '../source.ts'
import type { Fetcher } from '../web/fetcher.ts'

type WebDavPlace = {
  readonly url: string
  readonly user?: string
  readonly password?: string
}

type Entry = {
  readonly url: URL
  readonly isFolder: boolean
  readonly version: string
  readonly bytes: number | undefined
  readonly refusal?: Failure
}

/** RFC 4918. */
const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>
<resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>`

/** Bounded, so that an endless tree does not fill the memory. */
const MAX_FOLDERS = 20_000

/** Files of a WebDAV folder and those below it; their version is the entity tag, else the time and size. */
export class WebDavFolder implements Source {
  readonly #fetcher: Fetcher
  readonly #root: URL
  readonly #login: Readonly<Record<string, string>>

  constructor({ url, user, password }: WebDavPlace, fetcher: Fetcher) {
    this.#fetcher = fetcher
    this.#root = toSameEscapes(new URL(url.endsWith('/') ? url : `${url}/`))
    const login = Buffer.from(`${user}:${password}`).toString('base64')
    this.#login = user === undefined ? {} : { authorization: `Basic ${login}` }
  }

  /** Reports a folder that the server refuses; throws if it is away. */
  async *list(signal?: AbortSignal): AsyncGenerator<Listed> {
    const folders = new Map([[this.#root.pathname, this.#root]])
    for (const folder of folders.values()) {
      for await (const entry of this.#readFolder(folder, signal)) {
        const { url, isFolder, version, bytes, refusal } = entry
        if (refusal) yield this.#toUnlisted(url, refusal)
        else if (isFolder) folders.set(url.pathname, url)
        else yield { path: this.#toPath(url), version, ...(bytes !== undefined && { bytes }) }
        if (folders.size > MAX_FOLDERS)
          throw new AppError('too_large', localizable`${this.#root.href} has too many folders.`)
      }
    }
  }

  async fetch({ path }: SourceItem, { signal }: FetchOptions): Promise<Fetched> {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), this.#root)
    const { status, body } = await this.#fetcher.request(url, {
      method: 'GET',
      headers: this.#login,
      signal,
    })
    if (status === 200) return { kind: 'stream', bytes: body }
    body.destroy()
    throw new AppError(toCode(status), describeRefusal(url, status))
  }

  async *#readFolder(folder: URL, signal?: AbortSignal): AsyncGenerator<Entry> {
    const { status, body } = await this.#fetcher.request(folder, {
      method: 'PROPFIND',
      headers: { ...this.#login, depth: '1', 'content-type': 'application/xml' },
      body: PROPERTIES,
      signal,
    })
    if (status !== 207) {
      body.destroy()
      yield { ...EMPTY, url: folder, refusal: createRefusal(folder, status) }
      return
    }
    try {
      for await (const entry of readEntries(body, folder, signal)) {
        const { pathname } = entry.url
        const isItself = pathname === folder.pathname && !entry.refusal
        if (!isItself && pathname.startsWith(this.#root.pathname)) yield entry
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw new AppError('fetch_failed', toFailure(error).message, { cause: error })
    }
  }

  #toUnlisted(url: URL, error: Failure): Listed {
    if (url.pathname === this.#root.pathname) throw new AppError(error.code, error.message)
    return { path: this.#toPath(url), error }
  }

  #toPath({ pathname }: URL): string {
    return decodePercent(pathname.slice(this.#root.pathname.length))
  }
}

const EMPTY = { isFolder: false, version: '', bytes: undefined } as const

function createRefusal(url: URL, status: number): Failure {
  return withMessage({ code: toCode(status) }, describeRefusal(url, status))
}

function toCode(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'unauthorized'
  return status === 404 || status === 410 ? 'not_found' : 'fetch_failed'
}

function describeRefusal({ href }: URL, status: number) {
  return status === 401 || status === 403
    ? localizable`${href} is refused (${status}). Check the user and the password of the source.`
    : localizable`Cannot read ${href}: the server answered with status ${status}.`
}

/** Yields each entry as it ends: a list may be longer than the memory. */
async function* readEntries(
  bytes: AsyncIterable<Uint8Array>,
  folder: URL,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  const answer = new MultiStatus()
  const part = { name: folder.host, part: 'multistatus', bytes, signal }
  for await (const events of parseXmlEvents(part)) {
    for (const event of events) {
      const response = answer.read(event)
      if (response) yield toEntry(response, folder)
    }
  }
}

type Properties = { isFolder: boolean; readonly values: Record<string, string> }

class MultiStatus {
  #response: Properties | undefined
  #element = ''

  read(event: XmlEvent): Properties | undefined {
    this.#element = event.type === 'open' ? event.name : event.type === 'text' ? this.#element : ''
    if (event.type === 'open' && event.name === 'response')
      this.#response = { isFolder: false, values: {} }
    const response = this.#response
    if (!response) return undefined
    if (this.#element === 'collection') response.isFolder = true
    if (event.type === 'text')
      response.values[this.#element] = (response.values[this.#element] ?? '') + event.text
    if (event.type !== 'close' || event.name !== 'response') return undefined
    this.#response = undefined
    return response
  }
}

/** Keeps to the origin, whatever the server calls itself. */
function toEntry({ isFolder, values }: Properties, folder: URL): Entry {
  const { href = '', getetag, getlastmodified = '', getcontentlength } = values
  const { pathname } = new URL(href.trim(), folder)
  const url = toSameEscapes(new URL(pathname, folder.origin))
  const refusal = readRefusal(values, url)
  const bytes = getcontentlength === undefined ? undefined : Number(getcontentlength)
  const version = getetag ?? (getlastmodified && `${getlastmodified} ${getcontentlength}`)
  return { url, isFolder, version, bytes, refusal }
}

/** Some of the properties may lack while others have the status 200. */
function readRefusal({ status = '' }: Properties['values'], url: URL): Failure | undefined {
  const [, first] = /\s(\d{3})\b/.exec(status) ?? []
  return first && !/\s2\d\d\b/.test(status) ? createRefusal(url, Number(first)) : undefined
}

/** Servers escape names differently, such as %c3 for %C3. */
function toSameEscapes({ pathname, origin }: URL): URL {
  const parts = pathname.split('/').map(part => encodeURIComponent(decodePercent(part)))
  return new URL(parts.join('/'), origin)
}
