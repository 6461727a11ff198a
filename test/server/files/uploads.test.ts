import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@lancedb/lancedb'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open({ settings: { server: { maxPartedUploadBytes: 100 } } }))
})
afterAll(() => sandbox.remove())

async function begin(bytes: number, filename = '书.txt'): Promise<string> {
  const body = { filename, purpose: 'assistants', bytes, mime_type: 'text/plain' }
  return String((await api.json('POST', '/v1/uploads', body)).id)
}

async function send(id: string, text: string): Promise<Response> {
  const form = new FormData()
  form.append('data', new File([text], 'blob'))
  return await api.app.request(`/v1/uploads/${id}/parts`, { method: 'POST', body: form })
}

const part = async (id: string, text: string) =>
  ((await (await send(id, text)).json()) as { id: string }).id
const complete = (id: string, body: object) => api.json('POST', `/v1/uploads/${id}/complete`, body)
/** Of all collections, whether anybody may find them or not. */
async function indexedRows(): Promise<number> {
  const index = await connect(path.join(sandbox.home, 'index'))
  const tables = await Promise.all((await index.tableNames()).map(name => index.openTable(name)))
  const counts = await Promise.all(tables.map(table => table.countRows()))
  return counts.reduce((sum, count) => sum + count, 0)
}
const folders = () =>
  existsSync(path.join(sandbox.home, 'uploads'))
    ? readdirSync(path.join(sandbox.home, 'uploads'))
    : []

test('parts become a file in the order of their ids, whatever order they came in', async () => {
  const id = await begin(11)
  const world = await part(id, ' world')
  const hello = await part(id, 'hello')
  const md5 = createHash('md5').update('hello world').digest('hex')
  const done = await complete(id, { part_ids: [hello, world], md5 })
  expect(done).toMatchObject({
    id,
    object: 'upload',
    status: 'completed',
    file: { bytes: 11, filename: '书.txt' },
  })
  const { id: fileId } = done.file as { id: string }
  expect(await (await api.request('GET', `/v1/files/${fileId}/content`)).text()).toBe('hello world')
  expect(folders()).toEqual([])
})
test('an upload is completed once', async () => {
  const id = await begin(1)
  const part_ids = [await part(id, 'a')]
  const results = await Promise.all(
    [1, 2].map(() => api.request('POST', `/v1/uploads/${id}/complete`, { part_ids })),
  )
  const refused = results.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, headers }) => [status, headers.get('x-should-retry')])).toEqual([
    [409, 'false'],
  ])
  expect((await send(id, 'late')).status).toBe(409)
})
test('parts that are not the whole, or not the announced bytes, make no file', async () => {
  const id = await begin(4)
  const part_ids = [await part(id, 'abc')]
  const before = (await api.passim.files.list()).length
  const refusal = (body: object) => api.refusal('POST', `/v1/uploads/${id}/complete`, body)
  expect(await refusal({ part_ids })).toMatchObject({ status: 400 })
  expect(await refusal({ part_ids: [...part_ids, 'part_none'] })).toMatchObject({ status: 400 })
  const whole = [...part_ids, await part(id, 'd')]
  expect(await refusal({ part_ids: whole, md5: '0'.repeat(32) })).toMatchObject({ status: 400 })
  expect(await refusal({ part_ids: whole, md5: 'x' })).toMatchObject({ status: 400, param: 'md5' })
  expect(await api.passim.files.list()).toHaveLength(before)
  expect(await complete(id, { part_ids: whole })).toMatchObject({ status: 'completed' })
})
test('no part goes beyond the bytes that were announced, and none of it is kept', async () => {
  const id = await begin(4)
  const first = await part(id, 'abc')
  const refused = await send(id, 'de')
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_input' } },
  ])
  expect(readdirSync(path.join(sandbox.home, 'uploads', id))).toEqual([first])
  const together = await Promise.all(['d', 'e', 'f'].map(text => send(id, text)))
  expect(together.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  const [kept] = (await Promise.all(
    together.filter(({ ok }) => ok).map(response => response.json()),
  )) as [{ id: string }] // one
  expect(await complete(id, { part_ids: [first, kept.id] })).toMatchObject({
    status: 'completed',
    file: { bytes: 4 },
  })
})
test('a cancelled upload leaves nothing, and takes nothing more', async () => {
  const id = await begin(1)
  await part(id, 'a')
  expect(await api.json('POST', `/v1/uploads/${id}/cancel`)).toMatchObject({
    id,
    status: 'cancelled',
  })
  expect(folders()).toEqual([])
  expect(await api.refusal('POST', `/v1/uploads/${id}/cancel`)).toMatchObject({ status: 409 })
  expect((await send(id, 'b')).status).toBe(409)
})
test('an upload over the limit is refused before it is sent', async () => {
  const body = { filename: 'a', purpose: 'assistants', bytes: 101, mime_type: 'text/plain' }
  expect(await api.refusal('POST', '/v1/uploads', body)).toMatchObject({
    status: 400,
    param: 'bytes',
  })
})
test('what was to be kept for a time is gone after it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const form = new FormData()
    form.append('file', new File(['brief'], 'brief.txt'))
    form.append('purpose', 'assistants')
    form.append('expires_after[anchor]', 'created_at')
    form.append('expires_after[seconds]', '3600')
    const response = await api.app.request('/v1/files', { method: 'POST', body: form })
    const file = (await response.json()) as { id: string; created_at: number; expires_at: number }
    expect(file.expires_at - file.created_at).toBe(3600)
    const upload = await begin(1)
    await part(upload, 'a')
    const days = { expires_after: { anchor: 'last_active_at', days: 1 } }
    const store = await api.json('POST', '/v1/vector_stores', { ...days, file_ids: [file.id] })
    await api.indexed(String(store.id))
    const place = `/v1/vector_stores/${store.id}`

    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await api.refusal('GET', `/v1/files/${file.id}`)).toMatchObject({ status: 404 })
    expect((await send(upload, 'b')).status).toBe(404)
    const kept = (await indexedRows()) - 1
    await api.passim.expiry.sweep()
    expect(folders()).toEqual([])
    await expect.poll(indexedRows).toBe(kept)
    expect(await api.json('GET', place)).toMatchObject({
      status: 'completed',
      file_counts: { total: 0 },
    })

    vi.setSystemTime(Date.now() + 12 * 3_600_000)
    await api.json('POST', `${place}/search`, { query: 'brief' })
    vi.setSystemTime(Date.now() + 23 * 3_600_000)
    expect(await api.json('GET', place)).toMatchObject({ status: 'completed' })
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await api.json('GET', place)).toMatchObject({ status: 'expired' })
    expect(await api.refusal('POST', `${place}/search`, { query: 'brief' })).toMatchObject({
      status: 404,
    })
  } finally {
    vi.useRealTimers()
  }
})
