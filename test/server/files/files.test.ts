import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

const MAX_UPLOAD_BYTES = 1_000

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open({ settings: { server: { maxUploadBytes: MAX_UPLOAD_BYTES } } }))
})
afterAll(() => sandbox.remove())

type Part = readonly [name: string, value: string | File]

async function post(...parts: readonly Part[]): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return await api.app.request('/v1/files', { method: 'POST', body: form })
}

/** What the store holds on disk and in its list. */
async function kept(): Promise<readonly string[]> {
  const incoming = await readdir(path.join(sandbox.home, 'incoming'))
  const content = await readdir(path.join(sandbox.home, 'content'), { recursive: true })
  const files = (await api.passim.files.list()).map(file => file.id)
  return [...incoming, ...content.filter(name => name.endsWith('original')), ...files].toSorted()
}

async function refused(
  parts: readonly Part[],
  status: number,
  param: string | null,
): Promise<void> {
  const before = await kept()
  const response = await post(...parts)
  expect([response.status, await response.json()]).toMatchObject([status, { error: { param } }])
  expect(await kept()).toEqual(before)
}

const text = (length = 5, name = 'a.txt') => new File(['x'.repeat(length)], name)

test('an upload comes back as it was, under its UTF-8 name', async () => {
  const response = await post(
    ['file', new File(['第一章'], '报告 v2.txt')],
    ['purpose', 'user_data'],
  )
  const file = (await response.json()) as { id: string } // the file object
  expect(file).toMatchObject({
    object: 'file',
    bytes: 9,
    filename: '报告 v2.txt',
    purpose: 'user_data',
    status: 'processed',
  })
  expect(await api.json('GET', `/v1/files/${file.id}`)).toEqual(file)
  const content = await api.request('GET', `/v1/files/${file.id}/content`)
  expect(await content.text()).toBe('第一章')
  expect(content.headers.get('content-disposition')).toContain(encodeURIComponent('报告 v2.txt'))
})
test('the purpose may come before the file', async () => {
  expect((await post(['purpose', 'assistants'], ['file', text()])).status).toBe(200)
})
test('an empty file is stored', async () => {
  expect(await (await post(['file', text(0)], ['purpose', 'assistants'])).json()).toMatchObject({
    bytes: 0,
  })
})
test('a file as large as the limit is stored', async () => {
  expect((await post(['file', text(MAX_UPLOAD_BYTES)], ['purpose', 'assistants'])).status).toBe(200)
})
test('a larger one is refused, and nothing of it is kept', () =>
  refused(
    [
      ['file', text(MAX_UPLOAD_BYTES + 1)],
      ['purpose', 'assistants'],
    ],
    413,
    null,
  ))
test('a far larger one is refused, and nothing of it is kept', () =>
  refused(
    [
      ['file', text(1_000_000)],
      ['purpose', 'assistants'],
    ],
    413,
    null,
  ))
test('HEAD tells of a file without opening it', async () => {
  const id = await api.upload('head.txt', 'headless')
  const answer = await api.request('HEAD', `/v1/files/${id}/content`)
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
    200,
    '8',
    '',
  ])
})
test('a file without bytes is kept, and said to be of no use', async () => {
  const id = await api.upload('nothing.txt', '')
  expect(await api.json('GET', `/v1/files/${id}`)).toMatchObject({
    bytes: 0,
    status: 'error',
    status_details: expect.stringContaining('empty'),
  })
})
test('an upload needs a purpose', () => refused([['file', text(6)]], 400, 'purpose'))
test('an upload needs a purpose there is', () =>
  refused(
    [
      ['file', text(7)],
      ['purpose', 'fun'],
    ],
    400,
    'purpose',
  ))
test('an upload needs a file', () => refused([['purpose', 'assistants']], 400, 'file'))
test('an upload has one file', () =>
  refused(
    [
      ['file', text(8)],
      ['file', text(9)],
      ['purpose', 'assistants'],
    ],
    400,
    'file',
  ))
test('a part that is not known is named', () =>
  refused(
    [
      ['file', text(8)],
      ['purpose', 'assistants'],
      ['color', 'red'],
    ],
    400,
    'color',
  ))
test('half an expiry is refused', () =>
  refused(
    [
      ['file', text(8)],
      ['purpose', 'assistants'],
      ['expires_after[anchor]', 'created_at'],
    ],
    400,
    'expires_after.seconds',
  ))
test('a file under another part is refused', () =>
  refused([['document', text(8)]], 400, 'document'))
test('a form that is no form is refused', async () => {
  expect(await api.refusal('POST', '/v1/files', { file: 'x' })).toMatchObject({
    status: 400,
    code: 'invalid_input',
  })
})
test('a form that breaks off is refused, and nothing of it is kept', async () => {
  const before = await kept()
  const body =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="cut.txt"\r\n\r\nonly the beginn'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const response = await api.app.request('/v1/files', { method: 'POST', body, headers })
  expect(response.status).toBe(400)
  expect(await kept()).toEqual(before)
})
test('files are listed newest first, and by purpose', async () => {
  const ids = [await api.upload('1.txt', '1', 'vision'), await api.upload('2.txt', '2', 'vision')]
  const list = await api.json('GET', '/v1/files?purpose=vision')
  expect((list.data as { id: string }[]).map(file => file.id).toSorted()).toEqual(ids.toSorted())
  expect(await api.json('GET', '/v1/files?purpose=fine-tune')).toEqual({
    ...{ object: 'list', data: [], first_id: '', last_id: '', has_more: false },
  })
})
test('a file that is deleted for good is gone, its bytes too', async () => {
  const before = await kept()
  const id = await api.upload('short-lived.txt', 'only here for a moment')
  expect(await api.json('DELETE', `/v1/files/${id}?now=true`)).toEqual({
    id,
    object: 'file',
    deleted: true,
  })
  expect(await kept()).toEqual(before)
  expect(await api.refusal('GET', `/v1/files/${id}`)).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})
test('a deleted file is in no answer, and can be brought back with its documents', async () => {
  const { id, fileIds } = await api.store({ 'kept.txt': 'A gyrfalcon.' })
  expect(await api.json('DELETE', `/v1/files/${fileIds[0]}`)).toMatchObject({ deleted: true })
  expect(await api.refusal('GET', `/v1/files/${fileIds[0]}`)).toMatchObject({ status: 404 })
  expect((await api.json('GET', `/v1/vector_stores/${id}/files`)).data).toEqual([])
  const search = async () => {
    const { data } = await api.json('POST', `/v1/vector_stores/${id}/search`, {
      query: 'gyrfalcon',
    })
    return (data as unknown[]).length
  }
  expect(await search()).toBe(0)
  await api.passim.restoring.run(await api.passim.restoring.find({ document: 'kept.txt' }))
  expect(await api.json('GET', `/v1/files/${fileIds[0]}`)).toMatchObject({ filename: 'kept.txt' })
  expect(await search()).toBe(1)
})
