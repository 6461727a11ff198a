import { createParser } from 'eventsource-parser'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventJson } from '../../src/wire/event.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>
let writer: string
beforeEach(async () => {
  service = await openKeyed()
  writer = await service.token('default')
})
afterEach(() => service.close())

type Reading = { readonly after?: string; readonly query?: string; readonly count: number }

/** Reads the first events of the stream, then leaves it. */
async function readEvents(
  token: string,
  { after, query = '', count }: Reading,
): Promise<readonly EventJson[]> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(after !== undefined && { 'last-event-id': after }),
  }
  const response = await service.app.request(`/api/events${query}`, { headers })
  expect(response.status).toBe(200)
  const events: EventJson[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      const read = JSON.parse(data) as EventJson
      expect({ id, event }).toEqual({ id: read.id, event: read.type })
      events.push(read)
    },
  })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  while (events.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    parser.feed(decoder.decode(value, { stream: true }))
  }
  await reader.cancel()
  return events.slice(0, count)
}

async function put(id: string, text: string, attributes: Record<string, string> = {}) {
  const { passim, release } = await service.stores.acquire('default')
  try {
    return await passim.documents.put({ id, text, title: id, collection: 'wiki', attributes })
  } finally {
    release()
  }
}

const remove = async (id: string) =>
  await service.call(writer, 'DELETE', `/api/collections/wiki/documents/${id}`)

const list = (events: readonly EventJson[]) =>
  events.map(({ type, data: { externalId } }) => `${type} ${externalId}`)

test('the stream has what is stored, and continues after the last event of a client', async () => {
  await put('a', 'The printer jams.')
  await remove('a')
  const first = await readEvents(writer, { after: 'oldest', count: 3 })
  expect(list(first)).toEqual(['document.completed a', 'job.completed a', 'document.deleted a'])
  const later = readEvents(writer, { after: first[1]!.id, count: 3 })
  await put('b', 'The printer hums.')
  expect(list(await later)).toEqual([
    'document.deleted a',
    'document.completed b',
    'job.completed b',
  ])
})

test('the stream has the events of some types, and new ones only by default', async () => {
  await put('a', 'The printer jams.')
  const reading = readEvents(writer, { query: '?types=document.deleted', count: 1 })
  await put('b', 'The printer hums.')
  await remove('b')
  expect(list(await reading)).toEqual(['document.deleted b'])
})

test('an event that is not stored is refused, so that a client notices the gap', async () => {
  const response = await service.call(writer, 'GET', '/api/events?after=evt_0')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('after=oldest')
})

test('a failed document and a stored response are events', async () => {
  const file = await service.upload(writer, 'broken.pdf', '%PDF-1.7 broken')
  await service.call(writer, 'POST', '/v1/vector_stores', { name: 'wiki', file_ids: [file] })
  await service.call(writer, 'POST', '/v1/responses', { input: 'What jams?', store: true })
  const [failed, job] = await readEvents(writer, {
    after: 'oldest',
    query: '?types=document.failed&types=job.failed',
    count: 2,
  })
  expect(failed).toMatchObject({
    data: { source: expect.stringMatching(/broken\.pdf$/), error: { code: expect.any(String) } },
  })
  expect(job?.data.documentId).toBe(failed?.data.documentId)
  const types = '?types=response.completed'
  const [response] = await readEvents(writer, { after: 'oldest', query: types, count: 1 })
  expect(response?.data).toEqual({ responseId: expect.stringMatching(/^resp_/) })
})

test('a restricted key has the events of its documents only, deleted ones included', async () => {
  const { token } = await service.keys.create({
    name: 'it',
    tenant: 'default',
    scope: 'read',
    filter: { type: 'eq', key: 'team', value: 'it' },
  })
  await put('a', 'The printer jams.', { team: 'it' })
  await put('b', 'The salary of Bob.', { team: 'hr' })
  await remove('a')
  await remove('b')
  await put('c', 'The printer hums.', { team: 'it' })
  expect(list(await readEvents(token, { after: 'oldest', count: 5 }))).toEqual([
    'document.completed a',
    'job.completed a',
    'document.deleted a',
    'document.completed c',
    'job.completed c',
  ])
})
