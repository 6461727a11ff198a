import { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import { chooseName } from '../../ingest/sources/web/site-source.ts'
import { parseWebUrl } from '../../ingest/sources/web/web-url.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { StagedBytes } from '../../ingest/store/contents/staging.ts'
import { cleanName, parseDataUri } from '../../system/data-uri.ts'
import type { Store } from '../stores/store.ts'

/** Time that files of requests are kept, as long as the responses, so that these can be read. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

type Described = { readonly name: string; readonly declaredType: string }

type InlineFilesDeps = {
  readonly store: Store
  readonly fetcher: Fetcher
  readonly maxBytes: number
}

/** Files inside questions, stored as expiring uploads. Equal bytes and names are one file. */
export class InlineFiles {
  readonly #deps: InlineFilesDeps

  constructor(deps: InlineFilesDeps) {
    this.#deps = deps
  }

  /** Decodes a data URI or base64. Throws `invalid_input` or `too_large`. */
  async fromData(
    data: string,
    name: string | undefined,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const uri = /^data:/i.test(data) ? data : `data:application/octet-stream;base64,${data}`
    const file = parseDataUri(uri, this.#deps.maxBytes)
    const described = { name: cleanName(name ?? '') || file.name, declaredType: file.mediaType }
    return await this.#keep(Readable.from([file.bytes]), described, signal)
  }

  /** Throws `fetch_failed`, `too_large`, `forbidden_source` or `not_found` with the URL. */
  async fromUrl(url: string, name: string | undefined, signal?: AbortSignal): Promise<StoredFile> {
    const fetched = await this.#deps.fetcher.get(parseWebUrl(url), { signal })
    if (fetched.kind === 'page') {
      const safeName = cleanName(name ?? '') || chooseName(fetched.url, fetched.fileName)
      return await this.#keep(
        fetched.body,
        { name: safeName, declaredType: fetched.mediaType },
        signal,
      )
    }
    throw new AppError(
      'not_found',
      fetched.kind === 'gone' ? fetched.message : `${url} returned no content.`,
    )
  }

  /**
   * Returns the address of an image for the model's server. Refuses private ones, which it may
   * reach. Throws like `fromUrl`.
   */
  async requirePublicAddress(url: string, signal?: AbortSignal): Promise<string> {
    const address = parseWebUrl(url)
    await this.#deps.fetcher.resolveAllowed(address, signal)
    return address.href
  }

  async #keep(bytes: Readable, described: Described, signal?: AbortSignal): Promise<StoredFile> {
    const { content, files } = this.#deps.store
    const storeFile = (staged: StagedBytes) =>
      files.addOnce(staged, { ...described, purpose: 'user_data', lifetimeMs: KEEP_MS })
    return await content.stageStream(bytes, storeFile, signal)
  }
}
