import { Document } from '@langchain/core/documents'

export type ServiceOptions = {
  /** Address of the service (`passim serve`). Default: `http://127.0.0.1:7700`. */
  readonly url?: string | undefined
  /** Key of the service. Default: none, as for a service on the same machine. */
  readonly apiKey?: string | undefined
}

export type Hit = {
  readonly chunkId: string
  readonly documentId: string
  readonly source: string
  readonly title: string
  readonly headings: readonly string[]
  readonly page?: number
  readonly charStart: number
  readonly charEnd: number
  readonly text: string
  readonly score: number
  readonly confidence?: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** A filter text such as `year>=2024`, or a filter object as of OpenAI's vector stores. */
export type Filter = string | Readonly<Record<string, unknown>>

export type SearchBody = {
  readonly query: string
  readonly collections?: readonly string[] | undefined
  readonly limit: number
  readonly mode?: string | undefined
  readonly filter?: Filter | undefined
}

/** An answer of the service that is not a success. */
export class PassimError extends Error {
  override readonly name = 'PassimError'
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, message: string, code: string | undefined) {
    super(message)
    this.status = status
    this.code = code
  }
}

export class Service {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor({ url = 'http://127.0.0.1:7700', apiKey }: ServiceOptions) {
    this.#url = url.replace(/\/$/, '')
    this.#headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  }

  async search(body: SearchBody): Promise<readonly Hit[]> {
    return JSON.parse(await this.post('/api/search', JSON.stringify(body))).hits
  }

  async post(route: string, body: string, options: PostOptions = {}): Promise<string> {
    const { type = 'application/json', signal } = options
    return await this.#send(route, { method: 'POST', body, ...(signal && { signal }) }, type)
  }

  async get(route: string, signal?: AbortSignal): Promise<string> {
    return await this.#send(route, signal ? { signal } : {})
  }

  /** Throws a `PassimError` if the answer is not a success. */
  async #send(route: string, request: RequestInit, type?: string): Promise<string> {
    const address = `${this.#url}${route}`
    const headers = { ...this.#headers, ...(type && { 'content-type': type }) }
    const response = await fetch(address, { ...request, headers })
    const text = await response.text()
    if (response.ok) return text
    const { message = `${address} answered ${response.status}.`, code } = readError(text)
    throw new PassimError(response.status, message, code)
  }
}

type PostOptions = { readonly type?: string; readonly signal?: AbortSignal | undefined }

function readError(text: string): { readonly message?: string; readonly code?: string } {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {} // for example the page of a proxy
  }
}

/** Puts the place of the passage and the attributes of its document into the metadata. */
export function toDocument(hit: Hit): Document {
  const { chunkId, text, attributes, ...place } = hit
  const { source, title, headings, documentId, page, charStart, charEnd, score, confidence } = place
  return new Document({
    id: chunkId,
    pageContent: text,
    metadata: {
      ...attributes,
      ...{ source, title, headings, documentId, charStart, charEnd, score },
      ...(page !== undefined && { page }),
      ...(confidence !== undefined && { confidence }),
    },
  })
}
