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
  expect(found.hits).toMatchObject([{ documentId: added.id, title: 'Printer jams' }])
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
    { line: 4, error: { code: 'invalid_input' } },
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
