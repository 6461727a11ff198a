import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../../src/server/http/input.ts'
import { serve } from '../../../src/server.ts'
import { oneStore } from '../../fakes/one-store.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api, type Body } from '../api.ts'
import { openKeyed } from '../keyed.ts'

let sandbox: Sandbox
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(async () => await sandbox.remove())

const indexed = async (id: unknown) => {
  await expect
    .poll(async () => (await api.json('GET', `/api/documents/${id}`)).status, { timeout: 60_000 })
    .not.toBe('in_progress')
  return await api.json('GET', `/api/documents/${id}`)
}
const textOf = async (id: unknown) =>
  await (await api.request('GET', `/api/documents/${id}/text`)).text()
const add = async (collection: string, body: object) =>
  await api.json('POST', `/api/collections/${collection}/documents`, body)
const addLines = async (collection: string, body: string) => {
  const headers = { 'content-type': 'application/x-ndjson' }
  const url = `/api/collections/${collection}/documents`
  const response = await api.app.request(url, { method: 'POST', body, headers })
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line) as Body) // each test says what it expects
}

test('a text becomes a document of a collection that is made for it', async () => {
  const added = await add('tickets', {
    id: 'ticket/4711 #2 50%',
    title: 'Printer jams',
    text: 'The printer on floor 2 jams with recycled paper.',
    attributes: { team: 'it' },
    language: 'en',
    url: 'https://tickets.example.org/4711',
  })
  expect(added).toMatchObject({
    collection: 'tickets',
    result: 'created',
    externalId: 'ticket/4711 #2 50%',
    title: 'Printer jams',
    url: 'https://tickets.example.org/4711',
    status: 'in_progress',
  })
  expect(await indexed(added.id)).toMatchObject({
    status: 'completed',
    title: 'Printer jams',
    mediaType: 'text/plain',
    attributes: { team: 'it' },
    metadata: { language: 'en' },
  })
  const found = await api.json('POST', '/api/search', {
    query: 'recycled paper',
    collections: ['tickets'],
    filter: { key: 'team', type: 'eq', value: 'it' },
  })
  expect(found.hits).toMatchObject([
    { documentId: added.id, title: 'Printer jams', attributes: { team: 'it' } },
  ])
})

test('Markdown, HTML and records are read as what they are, whatever they look like', async () => {
  const markdown = await add('kinds', { markdown: '# Herons\n\nA heron wades.' })
  const html = await add('kinds', {
    html: '<meta charset="iso-8859-1"><title>Kräne</title><p>Größe</p>',
  })
  const text = await add('kinds', { text: '<p>a tag</p>' })
  const records = await add('kinds', {
    title: 'Stock',
    records: [
      { part: 'Bolt, long', price: 1.5, sold: true },
      { part: 'Nut "M8"', price: 20, note: null },
    ],
  })
  expect(await indexed(markdown.id)).toMatchObject({
    status: 'completed',
    title: 'Herons',
    mediaType: 'text/markdown',
  })
  expect(await indexed(html.id)).toMatchObject({ status: 'completed', title: 'Kräne' })
  expect(await textOf(html.id)).toBe('Größe')
  await indexed(text.id)
  expect(await textOf(text.id)).toContain('<p>a tag</p>')
  expect(await indexed(records.id)).toMatchObject({ status: 'completed', title: 'Stock' })
  const { tables } = await api.json('GET', `/api/documents/${records.id}/tables`)
  expect(tables).toMatchObject([
    {
      columns: [
        { name: 'part', kind: 'text' },
        { name: 'price', kind: 'number' },
        { name: 'sold' },
        { name: 'note' },
      ],
      rows: [
        ['Bolt, long', '1.5', 'true', ''],
        ['Nut "M8"', '20', '', ''],
      ],
    },
  ])
})

test('the same id again replaces the document, and the same content does nothing', async () => {
  const first = await add('again', { id: 'a', text: 'A heron wades.', attributes: { n: 1 } })
  await indexed(first.id)
  const same = { id: 'a', text: 'A heron wades.' }
  expect(await add('again', { ...same, attributes: { n: 1 } })).toMatchObject({
    id: first.id,
    result: 'unchanged',
    status: 'completed',
  })
  expect(await add('again', { ...same, attributes: { n: 2 } })).toMatchObject({
    result: 'updated',
    attributes: { n: 2 },
    status: 'completed',
  })
  expect(await add('again', { ...same, title: 'Waders' })).toMatchObject({ result: 'replaced' })
  expect(await indexed(first.id)).toMatchObject({ title: 'Waders', attributes: {} })
  expect(await add('again', { id: 'a', text: 'A crane dances.' })).toMatchObject({
    id: first.id,
    result: 'replaced',
  })
  await indexed(first.id)
  expect(await textOf(first.id)).toBe('A crane dances.')
  expect((await api.passim.list('again')).length).toBe(1)
})

test('each JSON line is answered with a line, and a bad one does not stop the others', async () => {
  const answers = await addLines(
    'lines',
    [
      '{"id": "a", "text": "A heron wades."}',
      '{"id": "b", "text": 5}',
      '',
      '{broken',
      `{"id": "c", "text": "${'x'.repeat(MAX_BODY_BYTES)}"}`,
      '{"id": "d"}',
      '{"id": "e", "text": "A crane dances."}',
    ].join('\n'),
  )
  expect(answers).toMatchObject([
    { line: 1, id: 'a', documentId: expect.stringMatching(/^doc_/), result: 'created' },
    { line: 2, error: { code: 'invalid_input', param: 'text' } },
    {
      line: 4,
      error: { code: 'invalid_input', message: expect.stringContaining('The line is not') },
    },
    { line: 5, error: { code: 'too_large' } },
    { line: 6, error: { code: 'invalid_input' } },
    { line: 7, id: 'e', result: 'created' },
  ])
  expect((await api.passim.list('lines')).map(({ externalId }) => externalId)).toEqual(['a', 'e'])
})

test('a line is answered before the next one is sent', async () => {
  const server = await serve(oneStore(api.passim), {
    settings: { ...api.passim.settings.server, port: 0 },
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const sending = request(`${server.url}/api/collections/slow/documents`, {
    method: 'POST',
    headers,
  })
  sending.write('{"id": "a", "text": "A heron wades."}\n')
  const [response] = await once(sending, 'response')
  const [first] = await once(response, 'data')
  expect(JSON.parse(String(first))).toMatchObject({ line: 1, id: 'a', result: 'created' })
  sending.end('{"id": "b", "text": "A crane dances."}')
  const [second] = await once(response, 'data')
  expect(JSON.parse(String(second))).toMatchObject({ line: 2, id: 'b', result: 'created' })
  await server.close()
})

test('a repeated request without an id adds one document, and a read key adds none', async () => {
  const service = await openKeyed()
  const [writer, reader] = [await service.token('default'), await service.token('default', 'read')]
  const send = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once' }
    const body = JSON.stringify({ text: 'A heron wades.' })
    return await service.app.request('/api/collections/notes/documents', {
      ...{ method: 'POST', headers, body },
    })
  }
  const [first, second] = [await send(writer), await send(writer)]
  expect(await second.json()).toEqual(await first.json())
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await send(reader)).status).toBe(403)
  await service.close()
})

test('a file is put under an id, found by it, and replaced as one document', async () => {
  const url = '/api/collections/files/documents/contract%2F7%20%231'
  const put = async (init: RequestInit, query = '') => {
    const response = await api.app.request(url + query, { method: 'PUT', ...init })
    return (await response.json()) as Body // each test says what it expects
  }
  const form = (text: string) => {
    const body = new FormData()
    body.append('file', new File([text], 'contract.md'))
    body.append('title', 'The contract')
    body.append('attributes', '{"year": 2026}')
    return { body }
  }
  const first = await put(form('# Lease\n\nThe notice period is three months.'))
  expect(first).toMatchObject({
    result: 'created',
    externalId: 'contract/7 #1',
    name: 'contract.md',
    title: 'The contract',
    attributes: { year: 2026 },
  })
  await indexed(first.id)
  expect(await put(form('# Lease\n\nThe notice period is three months.'))).toMatchObject({
    id: first.id,
    result: 'unchanged',
    status: 'completed',
  })
  const headers = { 'content-type': 'text/markdown; charset=utf-8' }
  const raw = { body: '# Lease\n\nThe notice period is six months.', headers }
  const query = `?title=Contract&attributes=${encodeURIComponent('{"year": 2027}')}`
  expect(await put(raw, query)).toMatchObject({
    id: first.id,
    result: 'replaced',
    searchable: 'all',
  })
  await indexed(first.id)
  expect(await api.json('GET', url)).toMatchObject({
    id: first.id,
    title: 'Contract',
    mediaType: 'text/markdown',
    attributes: { year: 2027 },
    collection: 'files',
  })
  expect(await textOf(first.id)).toContain('six months')
  expect((await put(raw, query)).result).toBe('unchanged')
  expect((await api.passim.list('files')).length).toBe(1)
  expect((await api.json('GET', '/v1/files')).data).toEqual([])
  expect(await api.json('DELETE', url)).toEqual({ id: first.id, deleted: true })
  expect(await api.refusal('GET', url)).toMatchObject({ status: 404, code: 'not_found' })
  await api.json('POST', `/api/deletions/${first.id}/restore`, {})
  expect(await api.json('GET', url)).toMatchObject({ id: first.id, externalId: 'contract/7 #1' })
})

test('the old version is found until the new one is published', async () => {
  const url = '/api/collections/swap/documents/a'
  const { id } = await api.json('PUT', url, { text: 'The heron wades.' })
  await indexed(id)
  const seen = new Set<string>()
  const search = async () => {
    const query = 'heron crane'
    const hits = await api.passim.search({ query, collections: ['swap'], mode: 'keyword' })
    return hits.map(({ text }) => text).join(' + ')
  }
  await api.json('PUT', url, { text: 'The crane dances.' })
  for (let status: unknown; status !== 'completed'; ) {
    status = (await api.json('GET', url)).status
    seen.add(await search())
  }
  expect(['The heron wades.', 'The crane dances.']).toEqual(expect.arrayContaining([...seen]))
  expect(await search()).toBe('The crane dances.')
})

test('ids with hashes are listed in pages, and documents are deleted by ids or filter', async () => {
  const lines = ['a', 'b', 'c', 'd'].map((id, n) =>
    JSON.stringify({ id, text: `Note ${id}.`, attributes: { n } }),
  )
  await addLines('many', lines.join('\n'))
  const other = await api.upload('other.txt', 'No id of a caller.')
  const { id: store } = await api.passim.scope.findCollection('many')
  await api.json('POST', `/v1/vector_stores/${store}/files`, { file_id: other })
  await api.indexed(store)
  const list = async (query: string) =>
    await api.json('GET', `/api/collections/many/documents${query}`)
  const sha256 = createHash('sha256').update('Note a.').digest('hex')
  expect(await list('?limit=3')).toMatchObject({
    documents: [{ id: 'a', hash: sha256, status: 'completed' }, { id: 'b' }, { id: 'c' }],
    hasMore: true,
    last: 'c',
  })
  expect(await list('?limit=3&after=c')).toMatchObject({
    documents: [{ id: 'd' }],
    hasMore: false,
  })
  const remove = async (body: object) =>
    await api.json('POST', '/api/collections/many/documents/delete', body)
  const filter = { key: 'n', type: 'gte', value: 2 }
  expect(await remove({ filter, dryRun: true })).toEqual({
    matched: 2,
    deleted: 0,
    missing: [],
    warnings: [],
    hasMore: false,
  })
  expect(await remove({ filter: 'm>2' })).toMatchObject({
    deleted: 0,
    warnings: [{ code: 'unknown_attribute', message: expect.stringContaining('attribute m,') }],
  })
  expect(await remove({ filter })).toMatchObject({ matched: 2, deleted: 2 })
  expect(await remove({ ids: ['a', 'c', 'x'] })).toMatchObject({
    deleted: 1,
    missing: ['c', 'x'],
  })
  expect(await list('')).toMatchObject({ documents: [{ id: 'b' }], hasMore: false })
  for (const body of [{}, { ids: ['a'], filter }, { filter: { key: 'n', type: 'near', value: 1 } }])
    expect((await remove(body)).error).toMatchObject({ code: 'invalid_input' })
})

test.each([
  [{ text: 'a', markdown: 'b' }, 'exactly one content'],
  [{}, 'exactly one content'],
  [{ text: 'a', id: '\n' }, '1 to 512 characters'],
  [{ text: 'a', id: 'x'.repeat(513) }, '512'],
  [{ text: 'a', url: 'javascript:alert(1)' }, 'http'],
  [{ text: 'a', language: 'not a language' }, 'BCP 47'],
  [{ records: [{ a: { b: 1 } }] }, 'records'],
  [{ records: [{}] }, 'empty'],
  [{ text: 'a', colour: 'red' }, 'colour'],
])('%j is refused by name', async (body, message) => {
  const refused = await add('refused', body)
  expect(refused.error).toMatchObject({ code: 'invalid_input' })
  expect(refused.error?.message).toContain(message)
})

test('parameters of the path are named in refusals', async () => {
  const long = 'x'.repeat(513)
  expect((await api.json('GET', `/api/collections/many/documents/${long}`)).error).toMatchObject({
    message: 'externalId has to be at most 512 characters long.',
    param: 'externalId',
  })
  expect((await add(long, { text: 'a' })).error).toMatchObject({ param: 'id' })
})
