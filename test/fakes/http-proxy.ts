import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes requests on to a server on loopback, except those that `answerInstead` takes. Host names stay, so that signatures do. */
export class HttpProxy {
  /** As `GET /path`, decoded. */
  readonly requests: string[] = []
  /** A status instead of the server's answer. */
  answerInstead: (request: string) => number | undefined = () => undefined
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: URL): Promise<HttpProxy> {
    const server = createServer()
    const proxy = new HttpProxy(server)
    server.on('request', (asked, answer) => {
      const line = `${asked.method} ${decodeURIComponent(asked.url ?? '')}`
      proxy.requests.push(line)
      const status = proxy.answerInstead(line)
      if (status !== undefined) {
        asked.resume()
        answer.writeHead(status).end()
        return
      }
      const { method, url, headers } = asked
      const passed = request(new URL(url ?? '/', target), { method, headers }, theirs => {
        answer.writeHead(theirs.statusCode ?? 502, theirs.headers)
        theirs.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      asked.pipe(passed)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo // it listens on a port
    return `http://127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
