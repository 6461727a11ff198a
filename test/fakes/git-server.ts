import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Login = { readonly user: string; readonly password: string }

/** A git repository over HTTP on loopback, by git's own CGI program, for one user with a password. */
export class GitServer {
  readonly folder: string
  readonly user: string
  password: string
  readonly #server: Server

  private constructor(folder: string, server: Server, { user, password }: Login) {
    this.folder = folder
    this.user = user
    this.password = password
    this.#server = server
  }

  static async start(login: Login): Promise<GitServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-git-'))
    const server = createServer()
    const git = new GitServer(folder, server, login)
    server.on('request', (request, response) => git.#answer(request, response))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    await git.#git('init', '--quiet', '-b', 'main')
    return git
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo // it listens on a port
    return `http://127.0.0.1:${port}/.git`
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true })
    await writeFile(path.join(this.folder, name), text)
    await this.#commit()
  }

  async remove(name: string): Promise<void> {
    await rm(path.join(this.folder, name))
    await this.#commit()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
    await rm(this.folder, { recursive: true, force: true })
  }

  async #commit(): Promise<void> {
    await this.#git('add', '--all')
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
    await this.#git(...who, 'commit', '--quiet', '-m', 'Change', '--allow-empty')
  }

  async #git(...args: readonly string[]): Promise<void> {
    await run('git', args, { cwd: this.folder })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const login = Buffer.from(`${this.user}:${this.password}`).toString('base64')
    if (request.headers.authorization !== `Basic ${login}`) {
      request.resume()
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: this.folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: this.user,
      },
    })
    request.pipe(backend.stdin)
    const parts: Buffer[] = []
    backend.stdout.on('data', (part: Buffer) => parts.push(part))
    backend.once('close', () => sendCgi(Buffer.concat(parts), response))
  }
}

/** RFC 3875: headers, an empty line, the body. */
function sendCgi(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n')
  const headers = output
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map(line => line.split(/: */, 2) as [string, string]) // each has a colon
  const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
  response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers))
  response.end(output.subarray(end + 4))
}
