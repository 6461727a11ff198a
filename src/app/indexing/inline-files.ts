import { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { chooseName } from '../../ingest/sources/web/web-pages.ts'
import { parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { StagedBytes } from '../../ingest/store/contents/staging.ts'
import { baseName, parseDataUri } from '../../system/data-uri.ts'
import type { Store } from '../stores/store.ts'

/** As long as the conversations that bring them are kept. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

type Described = { readonly name: string; readonly declaredType: string }

type InlineFilesDeps = {
  readonly store: Store
  /** The one way to what lies elsewhere: it goes to public addresses only, unless settings allow others. */
  readonly fetcher: Fetcher
  /** Most bytes of one file. */
  readonly maxBytes: number
}

/** Files that come within a question, as uploads that expire. The same bytes under the same name are one file for a while. */
export class InlineFiles {
  readonly #deps: InlineFilesDeps

  constructor(deps: InlineFilesDeps) {
    this.#deps = deps
  }

  /** Of a data URI, or of bare base64. Throws `invalid_input` or `too_large`. */
  async fromData(
    data: string,
    name: string | undefined,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const uri = /^data:/i.test(data) ? data : `data:application/octet-stream;base64,${data}`
    const file = parseDataUri(uri, this.#deps.maxBytes)
    const described = { name: baseName(name ?? '') || file.name, declaredType: file.mediaType }
    return await this.#keep(Readable.from([file.bytes]), described, signal)
  }

  /** Throws `fetch_failed`, `too_large`, `forbidden_source` or `not_found`, naming the URL. */
  async fromUrl(url: string, name: string | undefined, signal?: AbortSignal): Promise<StoredFile> {
    const fetched = await this.#deps.fetcher.get(parseWebUrl(url), { signal })
    if (fetched.kind === 'page') {
      const given = baseName(name ?? '') || chooseName(fetched.url, fetched.fileName)
      return await this.#keep(
        fetched.body,
        { name: given, declaredType: fetched.mediaType },
        signal,
      )
    }
    throw new AppError(
      'not_found',
      fetched.kind === 'gone' ? fetched.message : `${url} has nothing to give.`,
    )
  }

  /**
   * The address of an image that a model's server is to fetch, in the one spelling that was checked. That server stands where
   * this service's clients do not: what is not public is as closed to them through it as through this one. Throws as `fromUrl`.
   */
  async publicAddress(url: string, signal?: AbortSignal): Promise<string> {
    const address = parseWebUrl(url)
    await this.#deps.fetcher.requireAllowed(address, signal)
    return address.href
  }

  async #keep(bytes: Readable, described: Described, signal?: AbortSignal): Promise<StoredFile> {
    const { content, files } = this.#deps.store
    const adopt = (staged: StagedBytes) =>
      files.addOnce(staged, { ...described, purpose: 'user_data', lifetimeMs: KEEP_MS })
    return await content.stageStream(bytes, adopt, signal)
  }
}
