import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { openKeyed } from './keyed.ts'
import { eventsIn } from './sse.ts'

/** Hotels, and a copy of them, in a folder that a key of readers may not learn. */
const FILES = {
  'secret/a/hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.',
  'secret/b/train.md': '# Trains\n\nTrains are booked in second class.',
}
const QUESTION = 'What do hotels cost at most?'

let service: Awaited<ReturnType<typeof openKeyed>>
let sandbox: Sandbox
let folder: string
let reader: string
let writer: string
let document: { readonly id: string; readonly source: string }
let conversation: string

beforeAll(async () => {
  service = await openKeyed()
  sandbox = await Sandbox.make()
  folder = await sandbox.write(FILES)
  const lease = await service.stores.acquire('default')
  await lease.passim.index([folder])
  const missing = sandbox.path('secret/missing.pdf')
  await lease.passim.index([missing]).catch(() => undefined)
  lease.release()
  reader = await service.token('default', 'read')
  writer = await service.token('default', 'write')
  const { documents } = await read(writer, 'GET', '/api/documents')
  document = documents.find(({ name }: { name: string }) => name === 'hotel.md')
  const asked = { question: QUESTION, conversation: 'new' }
  conversation = (await read(writer, 'POST', '/api/ask', asked)).conversation
})
afterAll(async () => {
  await service.close()
  await sandbox.remove()
})

async function read(token: string, method: string, path: string, body?: object) {
  const response = await service.call(token, method, path, body)
  expect([path, response.status]).toEqual([path, 200])
  return JSON.parse(await response.text())
}

/** Requests whose answers name a source. */
function listRequests(): readonly (readonly [string, string, object?])[] {
  const span = `start=0&end=10`
  return [
    ['GET', '/api/documents'],
    ['GET', `/api/documents/${document.id}`],
    ['GET', `/api/citations/${document.id}?${span}`],
    ['GET', '/api/jobs'],
    ['POST', '/api/search', { query: 'hotels', explain: true, contextTokens: 500 }],
    ['POST', '/api/find', { text: 'Hotels cost at most 120 euros a night.' }],
    ['POST', '/api/ask', { question: QUESTION }],
    ['POST', '/api/ask', { question: QUESTION, stream: true }],
    ['GET', `/api/conversations/${conversation}`],
    ['GET', `/api/conversations/${conversation}/events?after=0`],
    ['GET', `/api/threads/${conversation}/messages`],
  ]
}

test('a key that may only read is told names, and no folder of the server', async () => {
  for (const [method, path, body] of listRequests()) {
    const answers = await Promise.all(
      [reader, writer].map(async token => {
        const response = await service.call(token, method, path, body)
        return [response.status, await response.text()] as const
      }),
    )
    expect([path, answers.map(([status]) => status)]).toEqual([path, [200, 200]])
    const [[, shown], [, full]] = answers as [readonly [number, string], readonly [number, string]]
    expect([path, shown.includes('hotel.md'), shown.includes(sandbox.folder)]).toEqual([
      path,
      true,
      false,
    ])
    expect([path, full.includes(sandbox.path('secret/a/hotel.md'))]).toEqual([path, true])
  }
})

test('a key that may only read pages through the documents by their ids', async () => {
  const first = await read(reader, 'GET', '/api/documents?limit=1')
  expect(first).toMatchObject({
    documents: [{ source: 'hotel.md' }],
    hasMore: true,
    last: document.id,
  })
  const second = await read(reader, 'GET', `/api/documents?limit=1&after=${first.last}`)
  expect(second).toMatchObject({ documents: [{ source: 'train.md' }], hasMore: false })
  const gone = await service.call(reader, 'GET', '/api/documents?after=doc_0')
  expect([gone.status, await gone.json()]).toMatchObject([400, { error: { param: 'after' } }])
})

test('several documents of one name are told by their ids', async () => {
  const upload = async (text: string) => await service.upload(writer, 'same.txt', text)
  const store = await read(writer, 'POST', '/v1/vector_stores', {
    name: 'twice',
    file_ids: [await upload('One word.'), await upload('Two words.')],
  })
  const body = { query: 'word', collections: [store.id], documents: ['same.txt'] }
  const response = await service.call(reader, 'POST', '/api/search', body)
  const { error } = (await response.json()) as { error: { message: string } }
  expect(error.message).toMatch(
    /^2 documents are called same\.txt: doc_\w+ in twice, doc_\w+ in twice\. /,
  )
  expect(error.message).not.toContain('upload:')
})

test('events keep the name of the document that is cited', async () => {
  const response = await service.call(reader, 'POST', '/api/ask', {
    question: QUESTION,
    stream: true,
  })
  const events = eventsIn(await response.text())
  expect(events.find(({ event }) => event === 'citation')?.data).toMatchObject({
    source: 'hotel.md',
    doc: 'hotel.md',
  })
})
