import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import type { ServerEnv } from './http/context.ts'

export const ASSETS = '/assets/'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
}

/** Own origin only; page pictures come as blobs with the key. */
const POLICY =
  "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

/** File names contain a hash. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Passim</title>
<h1>The page is not built</h1>
<p>The service runs, but <code>dist/web</code> is missing. Build Passim again, and restart the service.
The API works without it: see <a href="docs">docs</a>.</p></html>`

type WebFile = {
  readonly bytes: Buffer
  readonly gzipped: Buffer
  readonly type: string
  readonly etag: string
}

export function serveWebPage(app: Hono<ServerEnv>, folder: string = findBuiltPage()): void {
  const files = new Map(listNames(folder).map(name => [name, readFile(`${folder}/${name}`)]))
  app.get('/', c => {
    c.header('content-security-policy', POLICY)
    c.header('cache-control', 'no-cache')
    const index = files.get('index.html')
    return index ? send(c.req.raw, index, c.res.headers) : c.html(NOT_BUILT, 503)
  })
  const verifier = files.get('verify.html')
  const policy = /"Content-Security-Policy" content="([^"]+)"/.exec(String(verifier?.bytes))?.[1]
  app.get('/verify.html', (c, next) => {
    if (!verifier) return next()
    c.header('content-security-policy', `${policy}; frame-ancestors 'none'`)
    c.header('cache-control', 'no-cache')
    return Promise.resolve(send(c.req.raw, verifier, c.res.headers))
  })
  app.get(`${ASSETS}:name`, (c, next) => {
    const file = files.get(c.req.param('name'))
    if (!file) return next()
    c.header('cache-control', FOR_EVER)
    return Promise.resolve(send(c.req.raw, file, c.res.headers))
  })
}

function send({ headers }: Request, file: WebFile, own: Headers): Response {
  const answer = new Headers(own)
  answer.set('etag', file.etag)
  answer.set('vary', 'Accept-Encoding')
  if ((headers.get('if-none-match') ?? '').includes(file.etag))
    return new Response(null, { status: 304, headers: answer })
  answer.set('content-type', file.type)
  const isZipped = /\bgzip\b/i.test(headers.get('accept-encoding') ?? '')
  if (isZipped) answer.set('content-encoding', 'gzip')
  return new Response(new Uint8Array(isZipped ? file.gzipped : file.bytes), { headers: answer })
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => TYPES[extname(name)] !== undefined)
  } catch {
    return [] // not built: reported to its visitors
  }
}

function readFile(file: string): WebFile {
  const bytes = readFileSync(file)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
  return { bytes, gzipped: gzipSync(bytes, { level: 9 }), type: TYPES[extname(file)]!, etag }
}

function findBuiltPage(): string {
  const isSource = extname(new URL(import.meta.url).pathname) === '.ts'
  return fileURLToPath(new URL(isSource ? '../../dist/web' : '../web', import.meta.url))
}
