import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startServer } from './running.ts'

let server: Running
let client: OpenAI

beforeAll(async () => {
  server = await startServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(() => server.close())

const upload = (name: string, text: string) => toFile(Buffer.from(text), name)

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

test('a file is uploaded, added, polled, searched and read', async () => {
  const store = await client.vectorStores.create({ name: '规章' })
  const file = await client.vectorStores.files.uploadAndPoll(
    store.id,
    await upload('差旅.md', '# 差旅\n\n住宿费每晚不超过五百元。'),
  )
  expect(file).toMatchObject({ status: 'completed', last_error: null, vector_store_id: store.id })
  const found = await client.vectorStores.search(store.id, {
    query: '住宿费是多少？',
    max_num_results: 3,
  })
  expect(found.data[0]).toMatchObject({
    file_id: file.id,
    filename: '差旅.md',
    content: [{ text: expect.stringContaining('五百元') }],
  })
  const content = await client.vectorStores.files.content(file.id, { vector_store_id: store.id })
  expect(content.data[0]?.text).toBe('差旅\n\n住宿费每晚不超过五百元。')
  expect(await (await client.files.content(file.id)).text()).toBe(
    '# 差旅\n\n住宿费每晚不超过五百元。',
  )
})
test('polling ends at once for a file that fails', async () => {
  const store = await client.vectorStores.create({ name: 'failing' })
  const file = await client.vectorStores.files.uploadAndPoll(
    store.id,
    await upload('empty.txt', ''),
  )
  expect(file).toMatchObject({ status: 'failed', last_error: { code: 'invalid_file' } })
})
test('polling ends for a file whose indexing was cancelled', async () => {
  const store = await client.vectorStores.create({ name: 'cancelled' })
  const uploaded = await client.files.create({
    file: await upload('c.txt', 'A cello.'),
    purpose: 'assistants',
  })
  await server.passim.collections.addFile(
    await server.passim.collections.get(store.id),
    uploaded.id,
  )
  for (const job of await server.passim.jobs.list(store.id, 10))
    await server.passim.jobs.cancel(job.id)
  expect(
    await client.vectorStores.files.retrieve(uploaded.id, { vector_store_id: store.id }),
  ).toMatchObject({
    status: 'cancelled',
  })
  expect(await client.vectorStores.files.poll(store.id, uploaded.id)).toMatchObject({
    status: 'failed',
  })
})
test('a store made of files is complete once they are', async () => {
  const file = await client.files.create({
    file: await upload('a.txt', 'An apple.'),
    purpose: 'user_data',
  })
  const store = await client.vectorStores.create({
    file_ids: [file.id],
    metadata: { kind: 'fruit' },
  })
  await client.vectorStores.files.poll(store.id, file.id)
  expect(await client.vectorStores.retrieve(store.id)).toMatchObject({
    ...{ status: 'completed', metadata: { kind: 'fruit' } },
    file_counts: { completed: 1, total: 1 },
  })
})
test('a batch of files is uploaded and polled', async () => {
  const store = await client.vectorStores.create({ name: 'batch' })
  const files = await Promise.all(
    ['one', 'two', 'three'].map(text => upload(`${text}.txt`, `Number ${text}.`)),
  )
  const batch = await client.vectorStores.fileBatches.uploadAndPoll(store.id, { files })
  expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 3, total: 3 } })
  const listed = await collect(
    client.vectorStores.fileBatches.listFiles(batch.id, { vector_store_id: store.id, limit: 2 }),
  )
  expect(listed).toHaveLength(3)
})
test('polling ends for a batch that is cancelled', async () => {
  const store = await client.vectorStores.create({})
  const { id } = await client.files.create({
    file: await upload('c.txt', 'A cello.'),
    purpose: 'assistants',
  })
  const batch = await server.passim.fileBatches.create(
    await server.passim.collections.get(store.id),
    [{ fileId: id }],
  )
  await client.vectorStores.fileBatches.cancel(batch.id, { vector_store_id: store.id })
  expect(await client.vectorStores.fileBatches.poll(store.id, batch.id)).toMatchObject({
    status: 'cancelled',
  })
})
test('a file goes up in parts', async () => {
  const upload = await client.uploads.create({
    filename: 'p.txt',
    purpose: 'assistants',
    bytes: 6,
    mime_type: 'text/plain',
  })
  const parts = [await toFile(Buffer.from('abc'), 'a'), await toFile(Buffer.from('def'), 'b')]
  const ids: string[] = []
  for (const data of parts) ids.push((await client.uploads.parts.create(upload.id, { data })).id)
  const done = await client.uploads.complete(upload.id, { part_ids: ids })
  expect(await (await client.files.content(done.file!.id)).text()).toBe('abcdef')
})
/** What a file was read as, in a store of its own. */
async function readAs(fileId: string): Promise<unknown> {
  const store = await client.vectorStores.create({ name: fileId })
  await client.vectorStores.files.createAndPoll(store.id, { file_id: fileId })
  const listed = await fetch(`${server.url}/api/documents?collection=${store.id}`)
  return ((await listed.json()) as { documents: { mediaType: string }[] }).documents[0]?.mediaType // the service's own
}
test.each([
  ['notes', 'text/markdown', 'text/markdown'],
  ['notes', 'text/csv', 'text/csv'],
  ['notes.txt', 'text/csv', 'text/plain'],
])(
  'a file %s that is declared %s is read as %s, whole or in parts',
  async (filename, mime_type, expected) => {
    const bytes = Buffer.from('name,price\nbus,9\n')
    const file = await toFile(bytes, filename, { type: mime_type })
    const whole = await client.files.create({ file, purpose: 'assistants' })
    const upload = await client.uploads.create({
      filename,
      purpose: 'assistants',
      bytes: bytes.length,
      mime_type,
    })
    const part = await client.uploads.parts.create(upload.id, { data: await toFile(bytes, 'part') })
    const joined = await client.uploads.complete(upload.id, { part_ids: [part.id] })
    expect([await readAs(whole.id), await readAs(joined.file!.id)]).toEqual([expected, expected])
  },
)
test('embeddings come as numbers, though the client asks for base64', async () => {
  const { data } = await client.embeddings.create({ model: 'passim-embedder', input: 'fox' })
  expect(data[0]?.embedding).toHaveLength(64)
  expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 3)
})
test('a permanent conflict is not tried again', async () => {
  let calls = 0
  const counting = new OpenAI({
    ...{ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 2 },
    fetch: (url, init) => {
      calls++
      return fetch(url, init)
    },
  })
  const upload = await counting.uploads.create({
    filename: 'c',
    purpose: 'assistants',
    bytes: 1,
    mime_type: 'a/b',
  })
  await counting.uploads.cancel(upload.id)
  calls = 0
  await expect(counting.uploads.cancel(upload.id)).rejects.toBeInstanceOf(OpenAI.ConflictError)
  expect(calls).toBe(1)
})
test('lists are turned page by page', async () => {
  const files = await Promise.all(
    Array.from({ length: 5 }, async (_, at) =>
      client.files.create({ file: await upload(`${at}.txt`, `page ${at}`), purpose: 'vision' }),
    ),
  )
  const listed = await collect(client.files.list({ purpose: 'vision', limit: 2 }))
  expect(listed.map(file => file.id).toSorted()).toEqual(files.map(file => file.id).toSorted())
  const stores = await Promise.all(
    Array.from({ length: 3 }, (_, at) => client.vectorStores.create({ name: `s${at}` })),
  )
  const names = (await collect(client.vectorStores.list({ limit: 1, order: 'asc' }))).map(
    store => store.id,
  )
  expect(names).toEqual(expect.arrayContaining(stores.map(store => store.id)))
  expect(new Set(names).size).toBe(names.length)
})
test('what is deleted is gone', async () => {
  const store = await client.vectorStores.create({ name: 'gone' })
  const file = await client.vectorStores.files.uploadAndPoll(
    store.id,
    await upload('x.txt', 'An xylophone.'),
  )
  expect(
    await client.vectorStores.files.delete(file.id, { vector_store_id: store.id }),
  ).toMatchObject({
    deleted: true,
  })
  expect((await client.vectorStores.search(store.id, { query: 'xylophone' })).data).toEqual([])
  expect(await client.files.delete(file.id)).toMatchObject({ deleted: true })
  expect(await client.vectorStores.delete(store.id)).toMatchObject({ deleted: true })
  await expect(client.vectorStores.retrieve(store.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    type: 'invalid_request_error',
  })
})
test('an error carries its request id', async () => {
  const error = await client.vectorStores
    .search('vs_none', { query: 'x' })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OpenAI.NotFoundError)
  expect((error as InstanceType<typeof OpenAI.NotFoundError>).requestID).toMatch(/^req_/)
})
test('nothing of this was the server’s fault', () => expect(server.log).toEqual([]))
