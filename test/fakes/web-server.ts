import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type WebPage = {
  readonly status?: number
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** What answers for a path: a page, or anything that writes the answer itself. */
export type WebAnswer = WebPage | ((request: IncomingMessage, response: ServerResponse) => void)

/** A site on loopback. What it was asked, in order, is in `requests`, as `200 /path`. */
export class WebServer {
  readonly pages: Record<string, WebAnswer>
  readonly requests: string[] = []
  readonly #server: Server

  private constructor(server: Server, pages: Record<string, WebAnswer>) {
    this.#server = server
    this.pages = pages
  }

  static async start(pages: Record<string, WebAnswer>): Promise<WebServer> {
    const server = createServer()
    const site = new WebServer(server, pages)
    server.on('request', (request, response) => site.#answer(request, response))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return site
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // it listens on a port
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/'
    const answer = this.pages[path] ?? { status: 404, body: 'Not here.' }
    response.on('close', () => this.requests.push(`${response.statusCode} ${path}`))
    if (typeof answer === 'function') answer(request, response)
    else send(answer, request, response)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

/** A page with an etag that is not new is answered with 304. */
function send(page: WebPage, request: IncomingMessage, response: ServerResponse): void {
  const { status = 200, type = 'text/html', body = '', headers = {} } = page
  const isSame = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
  response.writeHead(isSame ? 304 : status, { 'content-type': type, ...headers })
  response.end(isSame ? '' : body)
}
