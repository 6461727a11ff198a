import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerEnv } from '../../src/server/http/context.ts'
import { serveWebPage } from '../../src/server/web-page.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { openKeyed } from './keyed.ts'

const BUILT = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** What the first view loads may weigh, compressed. */
const BUDGET = 70 * 1024

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

function assetsOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`)
}

test('the page is one document, two scripts, a style sheet and an icon, of this origin', async () => {
  const answer = await api.request('GET', '/')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe')
  const html = await answer.text()
  expect(assetsOf(html)).toHaveLength(4)
  expect(html).not.toMatch(/https?:/)
  expect(html).not.toMatch(/<script>|<style>|style="/)
})
test('what has a hash in its name is kept for ever, the document is asked for by its tag', async () => {
  const document = await api.request('GET', '/')
  expect(document.headers.get('cache-control')).toBe('no-cache')
  const etag = document.headers.get('etag') ?? ''
  expect((await api.app.request('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  for (const asset of assetsOf(await document.text())) {
    const answer = await api.request('GET', asset)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(asset).toMatch(/-[A-Z0-9]{8}\.\w+$/)
  }
})
test('what the first view loads weighs no more than its budget', () => {
  const html = readFileSync(`${BUILT}/index.html`)
  const names = assetsOf(String(html)).map(name => name.replace('/assets/', ''))
  const files = [html, ...names.map(name => readFileSync(`${BUILT}/${name}`))]
  const sizes = files.map(file => gzipSync(file, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})
test('the first view imports no script that its document does not name', () => {
  const html = readFileSync(`${BUILT}/index.html`, 'utf8')
  const scripts = assetsOf(html).filter(name => name.endsWith('.js'))
  for (const script of scripts) {
    const text = readFileSync(`${BUILT}/${script.replace('/assets/', '')}`, 'utf8')
    const imported = [...text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, name]) => name)
    for (const name of imported) expect(scripts).toContain(`/assets/${name}`)
  }
})
test('the licences of what is in it come with it', () => {
  expect(existsSync(`${BUILT}/LICENSES.txt`)).toBe(true)
  expect(readFileSync(`${BUILT}/LICENSES.txt`, 'utf8')).toMatch(/preact/)
})
test('a page that was not built is told, and where to look instead', async () => {
  const app = new Hono<ServerEnv>()
  serveWebPage(app, `${sandbox.folder}/nowhere`)
  const answer = await app.request('/')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('Build Passim again')
})
test('with keys the page opens, and tells nothing; keys are for who may administer', async () => {
  const keyed = await openKeyed()
  try {
    const [reader, admin] = [
      await keyed.token('default', 'read'),
      await keyed.token('default', 'admin'),
    ]
    const answer = await keyed.app.request('/')
    expect(answer.status).toBe(200)
    for (const asset of assetsOf(await answer.text()))
      expect((await keyed.app.request(asset)).status).toBe(200)
    expect((await keyed.app.request('/api/keys')).status).toBe(401)
    expect((await keyed.call(reader, 'GET', '/api/keys')).status).toBe(403)
    const made = await keyed.call(admin, 'POST', '/api/keys', { name: 'new', scope: 'read' })
    const { id, token } = (await made.json()) as { id: string; token: string } // the route's
    expect((await keyed.call(token, 'GET', '/api/jobs')).status).toBe(200)
    expect(await (await keyed.call(admin, 'GET', '/api/keys')).text()).not.toContain(token)
    expect((await keyed.call(admin, 'DELETE', `/api/keys/${id}`)).status).toBe(200)
    expect((await keyed.call(token, 'GET', '/api/jobs')).status).toBe(401)
  } finally {
    await keyed.close()
  }
})
test('the documents of a collection come page by page', async () => {
  await api.store({ 'a.md': 'One.', 'b.md': 'Two.', 'c.md': 'Three.' }, 'letters')
  const first = await api.json('GET', '/api/documents?collection=letters&limit=2')
  expect(first).toMatchObject({ documents: [{ name: 'a.md' }, { name: 'b.md' }], hasMore: true })
  const rest = await api.json(
    'GET',
    `/api/documents?collection=letters&after=${encodeURIComponent(String(first.last))}`,
  )
  expect(rest).toMatchObject({
    documents: [{ name: 'c.md', status: 'completed' }],
    hasMore: false,
  })
  expect(await api.refusal('GET', '/api/documents?collection=none')).toMatchObject({ status: 404 })
})
