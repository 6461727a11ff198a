import type { Readable } from 'node:stream'
import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError, type Failure, toFailure } from '../../../errors.ts'
import { parseXmlEvents, type XmlEvent } from '../../parse/parsers/office/xml.ts'
import type { Fetcher } from '../web/fetcher.ts'
import type { Source, SourceItem, UnlistedPart } from './source.ts'

type WebDavPlace = {
  /** http or https, without credentials. */
  readonly url: string
  readonly user?: string | undefined
  readonly password?: string | undefined
}

type Entry = {
  readonly url: URL
  readonly isFolder: boolean
  readonly version: string
  readonly bytes: number | undefined
}

/** RFC 4918. */
const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>
<resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>`

/** So that an endless tree does not fill the memory. */
const MAX_FOLDERS = 20_000

/** Files of a WebDAV folder and those below it; their version is the entity tag, else the time and size. */
export class WebDavFolder implements Source {
  readonly #fetcher: Fetcher
  readonly #root: URL
  readonly #login: Readonly<Record<string, string>>

  constructor({ url, user, password }: WebDavPlace, fetcher: Fetcher) {
    this.#fetcher = fetcher
    this.#root = new URL(url.endsWith('/') ? url : `${url}/`)
    const login = Buffer.from(`${user}:${password}`).toString('base64')
    this.#login = user === undefined ? {} : { authorization: `Basic ${login}` }
  }

  /** Reports a folder that the server refuses; throws if it is away. */
  async *list(signal?: AbortSignal): AsyncGenerator<SourceItem | UnlistedPart> {
    const folders = new Map([[this.#root.pathname, this.#root]])
    for (const folder of folders.values()) {
      const entries = await this.#readFolder(folder, signal)
      if ('code' in entries) {
        if (folder === this.#root) throw new AppError(entries.code, entries.message)
        yield { path: this.#toPath(folder), error: entries }
        continue
      }
      for (const { url, isFolder, version, bytes } of entries) {
        if (isFolder) folders.set(url.pathname, url)
        else yield { path: this.#toPath(url), version, ...(bytes !== undefined && { bytes }) }
      }
      if (folders.size > MAX_FOLDERS)
        throw new AppError('too_large', localizable`${this.#root.href} has too many folders.`)
    }
  }

  async fetch({ path }: SourceItem, signal?: AbortSignal): Promise<Readable> {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), this.#root)
    const { status, body } = await this.#fetcher.request(url, {
      method: 'GET',
      headers: this.#login,
      signal,
    })
    if (status === 200) return body
    body.destroy()
    throw new AppError('fetch_failed', describeRefusal(url, status))
  }

  async #readFolder(folder: URL, signal?: AbortSignal): Promise<readonly Entry[] | Failure> {
    const { status, body } = await this.#fetcher.request(folder, {
      method: 'PROPFIND',
      headers: { ...this.#login, depth: '1', 'content-type': 'application/xml' },
      body: PROPERTIES,
      signal,
    })
    if (status !== 207) {
      body.destroy()
      return withMessage({ code: 'fetch_failed' }, describeRefusal(folder, status))
    }
    try {
      const entries = await readEntries(body, folder, signal)
      return entries.filter(
        ({ url: { pathname } }) =>
          pathname.startsWith(this.#root.pathname) && pathname !== folder.pathname,
      )
    } catch (error) {
      signal?.throwIfAborted()
      throw new AppError('fetch_failed', toFailure(error).message, { cause: error })
    }
  }

  #toPath({ pathname }: URL): string {
    const path = pathname.slice(this.#root.pathname.length)
    try {
      return decodeURIComponent(path)
    } catch {
      return path
    }
  }
}

function describeRefusal({ href }: URL, status: number) {
  return status === 401 || status === 403
    ? localizable`${href} is refused (${status}). Check the user and the password of the source.`
    : localizable`Cannot read ${href}: the server answered with status ${status}.`
}

async function readEntries(
  bytes: AsyncIterable<Uint8Array>,
  folder: URL,
  signal?: AbortSignal,
): Promise<readonly Entry[]> {
  const answer = new MultiStatus()
  const part = { name: folder.host, part: 'multistatus', bytes, signal }
  for await (const events of parseXmlEvents(part)) for (const event of events) answer.read(event)
  return answer.responses.map(response => toEntry(response, folder))
}

type Properties = { isFolder: boolean; readonly values: Record<string, string> }

class MultiStatus {
  readonly responses: Properties[] = []
  #element = ''

  read(event: XmlEvent): void {
    this.#element = event.type === 'open' ? event.name : event.type === 'text' ? this.#element : ''
    if (event.type === 'open' && event.name === 'response')
      this.responses.push({ isFolder: false, values: {} })
    const response = this.responses.at(-1)
    if (!response) return
    if (this.#element === 'collection') response.isFolder = true
    if (event.type !== 'text') return
    response.values[this.#element] = (response.values[this.#element] ?? '') + event.text
  }
}

/** Keeps to the origin, whatever the server calls itself. */
function toEntry({ isFolder, values }: Properties, folder: URL): Entry {
  const { href = '', getetag, getlastmodified = '', getcontentlength } = values
  const { pathname } = new URL(href.trim(), folder)
  const url = new URL(pathname, folder.origin)
  const bytes = getcontentlength === undefined ? undefined : Number(getcontentlength)
  const version = getetag ?? (getlastmodified && `${getlastmodified} ${getcontentlength}`)
  return { url, isFolder, version, bytes }
}
