import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { WebServer } from '../../fakes/web-server.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let site: WebServer
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  site = await WebServer.start({ '/heron.html': { body: '<h1>Herons</h1><p>A heron wades.</p>' } })
  api = new Api(await sandbox.open({ settings: { fetching: { allowPrivate: true, delayMs: 0 } } }))
})
afterAll(async () => {
  await site.close()
  await sandbox.remove()
})

const indexed = async (id: unknown) => {
  await expect
    .poll(async () => (await api.json('GET', `/api/documents/${id}`)).status, { timeout: 60_000 })
    .not.toBe('in_progress')
  return await api.json('GET', `/api/documents/${id}`)
}

test('a form where JSON is expected is told where files are uploaded', async () => {
  const form = new FormData()
  form.append('file', new File(['A heron.'], 'heron.txt'))
  const response = await api.app.request('/api/documents', { method: 'POST', body: form })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Upload files to /v1/files.')
})

test('a page of the web becomes a document of the collection that is named', async () => {
  const added = await api.json('POST', '/api/documents', {
    url: site.url('/heron.html'),
    collection: 'birds',
  })
  expect(added).toMatchObject({ source: site.url('/heron.html'), name: 'heron.html' })
  expect(await indexed(added.id)).toMatchObject({
    status: 'completed',
    title: 'Herons',
    collection: 'birds',
  })
  const again = await api.json('POST', '/api/documents', {
    url: site.url('/heron.html'),
    collection: 'birds',
  })
  expect(again).toMatchObject({ id: added.id, status: 'completed' })
})

test('what cannot be fetched, or is no page of the web, is refused by name', async () => {
  const refusal = (url: string) => api.refusal('POST', '/api/documents', { url })
  expect(await refusal(site.url('/gone.html'))).toMatchObject({ status: 502, code: 'fetch_failed' })
  expect(await refusal('/etc/passwd')).toMatchObject({ status: 400, code: 'invalid_input' })
  expect(await refusal('file:///etc/passwd')).toMatchObject({
    status: 403,
    code: 'forbidden_source',
  })
})

test('addresses that are not public are refused unless the settings allow them', async () => {
  const other = await Sandbox.make()
  const closed = new Api(await other.open())
  const refused = await closed.refusal('POST', '/api/documents', { url: site.url('/heron.html') })
  expect(refused).toMatchObject({ status: 403, code: 'forbidden_source' })
  await other.remove()
})

test('a document is indexed again, and a page of the web is fetched anew', async () => {
  const { id: store, fileIds } = await api.store({ 'crane.txt': 'A crane dances.' }, 'waders')
  const [crane] = await api.passim.list(await api.passim.scope.findCollection(store))
  expect(crane?.fileId).toBe(fileIds[0])
  expect(await api.json('POST', `/api/documents/${crane?.id}/index`, {})).toMatchObject({
    status: 'in_progress',
  })
  const after = await indexed(crane?.id)
  expect(after).toMatchObject({ status: 'completed' })
  expect(Date.parse(String(after.indexedAt))).toBeGreaterThanOrEqual(
    crane?.indexedAt ?? Number.POSITIVE_INFINITY,
  )

  const added = await api.json('POST', '/api/documents', { url: site.url('/heron.html') })
  await indexed(added.id)
  site.pages['/heron.html'] = { body: '<h1>Grey herons</h1><p>A heron waits.</p>' }
  await api.json('POST', `/api/documents/${added.id}/index`, { ocr: 'off' })
  expect(await indexed(added.id)).toMatchObject({ status: 'completed', title: 'Grey herons' })
  expect(await api.refusal('POST', '/api/documents/doc_none/index', {})).toMatchObject({
    status: 404,
  })
})

test('a list without a default collection names those there are, and the parameter', async () => {
  const other = new Api(await sandbox.open({ home: sandbox.path('no-default') }))
  const list = async () => await (await other.request('GET', '/api/documents')).text()
  expect(await list()).toMatch(/There are none yet: index something first\."/)
  await other.json('POST', '/v1/vector_stores', { name: 'papers' })
  expect(await list()).toMatch(
    /There are: papers\. The query parameter `collection` names the one to list/,
  )
})
