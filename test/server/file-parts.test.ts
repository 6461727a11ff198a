import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebServer } from '../fakes/web-server.ts'
import { type Running, startServer } from './running.ts'

const model = 'passim-extractive'
let server: Running
let client: OpenAI
let store: string

beforeAll(async () => {
  server = await startServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const made = await client.vectorStores.create({ name: 'travel' })
  const file = new File(['Hotels cost at most 120 euros a night.'], 'hotel.md')
  await client.vectorStores.files.uploadAndPoll(made.id, file)
  store = made.id
})
afterAll(() => server.close())

test('a response is answered from files that the conversation brings, then and later', async () => {
  const upload = (name: string, text: string) =>
    client.files.create({ file: new File([text], name), purpose: 'user_data' })
  const { id: file_id } = await upload('trains.md', 'Trains to Graz cost 45 euros.')
  const ask = (text: string, more: object = {}) =>
    client.responses.create({
      ...{ model, ...more },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file' as const, file_id },
            { type: 'input_text', text },
          ],
        },
      ],
    })
  const first = await ask('What do trains to Graz cost?')
  expect(first.output_text).toContain('45 euros')
  expect(JSON.stringify(first.output)).toContain(file_id)
  const { data } = await client.responses.inputItems.list(first.id)
  expect(data[0]).toMatchObject({
    content: [{ type: 'input_file', file_id }, { type: 'input_text' }],
  })
  const later = await client.responses.create({
    ...{ model, previous_response_id: first.id, input: 'What do trains to Graz cost?' },
  })
  expect(later.output_text).toContain('45 euros')
  const both = await ask('What do hotels cost?', {
    tools: [{ type: 'file_search', vector_store_ids: [store] }],
  })
  expect(both.output_text).toContain('120 euros')
  expect((await client.vectorStores.list()).data.map(({ id }) => id)).toEqual([store])
})
test('a file that cannot be read, or is not there, is named', async () => {
  const ask = (file_id: string) =>
    client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', file_id },
            { type: 'input_text', text: 'Why?' },
          ],
        },
      ],
    })
  const empty = await client.files.create({ file: new File([''], 'void.md'), purpose: 'user_data' })
  await expect(ask(empty.id)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('void.md'),
  })
  await expect(ask('file-none')).rejects.toMatchObject({ status: 404 })
  const inline = {
    type: 'input_file' as const,
    file_data: 'data:text/plain;base64,§§',
    filename: 'x.txt',
  }
  const sent = client.responses.create({ model, input: [{ role: 'user', content: [inline] }] })
  await expect(sent).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('base64'),
  })
  const none = client.responses.create({
    model,
    input: [{ role: 'user', content: [{ type: 'input_file' }] }],
  })
  await expect(none).rejects.toMatchObject({ status: 400, param: 'input.0.content.0.file_id' })
})
test('a file that comes with the question is an upload that expires, and the same one when it comes again', async () => {
  const file_data = `data:text/markdown;base64,${Buffer.from('Buses to Trento cost 9 euros.').toString('base64')}`
  const filename = 'buses.md'
  const text = 'What do buses to Trento cost?'
  const include = ['file_search_call.results' as const]
  const response = await client.responses.create({
    ...{ model, store: false, include },
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_file', file_data, filename },
          { type: 'input_text', text },
        ],
      },
    ],
  })
  expect(response.output[0]).toMatchObject({
    results: [{ filename, text: 'Buses to Trento cost 9 euros.' }],
  })
  await client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_data, filename } },
          { type: 'text', text },
        ],
      },
    ],
  })
  const { data } = await client.files.list()
  const kept = data.filter(file => file.filename === filename)
  expect(kept).toMatchObject([{ purpose: 'user_data', expires_at: expect.any(Number) }])
})
test('a file at a URL is fetched, but from no address that is not public unless settings allow it', async () => {
  const site = await WebServer.start({
    '/fares.md': { type: 'text/markdown', body: 'Trams in Graz cost 3 euros.' },
  })
  const allowing = await startServer({ settings: { fetching: { allowPrivate: true } } })
  const input = [
    {
      role: 'user' as const,
      content: [
        { type: 'input_file' as const, file_url: site.url('/fares.md') },
        { type: 'input_text' as const, text: 'What do trams in Graz cost?' },
      ],
    },
  ]
  const other = client.withOptions({ baseURL: `${allowing.url}/v1` })
  const { output } = await other.responses.create({
    model,
    input,
    include: ['file_search_call.results'],
  })
  expect(output[0]).toMatchObject({
    results: [{ filename: 'fares.md', text: 'Trams in Graz cost 3 euros.' }],
  })
  expect(site.requests).toEqual(['200 /fares.md'])
  await expect(client.responses.create({ model, input })).rejects.toMatchObject({ status: 403 })
  expect(site.requests).toHaveLength(1)
  await allowing.close()
  await site.close()
})
test('what a request would come to is counted without its files and images', async () => {
  const site = await WebServer.start({
    '/fares.md': { type: 'text/markdown', body: 'Trams in Graz cost 3 euros.' },
  })
  const before = (await server.passim.files.list()).length
  const count = async (...more: readonly object[]) => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'What do trams cost?' }, ...more] },
    ]
    const body = JSON.stringify({ model, input })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const response = await fetch(`${server.url}/v1/responses/input_tokens`, init)
    return ((await response.json()) as { input_tokens: number }).input_tokens
  }
  const file_data = `data:text/plain;base64,${Buffer.from('Counted.').toString('base64')}`
  const files = [{ file_url: site.url('/fares.md') }, { file_data, filename: 'counted.txt' }]
  const parts = [
    ...files.map(file => ({ type: 'input_file', ...file })),
    { type: 'input_image', image_url: site.url('/a.png') },
  ]
  expect(await count(...parts)).toBe(await count())
  expect(site.requests).toEqual([])
  expect(await server.passim.files.list()).toHaveLength(before)
  await site.close()
})
test('a request brings so many files, and none of more is taken in', async () => {
  const before = (await server.passim.files.list()).length
  const partOf = (number: number) => {
    const file_data = `data:text/plain;base64,${Buffer.from(`File ${number}.`).toString('base64')}`
    return { type: 'input_file' as const, file_data, filename: `${number}.txt` }
  }
  const content = Array.from({ length: 33 }, (_, number) => partOf(number))
  const input = [content, content].map(content => ({ role: 'user' as const, content }))
  const sent = client.responses.create({ model, input })
  await expect(sent).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('at most 64 files'),
  })
  expect(await server.passim.files.list()).toHaveLength(before)
})
test('a file that comes with a question is called by the end of its name, without what no name has', async () => {
  const bytes = Buffer.from('Cable cars in Bolzano cost 11 euros.').toString('base64')
  const nameOf = async (part: { readonly file_data: string; readonly filename?: string }) => {
    const input_text = { type: 'input_text' as const, text: 'What do cable cars in Bolzano cost?' }
    const input = [
      { role: 'user' as const, content: [{ type: 'input_file' as const, ...part }, input_text] },
    ]
    const { output } = await client.responses.create({
      model,
      input,
      include: ['file_search_call.results'],
    })
    return (output[0] as { readonly results?: readonly { readonly filename: string }[] })
      .results?.[0]?.filename
  }
  const file_data = `data:text/plain;base64,${bytes}`
  expect(await nameOf({ file_data, filename: '../../etc/cars.txt' })).toBe('cars.txt')
  expect(await nameOf({ file_data, filename: 'C:\\fares\\cars\u0000\u001b[2J.txt' })).toBe(
    'cars[2J.txt',
  )
  expect(await nameOf({ file_data: `data:text/plain;name=..%2Fup.txt;base64,${bytes}` })).toBe(
    'up.txt',
  )
  expect(await nameOf({ file_data, filename: `${'x'.repeat(300)}.txt` })).toHaveLength(200)
})
test('a stored response is read once, however often a request refers to parts of it', async () => {
  const tools = [{ type: 'file_search' as const, vector_store_ids: [store] }]
  const first = await client.responses.create({ model, tools, input: 'What do hotels cost?' })
  const { responses } = server.passim
  const find = responses.find.bind(responses)
  let reads = 0
  const counted = async (id: string) => {
    reads++
    return await find(id)
  }
  Object.assign(responses, { find: counted })
  const reference = { type: 'item_reference' as const, id: first.output.at(-1)?.id ?? '' }
  const input = [
    ...Array.from({ length: 200 }, () => reference),
    { role: 'user' as const, content: 'And hotels?' },
  ]
  await client.responses.create({ model, tools, input, store: false })
  Object.assign(responses, { find })
  expect(reads).toBe(1)
})
test('an item of a conversation is read once, however often a request refers to it, and none beyond what fits', async () => {
  const { conversations } = server.passim
  const large = {
    kind: 'message',
    role: 'user',
    content: 'What do hotels cost? '.repeat(75_000),
  } as const
  const { id } = await conversations.create({
    items: [{ ...large, content: 'Hotels?' }, large, large, large, large],
  })
  const ids = (await conversations.items(id, { limit: 5, order: 'asc' })).map(item => item.id)
  const find = conversations.findItemAnywhere.bind(conversations)
  const read: string[] = []
  const counted = async (itemId: string) => {
    read.push(itemId)
    return await find(itemId)
  }
  Object.assign(conversations, { findItemAnywhere: counted })
  const refer = async (ids: readonly string[]) =>
    await client.responses.inputTokens.count({
      model,
      input: ids.map(id => ({ type: 'item_reference' as const, id })),
    })
  await refer(Array.from({ length: 200 }, () => ids[0]!))
  await expect(refer(ids)).rejects.toMatchObject({ status: 413 })
  Object.assign(conversations, { findItemAnywhere: find })
  expect(read).toEqual([ids[0], ...ids.slice(0, 4)])
})
test('an item of a stored response stands for itself', async () => {
  const tools = [{ type: 'file_search' as const, vector_store_ids: [store] }]
  const first = await client.responses.create({ model, input: 'What do hotels cost?', tools })
  const references = first.output.map(item => ({
    type: 'item_reference' as const,
    id: item.id ?? '',
  }))
  const next = { role: 'user' as const, content: 'And hotels a night?' }
  const second = await client.responses.create({ model, tools, input: [...references, next] })
  const { data } = await client.responses.inputItems.list(second.id, { order: 'asc' })
  const said = { type: 'message', role: 'assistant', content: [{ text: first.output_text }] }
  expect(data).toMatchObject([said, { role: 'user' }])
  const gone = [{ type: 'item_reference' as const, id: 'msg_0' }, next]
  await expect(client.responses.create({ model, tools, input: gone })).rejects.toMatchObject({
    status: 404,
  })
})
test('a chat completion is answered from a file of its messages', async () => {
  const { id: file_id } = await client.files.create({
    file: new File(['Ferries to Bari cost 60 euros.'], 'ferries.md'),
    purpose: 'user_data',
  })
  const text = 'What do ferries to Bari cost?'
  const completion = await client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_id } },
          { type: 'text', text },
        ],
      },
    ],
  })
  expect(completion.choices[0]?.message.content).toContain('60 euros')
})
test('a stream of chat completions tells of files in comments, which its clients skip', async () => {
  const file = {
    filename: 'trams.md',
    file_data: Buffer.from('Trams cost 3 euros.').toString('base64'),
  }
  const content = [
    { type: 'file' as const, file },
    { type: 'text' as const, text: 'What do trams cost?' },
  ]
  const asked = { model, messages: [{ role: 'user' as const, content }], stream: true as const }
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(asked),
  })
  const text = await response.text()
  expect(text).toContain('\n\n: Reading trams.md.\n\n: Searching trams.md.\n\n')
  let said = ''
  for await (const { choices } of await client.chat.completions.create(asked))
    said += choices[0]?.delta.content ?? ''
  expect(said).toContain('3 euros')
})
